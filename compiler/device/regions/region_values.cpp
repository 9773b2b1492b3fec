#include "regions/region_values.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Value;

bool is_simple_operation(const Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr:
    case Instruction::ICmp:
    case Instruction::Select:
    case Instruction::GetElementPtr:
      return true;
    default:
      return llvm::isa<llvm::CastInst>(instruction);
  }
}

// The instruction after which a value can be stored.
llvm::BasicBlock::iterator after(Instruction& value) {
  return llvm::isa<llvm::PHINode>(value) ? value.getParent()->getFirstInsertionPt() : std::next(value.getIterator());
}

}  // namespace

bool RegionValues::run() {
  if (!settle_nodes()) return false;
  place_allocas();
  demote_phis();
  carry_over();
  for (llvm::PHINode* phi : demoted_) forget(*phi);
  drop_unused();
  return true;
}

// Phis that only told which value to store: later passes would take them for work to be done.
void RegionValues::drop_unused() {
  for (Region& region : skeleton_.regions())
    for (BasicBlock* block : region.blocks)
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block->phis()))
        if (phi.use_empty()) forget(phi);
}

// With all that is known of it: something new may come to lie at its address.
void RegionValues::forget(llvm::PHINode& phi) {
  slot_of_.erase(&phi);
  for (Region& region : skeleton_.regions()) in_region_.erase({&region, &phi});
  phi.eraseFromParent();
}

// What nodes use must be known without asking a thread.
bool RegionValues::settle_nodes() {
  for (BasicBlock* node : skeleton_.nodes()) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getTerminator());
    if (branch && branch->isConditional()) {
      if (!scalars_.can_be_scalar(branch->getCondition())) {
        why_ = "a branch that decides about a barrier depends on what single threads computed";
        where_ = branch;
        return false;
      }
      scalars_.make_scalar(branch->getCondition());
    }
    if (node == skeleton_.start()) continue;
    for (llvm::PHINode& phi : node->phis())
      if (scalars_.is_scalar_phi(phi))
        for (Value* value : phi.incoming_values()) scalars_.make_scalar(value);
  }
  return true;
}

Region* RegionValues::region_of_use(const llvm::Use& use) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return skeleton_.region_of(phi ? phi->getIncomingBlock(use) : user->getParent());
}

const Slot& RegionValues::slot_of(Instruction& value) {
  Slot& slot = slot_of_[&value];
  if (!slot.type) {
    slot = slots_.allocate(value.getType());
    if (!llvm::isa<llvm::PHINode>(value) || !skeleton_.is_node(value.getParent())) {
      llvm::IRBuilder<> b(value.getParent(), after(value));
      slots_.store(b, slot, &value);
    }
  }
  return slot;
}

// ---- memory of the thread's own ----

// Used in one region only, which runs once: nothing in it survives, so one copy serves all threads in turn. Its
// address must not get about, or accesses to it could not be told from those that are independent between threads.
bool RegionValues::is_confined(const llvm::AllocaInst& memory) {
  std::vector<const Value*> pending{&memory};
  Region* home = nullptr;
  while (!pending.empty()) {
    const Value* pointer = pending.back();
    pending.pop_back();
    for (const llvm::Use& use : pointer->uses()) {
      const auto* user = llvm::cast<Instruction>(use.getUser());
      Region* region = region_of_use(use);
      if (!region || (home && home != region)) return false;
      home = region;
      if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == pointer) return false;
      } else if (llvm::isa<llvm::GetElementPtrInst>(user)) {
        pending.push_back(user);
      } else if (!llvm::isa<llvm::LoadInst>(user) && !llvm::isa<llvm::MemIntrinsic>(user) &&
                 !user->isLifetimeStartOrEnd()) {
        return false;
      }
    }
  }
  return true;
}

void RegionValues::place_allocas() {
  llvm::Function& body = *skeleton_.regions().front().entry->getParent();
  std::vector<llvm::AllocaInst*> allocas;
  for (Instruction& instruction : llvm::instructions(body))
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) allocas.push_back(memory);
  const llvm::DataLayout& layout = body.getParent()->getDataLayout();
  const bool once = skeleton_.regions().size() == 1 && !of_warp_;
  for (llvm::AllocaInst* memory : allocas) {
    const auto size = memory->getAllocationSize(layout);
    if (!skeleton_.region_of(memory->getParent()) || !size) continue;  // already out of the threads' way
    if (once && is_confined(*memory)) {
      memory->moveBefore(body.getEntryBlock().getTerminator());
      continue;
    }
    for (llvm::User* user : llvm::make_early_inc_range(memory->users()))
      if (auto* call = llvm::dyn_cast<Instruction>(user); call && call->isLifetimeStartOrEnd()) call->eraseFromParent();
    const uint64_t padded = llvm::alignTo(size->getFixedValue(), memory->getAlign());
    auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(body.getContext()), padded);
    const Slot slot = slots_.allocate(bytes, memory->getAlign());
    for (Region& region : skeleton_.regions()) {
      llvm::IRBuilder<> b(region.entry->getTerminator());
      Value* address = nullptr;
      for (llvm::Use& use : llvm::make_early_inc_range(memory->uses()))
        if (region_of_use(use) == &region) use.set(address ? address : address = slots_.address(b, slot));
    }
    memory->eraseFromParent();
  }
}

// ---- phis of joins whose value differs from thread to thread ----

// Whether a value that comes into a phi may be put in the phi's own slot when it is computed: nobody reads the phi's
// present value any more from there to the join, and nobody else wants the new one.
bool RegionValues::can_share_slot(llvm::PHINode& phi, Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  Region* home = instruction ? skeleton_.region_of(instruction->getParent()) : nullptr;
  if (!home || slot_of_.count(instruction) || scalars_.can_be_scalar(value) || is_cheap(value)) return false;
  for (const llvm::Use& use : value->uses())
    if (use.getUser() != &phi && region_of_use(use) != home) return false;
  // What the region computes, it must also bring, on whichever way.
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (phi.getIncomingValue(i) != value && skeleton_.region_of(phi.getIncomingBlock(i)) == home) return false;
  std::set<Region*> readers;
  for (const llvm::Use& use : phi.uses())
    if (Region* reader = region_of_use(use)) readers.insert(reader);
  std::vector<BasicBlock*> pending{home->next};
  std::set<BasicBlock*> seen;
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (block == phi.getParent() || !seen.insert(block).second) continue;
    if (Region* region = skeleton_.region_of(block); region && readers.count(region)) return false;
    for (BasicBlock* next : llvm::successors(block)) {
      // Another value takes the slot there, and this one may be brought in a later turn.
      if (next == phi.getParent() && phi.getIncomingValueForBlock(block) != value) return false;
      pending.push_back(next);
    }
  }
  return true;
}

// Where the value is the phi's old one on some ways, only the others need to store: a thread with nothing to do then
// does nothing. False where a way cannot be told apart.
bool RegionValues::store_where_changed(llvm::PHINode& phi, llvm::PHINode& value, const Slot& slot) {
  if (!llvm::is_contained(value.incoming_values(), &phi)) return false;
  for (unsigned i = 0; i < value.getNumIncomingValues(); ++i)
    if (value.getIncomingValue(i) != &phi && !value.getIncomingBlock(i)->getSingleSuccessor()) return false;
  for (unsigned i = 0; i < value.getNumIncomingValues(); ++i) {
    if (value.getIncomingValue(i) == &phi) continue;
    llvm::IRBuilder<> b(value.getIncomingBlock(i)->getTerminator());
    slots_.store(b, slot, value.getIncomingValue(i));
  }
  return true;
}

void RegionValues::demote_phis() {
  std::vector<llvm::PHINode*> phis;
  for (BasicBlock* node : skeleton_.nodes())
    for (llvm::PHINode& phi : node->phis())
      if (!scalars_.is_scalar_phi(phi)) phis.push_back(&phi);
  for (llvm::PHINode* phi : phis) {
    const Slot& slot = slot_of(*phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value* value = phi->getIncomingValue(i);
      if (llvm::isa<llvm::UndefValue>(value)) continue;
      if (can_share_slot(*phi, value)) {
        auto* early = llvm::cast<Instruction>(value);
        slot_of_[early] = slot;
        auto* chosen = llvm::dyn_cast<llvm::PHINode>(early);
        if (chosen && store_where_changed(*phi, *chosen, slot)) continue;
        llvm::IRBuilder<> b(early->getParent(), after(*early));
        slots_.store(b, slot, value);
        continue;
      }
      llvm::IRBuilder<> b(phi->getIncomingBlock(i)->getTerminator());
      slots_.store(b, slot, value);
    }
  }
  for (llvm::PHINode* phi : phis) phi->dropAllReferences();
  for (llvm::PHINode* phi : phis)
    for (llvm::Use& use : llvm::make_early_inc_range(phi->uses()))
      if (Region* region = region_of_use(use)) use.set(value_in(*region, phi));
  demoted_ = std::move(phis);  // still names of their slots
}

// ---- all other values ----

bool RegionValues::is_cheap(Value* value) {
  int budget = 8;
  return is_affordable(value, budget);
}

bool RegionValues::is_affordable(Value* value, int& budget) {
  if (scalars_.can_be_scalar(value) || llvm::isa<llvm::Argument>(value)) return true;
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction || budget-- <= 0 || !is_simple_operation(*instruction)) return false;
  return llvm::all_of(instruction->operands(), [&](Value* operand) { return is_affordable(operand, budget); });
}

Value* RegionValues::value_in(Region& region, Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  if (!instruction) return value;
  if (scalars_.can_be_scalar(value)) return scalars_.make_scalar(value);
  Value*& here = in_region_[{&region, value}];
  if (here) return here;
  llvm::IRBuilder<> b(region.entry->getTerminator());
  Value* made;
  if (is_cheap(value)) {
    Instruction* copy = instruction->clone();
    for (llvm::Use& operand : copy->operands()) operand.set(value_in(region, operand));
    b.SetInsertPoint(region.entry->getTerminator());
    made = b.Insert(copy, instruction->getName());
  } else {
    made = slots_.load(b, slot_of(*instruction), value->getType());
  }
  if (of_warp_ && of_warp_->is_uniform(value)) of_warp_->declare_uniform(made);
  return in_region_[{&region, value}] = made;
}

void RegionValues::carry_over() {
  for (BasicBlock* sync : skeleton_.syncs()) {
    Instruction& result = sync->front();
    if (!slot_of_.count(&result)) continue;
    for (llvm::Use& use : llvm::make_early_inc_range(result.uses())) use.set(value_in(*region_of_use(use), &result));
  }
  std::vector<Instruction*> values;
  for (Region& region : skeleton_.regions())
    for (BasicBlock* block : region.blocks)
      for (Instruction& instruction : *block)
        if (!instruction.getType()->isVoidTy()) values.push_back(&instruction);
  for (Instruction* value : values) {
    Region* home = skeleton_.region_of(value->getParent());
    for (llvm::Use& use : llvm::make_early_inc_range(value->uses())) {
      Region* region = region_of_use(use);
      if (region && region != home && home) {
        use.set(value_in(*region, value));
        home = skeleton_.region_of(value->getParent());  // null once it became scalar
      }
    }
  }
}

}  // namespace reprise_compiler::device
