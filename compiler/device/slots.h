// Where values of threads live between regions: in the launch's scratch memory, one array of a value per thread for
// each slot, so that neighbouring threads' values are neighbours.
//
//   scratch:  | per block | slot 0: t0 t1 t2 ... | slot 1: t0 t1 t2 ... | ...
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "device_module.h"

namespace reprise::device {

struct Slot {
  llvm::Type* type = nullptr;   // as stored: booleans take a byte
  uint64_t offset = 0;          // bytes per thread before it
  llvm::Value* array = nullptr;  // where thread 0's is; in the function's entry
};

class Slots {
 public:
  // `body` has the thread arguments; `thread` is the number of the thread in its block, 64 bits.
  Slots(llvm::Function& body, llvm::Value* thread);

  Slot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1));
  llvm::Value* address(llvm::IRBuilderBase& builder, const Slot& slot);
  llvm::Instruction* store(llvm::IRBuilderBase& builder, const Slot& slot, llvm::Value* value);
  llvm::Value* load(llvm::IRBuilderBase& builder, const Slot& slot, llvm::Type* type);

  uint64_t bytes_per_thread() const;
  llvm::Value* thread_count() const { return threads_; }  // i64

 private:
  llvm::Function& body_;
  llvm::Value* thread_;
  llvm::Value *threads_ = nullptr, *padded_threads_ = nullptr, *scratch_ = nullptr;
  llvm::Instruction* insertion_;
  uint64_t end_ = 0;
};

}  // namespace reprise::device
