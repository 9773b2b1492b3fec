// Calls of the runtime that read a clock.
#pragma once

#include <llvm/IR/InstrTypes.h>

namespace reprise_compiler::device {

constexpr const char* processor_clock = "__reprise_clock";     // clock(), clock64(), %clock, %clock64
constexpr const char* global_clock = "__reprise_globaltimer";  // %globaltimer

inline bool reads_clock(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && (callee->getName() == processor_clock || callee->getName() == global_clock);
}

}  // namespace reprise_compiler::device
