// What a kernel may do in functions that were not inlined into it.
#pragma once

#include <llvm/IR/Function.h>

#include <set>

#include "device_module.h"

namespace reprise::device {

struct Reach {
  std::set<const llvm::Function*> functions;  // defined in this module, the kernel's body included
  bool unknown = false;                       // may also run code of another object

  bool any(llvm::function_ref<bool(const llvm::Instruction&)> is) const;
};

Reach reach_of(const DeviceModule& module, const llvm::Function& body);

// A declaration that names a device function of another object, not a function of the runtime or of libc.
bool is_foreign_device_function(const llvm::Function& function);

}  // namespace reprise::device
