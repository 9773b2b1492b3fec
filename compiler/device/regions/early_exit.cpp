#include "regions/early_exit.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace reprise_compiler::device {
namespace {

using llvm::BasicBlock;

constexpr std::size_t largest_copy = 400;  // instructions

std::vector<BasicBlock*> reachable_from(BasicBlock* start) {
  std::vector<BasicBlock*> found{start};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (BasicBlock* next : llvm::successors(found[i]))
      if (!llvm::is_contained(found, next)) found.push_back(next);
  return found;
}

// Copies all blocks reachable from `edge`, an empty block on the edge by which threads leave.
std::vector<BasicBlock*> copy_tail(BasicBlock* edge) {
  BasicBlock* target = edge->getSingleSuccessor();
  llvm::ValueToValueMapTy map;
  std::vector<BasicBlock*> copies{edge};
  const std::vector<BasicBlock*> originals = reachable_from(target);
  for (BasicBlock* original : originals) {
    BasicBlock* copy = llvm::CloneBasicBlock(original, map, ".exit", edge->getParent());
    map[original] = copy;
    copies.push_back(copy);
  }
  for (BasicBlock* copy : llvm::ArrayRef(copies).drop_front())
    for (llvm::Instruction& instruction : *copy)
      llvm::RemapInstruction(&instruction, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  // The copy is entered by this edge only; the original loses the edge.
  for (BasicBlock* original : originals) {
    auto* copy = llvm::cast<BasicBlock>(map[original]);
    for (llvm::PHINode& phi : copy->phis())
      for (unsigned i = phi.getNumIncomingValues(); i-- > 0;)
        if (!llvm::is_contained(copies, phi.getIncomingBlock(i))) phi.removeIncomingValue(i, false);
  }
  target->removePredecessor(edge, true);
  edge->getTerminator()->setSuccessor(0, llvm::cast<BasicBlock>(map[target]));
  return copies;
}

bool returns(BasicBlock* start) {
  return llvm::any_of(reachable_from(start),
                      [](BasicBlock* block) { return llvm::isa<llvm::ReturnInst>(block->getTerminator()); });
}

std::size_t size_of(const std::vector<BasicBlock*>& blocks) {
  std::size_t size = 0;
  for (const BasicBlock* block : blocks) size += block->size();
  return size;
}

}  // namespace

bool detach_early_exits(llvm::Function& body, BlockPredicate leads_to_sync, BlockPredicate is_divergent,
                        std::vector<EarlyExit>& exits) {
  struct Edge {
    BasicBlock* from;
    unsigned successor;
  };
  std::vector<Edge> edges;
  for (BasicBlock& block : body) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || !leads_to_sync(block)) continue;
    const bool first = leads_to_sync(*branch->getSuccessor(0)), second = leads_to_sync(*branch->getSuccessor(1));
    if (first == second) continue;
    const unsigned leaving = first ? 1 : 0;
    // A path that ends in a trap is an exit too, even if the branch is uniform.
    if (is_divergent(block) || !returns(branch->getSuccessor(leaving))) edges.push_back({&block, leaving});
  }
  std::size_t copied = 0;
  for (const Edge& edge : edges) {
    auto* branch = llvm::cast<llvm::BranchInst>(edge.from->getTerminator());
    copied += size_of(reachable_from(branch->getSuccessor(edge.successor)));
    if (copied > largest_copy) return false;
  }
  for (const Edge& edge : edges) {
    auto* branch = llvm::cast<llvm::BranchInst>(edge.from->getTerminator());
    BasicBlock* on_edge = llvm::BasicBlock::Create(body.getContext(), "leave", &body);
    BasicBlock* target = branch->getSuccessor(edge.successor);
    llvm::BranchInst::Create(target, on_edge);
    target->replacePhiUsesWith(edge.from, on_edge);
    branch->setSuccessor(edge.successor, on_edge);
    std::vector<BasicBlock*> tail = copy_tail(on_edge);
    BasicBlock* stays = branch->getSuccessor(1 - edge.successor);
    auto* placeholder = llvm::BranchInst::Create(stays, branch->getIterator());
    placeholder->setDebugLoc(branch->getDebugLoc());
    exits.push_back({placeholder, branch->getCondition(), edge.successor == 0, std::move(tail)});
    branch->eraseFromParent();
  }
  return true;
}

void attach(EarlyExit& exit) {
  BasicBlock* stays = exit.branch->getSuccessor(0);
  BasicBlock* leaves = exit.tail.front();
  auto* branch = llvm::BranchInst::Create(exit.when ? leaves : stays, exit.when ? stays : leaves, exit.condition,
                                          exit.branch->getIterator());
  branch->setDebugLoc(exit.branch->getDebugLoc());
  exit.branch->eraseFromParent();
  exit.branch = branch;
  exit.condition = nullptr;
}

llvm::Value* current_condition(const EarlyExit& exit) {
  return llvm::cast<llvm::BranchInst>(exit.branch)->getCondition();
}

void detach(EarlyExit& exit) {
  auto* conditional = llvm::cast<llvm::BranchInst>(exit.branch);
  exit.condition = current_condition(exit);
  exit.branch = llvm::BranchInst::Create(conditional->getSuccessor(exit.when ? 1 : 0), conditional->getIterator());
  exit.branch->setDebugLoc(conditional->getDebugLoc());
  conditional->eraseFromParent();
}

}  // namespace reprise_compiler::device
