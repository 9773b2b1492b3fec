#include "regions/scalar_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

using llvm::Value;

ScalarValues::ScalarValues(Skeleton& skeleton, const Uniformity& uniformity)
    : skeleton_(skeleton), uniformity_(uniformity) {
  choose_phis();
}

// Optimistic: all uniform phis of joins, until one turns out to depend on something that is not scalar.
void ScalarValues::choose_phis() {
  std::vector<const llvm::PHINode*> candidates;
  for (llvm::BasicBlock* node : skeleton_.nodes())
    for (llvm::PHINode& phi : node->phis())
      if (node != skeleton_.start() && uniformity_.is_uniform(&phi)) candidates.push_back(&phi);
  scalar_phis_.insert(candidates.begin(), candidates.end());
  for (bool changed = true; changed;) {
    changed = false;
    known_.clear();
    for (const llvm::PHINode* phi : candidates)
      if (scalar_phis_.count(phi) && !incoming_agree(*phi)) {
        scalar_phis_.erase(phi);
        changed = true;
      }
  }
  known_.clear();
}

// Each region brings one value, and that is scalar.
bool ScalarValues::incoming_agree(const llvm::PHINode& phi) {
  std::map<Region*, Value*> brought;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value* value = phi.getIncomingValue(i);
    if (!can_be_scalar(value)) return false;
    if (Region* region = skeleton_.region_of(phi.getIncomingBlock(i)))
      if (!brought.emplace(region, value).second && brought[region] != value) return false;
  }
  return true;
}

// In the blocks that follow the entry without a branch.
bool ScalarValues::runs_always(const llvm::Instruction& instruction) {
  const Region* region = skeleton_.region_of(instruction.getParent());
  for (llvm::BasicBlock* block = region->entry; block; block = block->getSingleSuccessor()) {
    if (block == instruction.getParent()) return true;
    if (!skeleton_.region_of(block)) return false;
  }
  return false;
}

bool ScalarValues::can_move(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand()));
    const bool parameter = argument && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
    // Where threads have left there may be none to whom the address belongs.
    return parameter || (runs_always(instruction) && !skeleton_.threads_may_have_left);
  }
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction)) return false;
  return llvm::isSafeToSpeculativelyExecute(&instruction) || runs_always(instruction);
}

bool ScalarValues::can_be_scalar(Value* value) {
  if (llvm::isa<llvm::Constant>(value)) return true;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return uniformity_.is_uniform(value);
  const llvm::BasicBlock* block = instruction->getParent();
  if (skeleton_.is_node(block)) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi) return is_scalar_phi(*phi);
    return !is_synchronisation(marker_of(*instruction)) || uniformity_.is_uniform(instruction);
  }
  if (!skeleton_.region_of(block)) return true;  // computed before this skeleton starts
  if (!uniformity_.is_uniform(value)) return false;
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = false;
  const bool result = can_move(*instruction) && llvm::all_of(instruction->operands(), [&](llvm::Use& operand) {
                        return can_be_computed_for_first(operand);
                      });
  return known_[value] = result;
}

bool ScalarValues::can_be_computed_for_first(Value* value) {
  if (llvm::isa<llvm::Argument>(value) || can_be_scalar(value)) return true;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && skeleton_.region_of(instruction->getParent()) && !instruction->mayReadOrWriteMemory() &&
         !llvm::isa<llvm::PHINode>(instruction) && llvm::isSafeToSpeculativelyExecute(instruction) &&
         llvm::all_of(instruction->operands(), [&](llvm::Use& operand) { return can_be_computed_for_first(operand); });
}

Value* ScalarValues::compute_for_first(Value* value, llvm::BasicBlock* prologue) {
  if (llvm::isa<llvm::Argument>(value)) return value;
  if (can_be_scalar(value)) return make_scalar(value);
  llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
  for (llvm::Use& operand : copy->operands()) operand.set(compute_for_first(operand, prologue));
  copy->insertBefore(prologue->getTerminator());
  return copy;
}

Value* ScalarValues::make_scalar(Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  Region* region = instruction ? skeleton_.region_of(instruction->getParent()) : nullptr;
  if (!region) return value;
  for (llvm::Use& operand : instruction->operands()) operand.set(compute_for_first(operand, region->prologue));
  instruction->moveBefore(region->prologue->getTerminator());
  if (!llvm::isa<llvm::LoadInst>(instruction)) instruction->dropUBImplyingAttrsAndMetadata();
  return value;
}

}  // namespace reprise_compiler::device
