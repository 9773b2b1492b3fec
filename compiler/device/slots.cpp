#include "slots.h"

#include <llvm/IR/Instructions.h>

#include "thread_arguments.h"

namespace reprise::device {

using llvm::Value;

llvm::Type* Slots::stored_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

Value* Slots::address(llvm::IRBuilderBase& b, const Slot& slot) const {
  return b.CreateInBoundsGEP(slot.type, slot.array, index_);
}

llvm::Instruction* Slots::store(llvm::IRBuilderBase& b, const Slot& slot, Value* value) const {
  if (value->getType()->isIntegerTy(1)) value = b.CreateZExt(value, slot.type);
  return b.CreateStore(value, address(b, slot));
}

Value* Slots::load(llvm::IRBuilderBase& b, const Slot& slot, llvm::Type* type) const {
  Value* value = b.CreateLoad(slot.type, address(b, slot));
  return type->isIntegerTy(1) ? b.CreateTrunc(value, type) : value;
}

ThreadSlots::ThreadSlots(llvm::Function& body)
    : Slots(thread_argument(body, ThreadArgument::thread_number)), body_(body) {
  insertion_ = body.getEntryBlock().getTerminator();
  llvm::IRBuilder<> b(insertion_);
  auto wide = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
  threads_ = b.CreateMul(b.CreateMul(wide(ThreadArgument::block_x), wide(ThreadArgument::block_y), "", true, true),
                         wide(ThreadArgument::block_z), "threads", true, true);
  padded_threads_ = b.CreateAnd(b.CreateAdd(threads_, b.getInt64(31)), b.getInt64(~31ll), "threads.padded");
  scratch_ = load_launch_field(b, thread_argument(body, ThreadArgument::launch), launch_scratch);
}

Slot ThreadSlots::allocate(llvm::Type* type, llvm::Align alignment) {
  const llvm::DataLayout& layout = body_.getParent()->getDataLayout();
  type = stored_type(type);
  alignment = std::max(alignment, layout.getABITypeAlign(type));
  // The number of threads is a multiple of 32, so that an array starts at a multiple of any alignment up to that.
  const uint64_t offset = llvm::alignTo(end_, alignment);
  end_ = offset + layout.getTypeAllocSize(type).getFixedValue();
  llvm::IRBuilder<> b(insertion_);
  Value* before = b.CreateMul(padded_threads_, b.getInt64(offset), "", true, true);
  return {type, b.CreateInBoundsGEP(b.getInt8Ty(), scratch_, before, "slot")};
}

uint64_t ThreadSlots::bytes_per_thread() const { return llvm::alignTo(end_, 16); }

LaneSlots::LaneSlots(llvm::Function& body) : Slots(thread_argument(body, ThreadArgument::lane)), body_(body) {}

bool is_lane_array(const llvm::AllocaInst& memory) { return memory.hasMetadata("reprise.lanes"); }

Slot LaneSlots::allocate(llvm::Type* type, llvm::Align alignment) {
  type = stored_type(type);
  llvm::IRBuilder<> b(&body_.getEntryBlock(), body_.getEntryBlock().begin());
  llvm::AllocaInst* array = b.CreateAlloca(llvm::ArrayType::get(type, warp_size), nullptr, "lanes");
  array->setAlignment(std::max({alignment, array->getAlign(), llvm::Align(64)}));
  array->setMetadata("reprise.lanes", llvm::MDNode::get(b.getContext(), {}));
  return {type, array};
}

}  // namespace reprise::device
