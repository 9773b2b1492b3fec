#include "ir/reachable_code.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {

bool is_external_device_function(const llvm::Function& function) {
  return function.isDeclaration() && function.hasFnAttribute("reprise.external");  // front/retarget.cpp
}

bool ReachableCode::any(llvm::function_ref<bool(const llvm::Instruction&)> is) const {
  for (const llvm::Function* function : functions)
    for (const llvm::Instruction& instruction : llvm::instructions(*function))
      if (is(instruction)) return true;
  return false;
}

ReachableCode reachable_from_kernel(const DeviceModule& module, const llvm::Function& body) {
  ReachableCode reachable;
  std::vector<const llvm::Function*> pending{&body};
  auto visit = [&](const llvm::Function* function) {
    if (function->isDeclaration())
      reachable.unknown |= is_external_device_function(*function);
    else if (reachable.functions.insert(function))
      pending.push_back(function);
  };
  reachable.functions.insert(&body);
  while (!pending.empty()) {
    const llvm::Function* function = pending.back();
    pending.pop_back();
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || call->isInlineAsm()) continue;
      if (const llvm::Function* callee = call->getCalledFunction()) {
        visit(callee);
        continue;
      }
      reachable.unknown |= module.options.relocatable;
      for (const llvm::Function& candidate : module.ir)
        if (!candidate.isDeclaration() && candidate.hasAddressTaken()) visit(&candidate);
    }
  }
  return reachable;
}

}  // namespace reprise_compiler::device
