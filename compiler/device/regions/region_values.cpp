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

// Position at which a value can be stored.
llvm::BasicBlock::iterator after(Instruction& value) {
  return llvm::isa<llvm::PHINode>(value) ? value.getParent()->getFirstInsertionPt() : std::next(value.getIterator());
}

}  // namespace

bool RegionValues::run() {
  if (!make_node_operands_scalar()) return false;
  expand_allocas();
  demote_phis();
  rewrite_cross_region_uses();
  for (llvm::PHINode* phi : demoted_) erase_phi(*phi);
  drop_unused();
  return true;
}

// Erases phis that were only needed to select the value to store, since later passes would count them as work.
void RegionValues::drop_unused() {
  for (Region& region : graph_.regions())
    for (BasicBlock* block : region.blocks)
      for (llvm::PHINode& phi : llvm::make_early_inc_range(block->phis()))
        if (phi.use_empty()) erase_phi(phi);
}

// Erases a phi and its map entries, since a new value may reuse the address.
void RegionValues::erase_phi(llvm::PHINode& phi) {
  slot_of_.erase(&phi);
  for (Region& region : graph_.regions()) in_region_.erase({&region, &phi});
  phi.eraseFromParent();
}

// Nodes may use scalar values only.
bool RegionValues::make_node_operands_scalar() {
  for (BasicBlock* node : graph_.nodes()) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(node->getTerminator());
    if (branch && branch->isConditional()) {
      if (!scalars_.can_be_scalar(branch->getCondition())) {
        failure_ = "a branch around a barrier depends on a value that single threads compute";
        failure_location_ = branch;
        return false;
      }
      scalars_.make_scalar(branch->getCondition());
    }
    if (node == graph_.start()) continue;
    for (llvm::PHINode& phi : node->phis())
      if (scalars_.is_scalar_phi(phi))
        for (Value* value : phi.incoming_values()) scalars_.make_scalar(value);
  }
  return true;
}

Region* RegionValues::region_of_use(const llvm::Use& use) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
  return graph_.region_of(phi ? phi->getIncomingBlock(use) : user->getParent());
}

const SpillSlot& RegionValues::slot_of(Instruction& value) {
  SpillSlot& slot = slot_of_[&value];
  if (!slot.type) {
    slot = slots_.allocate(value.getType());
    if (!llvm::isa<llvm::PHINode>(value) || !graph_.is_node(value.getParent())) {
      llvm::IRBuilder<> b(value.getParent(), after(value));
      slots_.store(b, slot, &value);
    }
  }
  return slot;
}

// ---- stack variables ----

// True if the variable is used in one region only and its address does not escape: then one copy serves all threads in
// turn. If the address escaped, accesses to it would be taken for accesses that are independent between threads.
bool RegionValues::is_used_in_one_region(const llvm::AllocaInst& memory) {
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

void RegionValues::expand_allocas() {
  llvm::Function& body = *graph_.regions().front().entry->getParent();
  std::vector<llvm::AllocaInst*> allocas;
  for (Instruction& instruction : llvm::instructions(body))
    if (auto* memory = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) allocas.push_back(memory);
  const llvm::DataLayout& layout = body.getParent()->getDataLayout();
  const bool once = graph_.regions().size() == 1 && !warp_uniformity_;
  for (llvm::AllocaInst* memory : allocas) {
    const auto size = memory->getAllocationSize(layout);
    if (!graph_.region_of(memory->getParent()) || !size) continue;  // not inside a region
    if (once && is_used_in_one_region(*memory)) {
      memory->moveBefore(body.getEntryBlock().getTerminator());
      continue;
    }
    for (llvm::User* user : llvm::make_early_inc_range(memory->users()))
      if (auto* call = llvm::dyn_cast<Instruction>(user); call && call->isLifetimeStartOrEnd()) call->eraseFromParent();
    const uint64_t padded = llvm::alignTo(size->getFixedValue(), memory->getAlign());
    auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(body.getContext()), padded);
    const SpillSlot slot = slots_.allocate(bytes, memory->getAlign());
    for (Region& region : graph_.regions()) {
      llvm::IRBuilder<> b(region.entry->getTerminator());
      Value* address = nullptr;
      for (llvm::Use& use : llvm::make_early_inc_range(memory->uses()))
        if (region_of_use(use) == &region) use.set(address ? address : address = slots_.address(b, slot));
    }
    memory->eraseFromParent();
  }
}

// ---- divergent phis of joins ----

// True if an incoming value can be stored to the phi's own slot where it is computed: the phi's current value is dead
// from there to the join, and the new value has no other user in another region.
bool RegionValues::can_share_slot(llvm::PHINode& phi, Value* value) {
  auto* instruction = llvm::dyn_cast<Instruction>(value);
  Region* home = instruction ? graph_.region_of(instruction->getParent()) : nullptr;
  if (!home || slot_of_.count(instruction) || scalars_.can_be_scalar(value) || is_cheap(value)) return false;
  for (const llvm::Use& use : value->uses())
    if (use.getUser() != &phi && region_of_use(use) != home) return false;
  // All edges from the region to the join must bring this value.
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
    if (phi.getIncomingValue(i) != value && graph_.region_of(phi.getIncomingBlock(i)) == home) return false;
  std::set<Region*> readers;
  for (const llvm::Use& use : phi.uses())
    if (Region* reader = region_of_use(use)) readers.insert(reader);
  std::vector<BasicBlock*> pending{home->next};
  std::set<BasicBlock*> seen;
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (block == phi.getParent() || !seen.insert(block).second) continue;
    if (Region* region = graph_.region_of(block); region && readers.count(region)) return false;
    for (BasicBlock* next : llvm::successors(block)) {
      // Another value takes the slot on this edge, and this one may be used in a later iteration.
      if (next == phi.getParent() && phi.getIncomingValueForBlock(block) != value) return false;
      pending.push_back(next);
    }
  }
  return true;
}

// If the value is the phi's current one on some paths, stores on the other paths only, so that a thread without work
// does nothing. Returns false if the paths cannot be separated.
bool RegionValues::store_changed_values(llvm::PHINode& phi, llvm::PHINode& value, const SpillSlot& slot) {
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
  for (BasicBlock* node : graph_.nodes())
    for (llvm::PHINode& phi : node->phis())
      if (!scalars_.is_scalar_phi(phi)) phis.push_back(&phi);
  for (llvm::PHINode* phi : phis) {
    const SpillSlot& slot = slot_of(*phi);
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value* value = phi->getIncomingValue(i);
      if (llvm::isa<llvm::UndefValue>(value)) continue;
      if (can_share_slot(*phi, value)) {
        auto* early = llvm::cast<Instruction>(value);
        slot_of_[early] = slot;
        auto* chosen = llvm::dyn_cast<llvm::PHINode>(early);
        if (chosen && store_changed_values(*phi, *chosen, slot)) continue;
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
  demoted_ = std::move(phis);  // still the keys of their slots
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
  if (warp_uniformity_ && warp_uniformity_->is_uniform(value)) warp_uniformity_->declare_uniform(made);
  return in_region_[{&region, value}] = made;
}

void RegionValues::rewrite_cross_region_uses() {
  for (BasicBlock* sync : graph_.syncs()) {
    Instruction& result = sync->front();
    if (!slot_of_.count(&result)) continue;
    for (llvm::Use& use : llvm::make_early_inc_range(result.uses())) use.set(value_in(*region_of_use(use), &result));
  }
  std::vector<Instruction*> values;
  for (Region& region : graph_.regions())
    for (BasicBlock* block : region.blocks)
      for (Instruction& instruction : *block)
        if (!instruction.getType()->isVoidTy()) values.push_back(&instruction);
  for (Instruction* value : values) {
    Region* home = graph_.region_of(value->getParent());
    for (llvm::Use& use : llvm::make_early_inc_range(value->uses())) {
      Region* region = region_of_use(use);
      if (region && region != home && home) {
        use.set(value_in(*region, value));
        home = graph_.region_of(value->getParent());  // null if it has become scalar
      }
    }
  }
}

}  // namespace reprise_compiler::device
