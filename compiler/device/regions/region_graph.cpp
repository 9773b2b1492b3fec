#include "regions/region_graph.h"

#include <llvm/Analysis/IteratedDominanceFrontier.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace reprise_compiler::device {

using llvm::BasicBlock;

bool RegionGraph::fail(const llvm::Instruction* where, std::string why) {
  failure_ = std::move(why);
  failure_location_ = where;
  return false;
}

std::vector<BasicBlock*> RegionGraph::nodes() const {
  std::vector<BasicBlock*> ordered;
  for (BasicBlock& block : *start_->getParent())
    if (nodes_.count(&block)) ordered.push_back(&block);
  return ordered;
}

Region* RegionGraph::region_of(const BasicBlock* block) {
  const auto found = region_of_.find(block);
  return found == region_of_.end() ? nullptr : &regions_[found->second];
}

bool RegionGraph::build(Scope scope, SyncPredicate is_sync, const Uniformity& uniformity) {
  body_ = scope.start->getParent();
  start_ = scope.start;
  end_ = scope.end;
  nodes_ = {start_, end_};
  scope_.insert(scope.blocks.begin(), scope.blocks.end());
  isolate_syncs(is_sync);
  if (!isolate_branches(uniformity)) return false;
  isolate_joins();
  return make_regions();
}

// Puts each synchronization into a block of its own.
void RegionGraph::isolate_syncs(SyncPredicate is_sync) {
  std::vector<llvm::Instruction*> calls;
  for (BasicBlock& block : *body_)  // in function order, so that the output is deterministic
    for (llvm::Instruction& instruction : block)
      if (scope_.count(&block) && is_sync(instruction)) calls.push_back(&instruction);
  for (llvm::Instruction* call : calls) {
    BasicBlock* sync = llvm::SplitBlock(call->getParent(), call);
    scope_.insert(sync);
    scope_.insert(llvm::SplitBlock(sync, call->getNextNode()));
    sync->setName("sync");
    nodes_.insert(sync);
    syncs_.push_back(sync);
  }
}

// Branches that control whether a synchronization is reached must be uniform.
bool RegionGraph::isolate_branches(const Uniformity& uniformity) {
  llvm::PostDominatorTree tree(*body_);
  llvm::SmallPtrSet<BasicBlock*, 16> syncs(syncs_.begin(), syncs_.end());
  llvm::ReverseIDFCalculator frontier(tree);
  frontier.setDefiningBlocks(syncs);
  llvm::SmallVector<BasicBlock*, 16> deciding;
  frontier.calculate(deciding);
  llvm::erase_if(deciding, [&](BasicBlock* block) { return !scope_.count(block); });
  for (BasicBlock* block : deciding) {
    llvm::Instruction* terminator = block->getTerminator();
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(terminator);
    if (!branch || !branch->isConditional()) return fail(terminator, "a barrier in divergent control flow");
    if (!uniformity.is_uniform(branch->getCondition())) return fail(terminator, "a barrier in divergent control flow");
  }
  for (BasicBlock* block : deciding) {
    BasicBlock* node = llvm::SplitBlock(block, block->getTerminator());
    scope_.insert(node);
    node->setName("branch");
    nodes_.insert(node);
  }
  return true;
}

// Blocks where paths with different last nodes meet become nodes; they keep the phis.
void RegionGraph::isolate_joins() {
  llvm::DominatorTree tree(*body_);
  llvm::SmallPtrSet<BasicBlock*, 16> defining(nodes_.begin(), nodes_.end());
  llvm::ForwardIDFCalculator frontier(tree);
  frontier.setDefiningBlocks(defining);
  llvm::SmallVector<BasicBlock*, 16> joins;
  frontier.calculate(joins);
  for (BasicBlock* join : joins) {
    if (nodes_.count(join) || !scope_.count(join)) continue;
    scope_.insert(llvm::SplitBlock(join, join->getFirstNonPHIIt()));
    nodes_.insert(join);
  }
}

bool RegionGraph::make_regions() {
  std::vector<BasicBlock*> nodes;
  for (BasicBlock& block : *body_)
    if (nodes_.count(&block) && &block != end_) nodes.push_back(&block);
  for (BasicBlock* node : nodes) {
    llvm::Instruction* terminator = node->getTerminator();
    for (unsigned i = 0; i < terminator->getNumSuccessors(); ++i) {
      BasicBlock* first = terminator->getSuccessor(i);
      if (nodes_.count(first)) {
        // An edge between two nodes is a region too: every thread copies the divergent values of phis there.
        auto* copy = BasicBlock::Create(body_->getContext(), "copy", body_, first);
        llvm::BranchInst::Create(first, copy);
        first->replacePhiUsesWith(node, copy);
        first = copy;
      }
      auto* prologue = BasicBlock::Create(body_->getContext(), "prologue", body_, first);
      auto* entry = BasicBlock::Create(body_->getContext(), "enter", body_, first);
      llvm::BranchInst::Create(entry, prologue);
      llvm::BranchInst::Create(first, entry);
      terminator->setSuccessor(i, prologue);
      first->replacePhiUsesWith(node, entry);
      nodes_.insert(prologue);
      regions_.push_back({prologue, entry, nullptr, {}, {}});
    }
  }
  for (Region& region : regions_)
    if (!collect_blocks(region)) return false;
  return true;
}

bool RegionGraph::collect_blocks(Region& region) {
  const std::size_t number = std::size_t(&region - regions_.data());
  region.blocks.push_back(region.entry);
  region_of_[region.entry] = number;
  for (std::size_t i = 0; i < region.blocks.size(); ++i)
    for (BasicBlock* next : llvm::successors(region.blocks[i])) {
      if (nodes_.count(next)) {
        if (region.next && region.next != next)
          return fail(region.blocks[i]->getTerminator(), "threads of a block may reach different barriers");
        region.next = next;
      } else if (region_of_.emplace(next, number).second) {
        region.blocks.push_back(next);
      }
    }
  if (!region.next) return fail(region.entry->getTerminator(), "a loop without exit");
  return true;
}

void RegionGraph::add_block(Region& region, BasicBlock* block) {
  region.blocks.push_back(block);
  region_of_[block] = std::size_t(&region - regions_.data());
}

void RegionGraph::attach_early_exits() {
  for (EarlyExit& exit : early_exits) {
    Region* region = region_of(exit.branch->getParent());
    attach(exit);
    for (BasicBlock* block : exit.tail) {
      add_block(*region, block);
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) region->exits.push_back(block);
    }
  }
}

}  // namespace reprise_compiler::device
