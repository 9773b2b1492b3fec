#include "regions/spill_slots.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>

#include "ir/thread_arguments.h"

namespace reprise_compiler::device {

using llvm::Value;

namespace {

constexpr const char* spill_metadata = "reprise.spill";  // marks loads and stores of slots

void add_to_list(llvm::Instruction& instruction, unsigned kind, llvm::MDNode* list) {
  instruction.setMetadata(kind, llvm::MDNode::concatenate(instruction.getMetadata(kind), list));
}

// True for accesses through pointers of the user's program, as opposed to memory that this compiler allocates.
bool is_user_access(const llvm::Instruction& instruction, const Value* scratch) {
  const Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer) return false;
  const Value* object = llvm::getUnderlyingObject(pointer, 0);
  return object != scratch && !llvm::isa<llvm::AllocaInst>(object);
}

}  // namespace

void ThreadSpillSlots::add_alias_scopes() const {
  llvm::Function& body = body_;
  llvm::MDBuilder builder(body.getContext());
  llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain("reprise");
  llvm::MDNode* slots = llvm::MDNode::get(body.getContext(), {builder.createAnonymousAliasScope(domain, "slots")});
  for (llvm::Instruction& instruction : llvm::instructions(body)) {
    if (instruction.hasMetadata(spill_metadata))
      add_to_list(instruction, llvm::LLVMContext::MD_alias_scope, slots);
    else if (is_user_access(instruction, scratch_))
      add_to_list(instruction, llvm::LLVMContext::MD_noalias, slots);
  }
}

llvm::Type* SpillSlots::stored_type(llvm::Type* type) {
  return type->isIntegerTy(1) ? llvm::Type::getInt8Ty(type->getContext()) : type;
}

Value* SpillSlots::address(llvm::IRBuilderBase& b, const SpillSlot& slot) const {
  return b.CreateInBoundsGEP(slot.type, slot.array, index_);
}

llvm::Instruction* SpillSlots::store(llvm::IRBuilderBase& b, const SpillSlot& slot, Value* value) const {
  if (value->getType()->isIntegerTy(1)) value = b.CreateZExt(value, slot.type);
  llvm::StoreInst* store = b.CreateStore(value, address(b, slot));
  store->setMetadata(spill_metadata, llvm::MDNode::get(b.getContext(), {}));
  return store;
}

Value* SpillSlots::load(llvm::IRBuilderBase& b, const SpillSlot& slot, llvm::Type* type) const {
  llvm::LoadInst* value = b.CreateLoad(slot.type, address(b, slot));
  value->setMetadata(spill_metadata, llvm::MDNode::get(b.getContext(), {}));
  return type->isIntegerTy(1) ? b.CreateTrunc(value, type) : value;
}

ThreadSpillSlots::ThreadSpillSlots(llvm::Function& body)
    : SpillSlots(thread_argument(body, ThreadArgument::thread_number)), body_(body) {
  insertion_ = body.getEntryBlock().getTerminator();
  llvm::IRBuilder<> b(insertion_);
  auto wide = [&](ThreadArgument which) { return b.CreateZExt(thread_argument(body, which), b.getInt64Ty()); };
  threads_ = b.CreateMul(b.CreateMul(wide(ThreadArgument::block_x), wide(ThreadArgument::block_y), "", true, true),
                         wide(ThreadArgument::block_z), "threads", true, true);
  padded_threads_ = b.CreateAnd(b.CreateAdd(threads_, b.getInt64(31)), b.getInt64(~31ll), "threads.padded");
  scratch_ = load_launch_field(b, thread_argument(body, ThreadArgument::launch), launch_scratch);
}

SpillSlot ThreadSpillSlots::allocate(llvm::Type* type, llvm::Align alignment) {
  const llvm::DataLayout& layout = body_.getParent()->getDataLayout();
  type = stored_type(type);
  alignment = std::max(alignment, layout.getABITypeAlign(type));
  // The padded number of threads is a multiple of 32, so that arrays are aligned to up to 32 bytes.
  const uint64_t offset = llvm::alignTo(end_, alignment);
  end_ = offset + layout.getTypeAllocSize(type).getFixedValue();
  llvm::IRBuilder<> b(insertion_);
  Value* before = b.CreateMul(padded_threads_, b.getInt64(offset), "", true, true);
  return {type, b.CreateInBoundsGEP(b.getInt8Ty(), scratch_, before, "slot")};
}

uint64_t ThreadSpillSlots::bytes_per_thread() const { return llvm::alignTo(end_, 16); }

LaneSpillSlots::LaneSpillSlots(llvm::Function& body)
    : SpillSlots(thread_argument(body, ThreadArgument::lane)), body_(body) {}

bool is_lane_spill_array(const llvm::AllocaInst& memory) { return memory.hasMetadata("reprise.lanes"); }

SpillSlot LaneSpillSlots::allocate(llvm::Type* type, llvm::Align alignment) {
  type = stored_type(type);
  llvm::IRBuilder<> b(&body_.getEntryBlock(), body_.getEntryBlock().begin());
  llvm::AllocaInst* array = b.CreateAlloca(llvm::ArrayType::get(type, warp_size), nullptr, "lanes");
  array->setAlignment(std::max({alignment, array->getAlign(), llvm::Align(64)}));
  array->setMetadata("reprise.lanes", llvm::MDNode::get(b.getContext(), {}));
  return {type, array};
}

}  // namespace reprise_compiler::device
