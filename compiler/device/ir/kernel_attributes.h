// What the source asked for a kernel that no pass in between looks at: its architecture and its clusters. The functions
// that say so are replaced on the way, so the module keeps it by the kernel's name:
//
//   @llvm.global.annotations: @k, "reprise.cluster_dims", {2}     ->     !{!"k", i32 75, i32 2, i32 1, i32 1}
//   -mllvm -reprise-architecture=75
#pragma once

#include "ir/device_module.h"

namespace reprise_compiler::device {

struct CompiledFor {
  uint32_t architecture = 0;  // 75 for sm_75, 90 for sm_90a
  uint32_t cluster[3] = {};   // __cluster_dims__
};

// Once, when the kernels are known and as clang left them.
void keep_compiled_for(DeviceModule& module);

CompiledFor compiled_for(const llvm::Module& ir, llvm::StringRef kernel);

}  // namespace reprise_compiler::device
