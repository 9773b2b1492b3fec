#include "regions/exited_threads.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// Adds `from` as predecessor to the scalar phis of the next node; all exits of a region bring the same value.
void add_scalar_incoming(RegionGraph& graph, Region& region, BasicBlock* from) {
  for (llvm::PHINode& phi : region.next->phis())
    for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
      if (graph.region_of(phi.getIncomingBlock(i)) == &region) {
        phi.addIncoming(phi.getIncomingValue(i), from);
        break;
      }
}

}  // namespace

ExitedThreads::ExitedThreads(RegionGraph& graph, RegionValues& values, ThreadSpillSlots& slots, bool with_flags)
    : slots_(slots), any_(!graph.early_exits.empty()), after_exit_(regions_after_exit(graph)) {
  if (!any_) return;
  if (!with_flags) recheck_ = find_recheckable_exit(graph, values);
  if (!recheck_) make_flags(graph);
}

std::set<Region*> ExitedThreads::regions_after_exit(RegionGraph& graph) {
  std::set<Region*> found;
  std::vector<BasicBlock*> pending;
  std::set<BasicBlock*> seen;
  for (Region& region : graph.regions())
    if (!region.exits.empty()) pending.push_back(region.next);
  while (!pending.empty()) {
    BasicBlock* block = pending.back();
    pending.pop_back();
    if (!seen.insert(block).second) continue;
    if (Region* follower = graph.region_of(block)) found.insert(follower);
    if (!graph.region_of(block) && !graph.is_node(block)) continue;
    for (BasicBlock* next : llvm::successors(block)) pending.push_back(next);
  }
  return found;
}

// The only exit, if every thread evaluates it exactly once and its condition is cheap; else null.
const EarlyExit* ExitedThreads::find_recheckable_exit(RegionGraph& graph, RegionValues& values) const {
  if (graph.early_exits.size() != 1) return nullptr;
  const EarlyExit& exit = graph.early_exits.front();
  if (!values.is_cheap(current_condition(exit))) return nullptr;
  for (Region& region : graph.regions()) {
    if (region.exits.empty() || after_exit_.count(&region)) continue;
    if (region.prologue->getSinglePredecessor() != graph.start()) continue;
    for (BasicBlock* block = region.entry; block; block = block->getSingleSuccessor())
      if (llvm::is_contained(llvm::successors(block), exit.tail.front())) return &exit;
  }
  return nullptr;
}

void ExitedThreads::make_flags(RegionGraph& graph) {
  llvm::IRBuilder<> b(graph.start()->getTerminator());
  alive_ = slots_.allocate(b.getInt1Ty());
  b.SetInsertPoint(graph.start()->getTerminator());
  b.CreateMemSet(alive_.array, b.getInt8(1), slots_.thread_count(), llvm::Align(1));
}

void ExitedThreads::guard(RegionGraph& graph, Region& region, RegionValues& values) const {
  llvm::IRBuilder<> b(region.entry->getTerminator());
  Value* alive;
  if (recheck_) {
    Value* condition = values.value_in(region, current_condition(*recheck_));
    b.SetInsertPoint(region.entry->getTerminator());
    alive = recheck_->when ? b.CreateNot(condition) : condition;
  } else {
    alive = slots_.load(b, alive_, b.getInt1Ty());
  }
  BasicBlock* first = region.entry->getSingleSuccessor();
  auto* skip = BasicBlock::Create(first->getContext(), "exited", first->getParent(), first);
  llvm::BranchInst::Create(region.next, skip);
  add_scalar_incoming(graph, region, skip);
  graph.add_block(region, skip);
  llvm::Instruction* old = region.entry->getTerminator();
  llvm::BranchInst::Create(first, skip, alive, old->getIterator());
  old->eraseFromParent();
}

void ExitedThreads::record_exits(RegionGraph& graph, Region& region) const {
  for (BasicBlock* block : region.exits) {
    llvm::Instruction* ret = block->getTerminator();
    llvm::IRBuilder<> b(ret);
    if (alive_.type) slots_.store(b, alive_, b.getFalse());
    b.CreateBr(region.next);
    ret->eraseFromParent();
    add_scalar_incoming(graph, region, block);
  }
}

}  // namespace reprise_compiler::device
