// Architecture and cluster dimensions of a kernel: from the source to the registration record. Passes in between
// replace the functions that carry them, so they are kept as module metadata by kernel name:
//
//   @llvm.global.annotations: @k, "reprise.cluster_dims", {2}     ->     !{!"k", i32 75, i32 2, i32 1, i32 1}
//   -mllvm -reprise-architecture=75
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

struct KernelAttributes {
  uint32_t architecture = 0;  // 75 for sm_75, 90 for sm_90a
  uint32_t cluster[3] = {};   // __cluster_dims__
};

// Called once, after the kernels have been read and before any function is replaced.
void save_kernel_attributes(DeviceModule& module);

KernelAttributes kernel_attributes(const llvm::Module& ir, llvm::StringRef kernel);

}  // namespace reprise_compiler::device
