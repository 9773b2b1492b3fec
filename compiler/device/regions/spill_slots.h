// Spill slots: storage of values between regions. A slot is an array with one element per thread, so that consecutive
// threads access consecutive elements.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "ir/device_module.h"
#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

struct SpillSlot {
  llvm::Type* type = nullptr;    // as stored: i1 takes a byte
  llvm::Value* array = nullptr;  // address of the first element; computed in the function's entry
};

class SpillSlots {
 public:
  virtual ~SpillSlots() = default;
  virtual SpillSlot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) = 0;

  llvm::Value* address(llvm::IRBuilderBase& builder, const SpillSlot& slot) const;
  llvm::Instruction* store(llvm::IRBuilderBase& builder, const SpillSlot& slot, llvm::Value* value) const;
  llvm::Value* load(llvm::IRBuilderBase& builder, const SpillSlot& slot, llvm::Type* type) const;

 protected:
  explicit SpillSlots(llvm::Value* index) : index_(index) {}
  static llvm::Type* stored_type(llvm::Type* type);

 private:
  llvm::Value* index_;  // of the current thread or lane, 64 bits
};

// Slots with one element per thread of the block, in the launch's scratch memory:
//   | slot 0: t0 t1 t2 ... | slot 1: t0 t1 t2 ... | ...
class ThreadSpillSlots : public SpillSlots {
 public:
  explicit ThreadSpillSlots(llvm::Function& body);
  SpillSlot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) override;

  uint64_t bytes_per_thread() const;
  llvm::Value* thread_count() const { return threads_; }  // 64 bits
  // Adds alias metadata: pointers of the user's program do not point into slots.
  void add_alias_scopes() const;

 private:
  llvm::Function& body_;
  llvm::Value *threads_, *padded_threads_, *scratch_;
  llvm::Instruction* insertion_;
  uint64_t end_ = 0;
};

// Slots with one element per lane, on the stack, for values that are live within the code of one warp.
class LaneSpillSlots : public SpillSlots {
 public:
  explicit LaneSpillSlots(llvm::Function& body);
  SpillSlot allocate(llvm::Type* type, llvm::Align alignment = llvm::Align(1)) override;

 private:
  llvm::Function& body_;
};

// True if the variable is a slot with one element per lane.
bool is_lane_spill_array(const llvm::AllocaInst& memory);

}  // namespace reprise_compiler::device
