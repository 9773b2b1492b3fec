// Where values of threads live between regions: arrays with one element per thread, so that neighbouring threads'
// values are neighbours.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/device_module.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

struct Slot {
  llvm::Type* type = nullptr;    // as stored: booleans take a byte
  llvm::Value* array = nullptr;  // where the first thread's is; in the function's entry
};

class Slots {
 public:
  virtual ~Slots() = default;
  virtual Slot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) = 0;

  llvm::Value* address(llvm::IRBuilderBase& builder, const Slot& slot) const;
  llvm::Instruction* store(llvm::IRBuilderBase& builder, const Slot& slot, llvm::Value* value) const;
  llvm::Value* load(llvm::IRBuilderBase& builder, const Slot& slot, llvm::Type* type) const;

 protected:
  explicit Slots(llvm::Value* index) : index_(index) {}
  static llvm::Type* stored_type(llvm::Type* type);

 private:
  llvm::Value* index_;  // of the thread that runs, 64 bits
};

// One element per thread of the block, in the launch's scratch memory:
//   | slot 0: t0 t1 t2 ... | slot 1: t0 t1 t2 ... | ...
class ThreadSlots : public Slots {
 public:
  explicit ThreadSlots(llvm::Function& body);
  Slot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) override;

  uint64_t bytes_per_thread() const;
  llvm::Value* thread_count() const { return threads_; }  // 64 bits
  // Tells LLVM that no pointer of the user's leads to a value here.
  void keep_apart() const;

 private:
  llvm::Function& body_;
  llvm::Value *threads_, *padded_threads_, *scratch_;
  llvm::Instruction* insertion_;
  uint64_t end_ = 0;
};

// One element per lane, on the stack: for values that do not outlive their warp's turn.
class LaneSlots : public Slots {
 public:
  explicit LaneSlots(llvm::Function& body);
  Slot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) override;

 private:
  llvm::Function& body_;
};

// Whether lanes have an element each of this memory.
bool is_lane_array(const llvm::AllocaInst& memory);

}  // namespace reprise_compiler::device
