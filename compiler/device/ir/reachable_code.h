// What a kernel may do in functions that were not inlined into it.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>

#include "ir/device_module.h"

namespace reprise_compiler::device {

struct Reach {
  // Defined in this module, the kernel's body first; in the order of their calls, not of their addresses.
  llvm::SmallSetVector<const llvm::Function*, 4> functions;
  bool unknown = false;  // may also run code of another object

  bool any(llvm::function_ref<bool(const llvm::Instruction&)> is) const;
};

Reach reach_of(const DeviceModule& module, const llvm::Function& body);

// A declaration that names a device function of another object, not a function of the runtime or of libc.
bool is_foreign_device_function(const llvm::Function& function);

}  // namespace reprise_compiler::device
