#include "regions/scalar_values.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

#include "ir/builtin.h"

namespace reprise_compiler::device {

using llvm::Value;

ScalarValues::ScalarValues(RegionGraph& graph, const Uniformity& uniformity) : graph_(graph), uniformity_(uniformity) {
  choose_phis();
}

// Optimistic fixed point: starts with all uniform phis of joins, and drops those that depend on a value that is not
// scalar.
void ScalarValues::choose_phis() {
  std::vector<const llvm::PHINode*> candidates;
  for (llvm::BasicBlock* node : graph_.nodes())
    for (llvm::PHINode& phi : node->phis())
      if (node != graph_.start() && uniformity_.is_uniform(&phi)) candidates.push_back(&phi);
  scalar_phis_.insert(candidates.begin(), candidates.end());
  for (bool changed = true; changed;) {
    changed = false;
    known_.clear();
    for (const llvm::PHINode* phi : candidates)
      if (scalar_phis_.count(phi) && !has_scalar_incoming(*phi)) {
        scalar_phis_.erase(phi);
        changed = true;
      }
  }
  known_.clear();
}

// True if each region brings one value, which is scalar.
bool ScalarValues::has_scalar_incoming(const llvm::PHINode& phi) {
  std::map<Region*, Value*> brought;
  for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
    Value* value = phi.getIncomingValue(i);
    if (!can_be_scalar(value)) return false;
    if (Region* region = graph_.region_of(phi.getIncomingBlock(i)))
      if (!brought.emplace(region, value).second && brought[region] != value) return false;
  }
  return true;
}

// True for instructions in the blocks that follow the entry without a branch.
bool ScalarValues::is_unconditional(const llvm::Instruction& instruction) {
  const Region* region = graph_.region_of(instruction.getParent());
  for (llvm::BasicBlock* block = region->entry; block; block = block->getSingleSuccessor()) {
    if (block == instruction.getParent()) return true;
    if (!graph_.region_of(block)) return false;
  }
  return false;
}

bool ScalarValues::can_move(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    auto* argument = llvm::dyn_cast<llvm::Argument>(llvm::getUnderlyingObject(load->getPointerOperand()));
    const bool parameter = argument && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
    // If all threads have left, the address may be invalid.
    return parameter || (is_unconditional(instruction) && !graph_.threads_may_have_left);
  }
  if (instruction.mayReadOrWriteMemory() || llvm::isa<llvm::PHINode>(instruction)) return false;
  return llvm::isSafeToSpeculativelyExecute(&instruction) || is_unconditional(instruction);
}

bool ScalarValues::can_be_scalar(Value* value) {
  if (llvm::isa<llvm::Constant>(value)) return true;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction) return uniformity_.is_uniform(value);
  const llvm::BasicBlock* block = instruction->getParent();
  if (graph_.is_node(block)) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction);
    if (phi) return is_scalar_phi(*phi);
    return !is_synchronization(builtin_of(*instruction)) || uniformity_.is_uniform(instruction);
  }
  if (!graph_.region_of(block)) return true;  // defined outside this graph
  if (!uniformity_.is_uniform(value)) return false;
  if (const auto found = known_.find(value); found != known_.end()) return found->second;
  known_[value] = false;
  const bool result = can_move(*instruction) && llvm::all_of(instruction->operands(), [&](llvm::Use& operand) {
                        return is_computable_for_first_thread(operand);
                      });
  return known_[value] = result;
}

bool ScalarValues::is_computable_for_first_thread(Value* value) {
  if (llvm::isa<llvm::Argument>(value) || can_be_scalar(value)) return true;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && graph_.region_of(instruction->getParent()) && !instruction->mayReadOrWriteMemory() &&
         !llvm::isa<llvm::PHINode>(instruction) && llvm::isSafeToSpeculativelyExecute(instruction) &&
         llvm::all_of(instruction->operands(),
                      [&](llvm::Use& operand) { return is_computable_for_first_thread(operand); });
}

Value* ScalarValues::compute_for_first_thread(Value* value, llvm::BasicBlock* prologue) {
  if (llvm::isa<llvm::Argument>(value)) return value;
  if (can_be_scalar(value)) return make_scalar(value);
  llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
  for (llvm::Use& operand : copy->operands()) operand.set(compute_for_first_thread(operand, prologue));
  copy->insertBefore(prologue->getTerminator());
  return copy;
}

Value* ScalarValues::make_scalar(Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  Region* region = instruction ? graph_.region_of(instruction->getParent()) : nullptr;
  if (!region) return value;
  for (llvm::Use& operand : instruction->operands()) operand.set(compute_for_first_thread(operand, region->prologue));
  instruction->moveBefore(region->prologue->getTerminator());
  if (!llvm::isa<llvm::LoadInst>(instruction)) instruction->dropUBImplyingAttrsAndMetadata();
  return value;
}

}  // namespace reprise_compiler::device
