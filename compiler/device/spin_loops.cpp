// Finds loops that wait for another thread, and lets others run at each turn.
//
//   while (*flag == 0) {}                            while (*flag == 0) __reprise_spin();
//   while (atomicCAS(&lock, 0, 1) != 0) {}     ->    while (atomicCAS(&lock, 0, 1) != 0) __reprise_spin();
//
// Threads that run one after the other would wait for ever for one that comes later; a kernel with such a loop runs as
// fibers. A loop that tries again with what it has just seen, as compare-and-swap loops do, or that takes the next of
// something, waits for nobody.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>

#include "marker.h"
#include "passes.h"

namespace reprise::device {
namespace {

using llvm::Value;

// Functions that look at what others may write, or call one that does.
using Lookers = std::set<const llvm::Function*>;

bool touches_others(const llvm::Instruction& instruction, const Lookers& lookers) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return instruction.isVolatile() || instruction.isAtomic() || (call && lookers.count(call->getCalledFunction()));
}

Lookers find_lookers(const llvm::Module& ir) {
  Lookers lookers;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : ir) {
      if (lookers.count(&function)) continue;
      const bool looks = llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& i) { return touches_others(i, lookers); });
      if (looks) changed = lookers.insert(&function).second;
    }
  }
  return lookers;
}

class SpinSearch {
 public:
  SpinSearch(const llvm::Loop& loop, const Lookers& lookers) : loop_(loop), lookers_(lookers) {}

  bool waits() {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    return llvm::any_of(exiting, [&](llvm::BasicBlock* block) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator());
      return (branch && branch->isConditional() && decides(branch->getCondition())) ||
             (choice && is_word_of_others(choice->getCondition()));
    });
  }

 private:
  // A comparison of what others may write with something that does not change meanwhile.
  bool decides(Value* condition) {
    if (!seen_.insert(condition).second) return false;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(condition);
    if (!instruction || !loop_.contains(instruction)) return false;
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(instruction)) {
      Value *a = compare->getOperand(0), *b = compare->getOperand(1);
      return (is_word_of_others(a) && is_fixed(b)) || (is_word_of_others(b) && is_fixed(a)) ||
             (a->getType()->isIntegerTy(1) && (decides(a) || decides(b)));
    }
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()))
        return is_fixed(exchange->getCompareOperand());
    return llvm::any_of(instruction->operands(), [&](Value* operand) {
      return operand->getType()->isIntegerTy(1) ? decides(operand) : is_word_of_others(operand);
    });
  }

  bool is_fixed(const Value* value) const { return loop_.isLoopInvariant(value); }

  // Read each turn from the same place, by a load or by an operation that leaves it as it is or takes it.
  bool is_word_of_others(Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return (load->isVolatile() || load->isAtomic()) && is_fixed(load->getPointerOperand());
    if (auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction)) return waits_by(*operation);
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()))
        return is_fixed(exchange->getPointerOperand()) && is_fixed(exchange->getCompareOperand());
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction); call && lookers_.count(call->getCalledFunction()))
      return llvm::all_of(call->args(), [&](const Value* argument) { return is_fixed(argument); });
    if (is_warp_level(marker_of(*instruction))) return is_word_of_some_lane(*instruction);
    if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
        !seen_.insert(instruction).second)
      return false;
    return llvm::any_of(instruction->operands(), [&](Value* operand) { return is_word_of_others(operand); });
  }

  // A warp that waits for another: each lane looks and they vote, or one looks and tells the others.
  bool is_word_of_some_lane(llvm::Instruction& operation) {
    if (!seen_.insert(&operation).second) return false;
    return llvm::any_of(operation.operands(), [&](Value* operand) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(operand);
      if (!phi || phi->getParent() == loop_.getHeader()) return decides(operand) || is_word_of_others(operand);
      return llvm::any_of(phi->incoming_values(), [&](Value* value) { return is_word_of_others(value); });
    });
  }

  bool waits_by(const llvm::AtomicRMWInst& operation) const {
    if (!is_fixed(operation.getPointerOperand())) return false;
    if (operation.getOperation() == llvm::AtomicRMWInst::Xchg) return is_fixed(operation.getValOperand());
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getValOperand());
    const bool takes_next = operation.getOperation() == llvm::AtomicRMWInst::Add ||
                            operation.getOperation() == llvm::AtomicRMWInst::Sub ||
                            operation.getOperation() == llvm::AtomicRMWInst::UIncWrap ||
                            operation.getOperation() == llvm::AtomicRMWInst::UDecWrap;
    return !takes_next || (constant && constant->isZero());
  }

  const llvm::Loop& loop_;
  const Lookers& lookers_;
  std::set<Value*> seen_;
};

// Unoptimised code keeps everything in memory, where the way from a load to a branch cannot be followed.
bool touches_others(const llvm::Loop& loop, const Lookers& lookers) {
  return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](llvm::Instruction& i) { return touches_others(i, lookers); });
  });
}

}  // namespace

void mark_spin_loops(DeviceModule& module) {
  const Lookers lookers = find_lookers(module.ir);
  for (llvm::Function& function : module.ir) {
    if (function.isDeclaration()) continue;
    llvm::DominatorTree dominators(function);
    llvm::LoopInfo loops(dominators);
    std::vector<llvm::BasicBlock*> turns;
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (!(module.options.optimisation ? SpinSearch(*loop, lookers).waits() : touches_others(*loop, lookers))) continue;
      llvm::SmallVector<llvm::BasicBlock*, 2> latches;
      loop->getLoopLatches(latches);
      turns.insert(turns.end(), latches.begin(), latches.end());
    }
    for (llvm::BasicBlock* latch : turns) {
      llvm::IRBuilder<> b(latch->getTerminator());
      call_marker(b, Marker::spin);
    }
  }
}

}  // namespace reprise::device
