// Code that a kernel can reach: its body and the functions that were not inlined into it.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

struct ReachableCode {
  // Functions of this module, the kernel's body first. In call order, so that the output is deterministic.
  llvm::SmallSetVector<const llvm::Function*, 4> functions;
  bool unknown = false;  // may also reach code of another object

  bool any(llvm::function_ref<bool(const llvm::Instruction&)> is) const;
};

ReachableCode reachable_from_kernel(const DeviceModule& module, const llvm::Function& body);

// True for a declaration of a device function that another object defines, as opposed to the runtime or libc.
bool is_external_device_function(const llvm::Function& function);

}  // namespace reprise_compiler::device
