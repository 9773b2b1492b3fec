#include "slots.h"

#include <llvm/IR/Instructions.h>

#include "thread_arguments.h"

namespace reprise::device {

using llvm::Value;

Slots::Slots(llvm::Function& body, Value* thread) : body_(body), thread_(thread) {
  insertion_ = body.getEntryBlock().getTerminator();
  llvm::IRBuilder<> b(insertion_);
  auto wide = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
  threads_ = b.CreateMul(b.CreateMul(wide(ThreadArgument::block_x), wide(ThreadArgument::block_y), "", true, true),
                         wide(ThreadArgument::block_z), "threads", true, true);
  padded_threads_ = b.CreateAnd(b.CreateAdd(threads_, b.getInt64(31)), b.getInt64(~31ll), "threads.padded");
  scratch_ = load_launch_field(b, thread_argument(body, ThreadArgument::launch), launch_scratch);
}

Slot Slots::allocate(llvm::Type* type, llvm::Align alignment) {
  const llvm::DataLayout& layout = body_.getParent()->getDataLayout();
  if (type->isIntegerTy(1)) type = llvm::Type::getInt8Ty(type->getContext());
  alignment = std::max(alignment, layout.getABITypeAlign(type));
  const uint64_t size = llvm::alignTo(layout.getTypeAllocSize(type).getFixedValue(), alignment);
  // Whatever the number of threads, a multiple of 32: an array starts at a multiple of the alignment.
  Slot slot{type, llvm::alignTo(end_, alignment), nullptr};
  end_ = slot.offset + size;
  llvm::IRBuilder<> b(insertion_);
  Value* before = b.CreateMul(padded_threads_, b.getInt64(slot.offset), "", true, true);
  slot.array = b.CreateInBoundsGEP(b.getInt8Ty(), scratch_, before, "slot");
  return slot;
}

Value* Slots::address(llvm::IRBuilderBase& b, const Slot& slot) {
  return b.CreateInBoundsGEP(slot.type, slot.array, thread_);
}

llvm::Instruction* Slots::store(llvm::IRBuilderBase& b, const Slot& slot, Value* value) {
  if (value->getType()->isIntegerTy(1)) value = b.CreateZExt(value, slot.type);
  return b.CreateStore(value, address(b, slot));
}

Value* Slots::load(llvm::IRBuilderBase& b, const Slot& slot, llvm::Type* type) {
  Value* value = b.CreateLoad(slot.type, address(b, slot));
  return type->isIntegerTy(1) ? b.CreateTrunc(value, type) : value;
}

uint64_t Slots::bytes_per_thread() const { return llvm::alignTo(end_, 16); }

}  // namespace reprise::device
