// Finds loops that wait for another thread, and lets others run at each turn.
//
//   while (*flag == 0) {}                            while (*flag == 0) __reprise_spin();
//   while (atomicCAS(&lock, 0, 1) != 0) {}     ->    while (atomicCAS(&lock, 0, 1) != 0) __reprise_spin();
//
// Threads that run one after the other would wait for ever for one that comes later; a kernel with such a loop runs as
// fibers. A loop that tries again with what it has just seen, as compare-and-swap loops do, or that takes the next of
// something, waits for nobody. A function that calls itself to look again is such a loop too: its rounds are the calls.
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>

#include "ir/builtin.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
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
      const bool looks = llvm::any_of(llvm::instructions(function),
                                      [&](const llvm::Instruction& i) { return touches_others(i, lookers); });
      if (looks) changed = lookers.insert(&function).second;
    }
  }
  return lookers;
}

// What is done again and again.
class Rounds {
 public:
  virtual ~Rounds() = default;
  // Whether each round does it.
  virtual bool contains(const llvm::Instruction* instruction) const = 0;
  // Known before the first round, and the same in all.
  virtual bool is_given(const Value* value) const = 0;
  // Whether what is computed anew from such values counts as the same. In a loop it does not: blocks wait for those
  // before them at an index, as a scan does that looks back, and run in order; fibers would take hundreds of times as
  // long.
  virtual bool may_compute() const = 0;
  // Where one begins that is not the first.
  virtual bool begins_at(const llvm::BasicBlock* block) const = 0;
  // The blocks that decide whether there is another one.
  virtual llvm::SmallVector<llvm::BasicBlock*, 4> deciding() const = 0;
};

class LoopRounds final : public Rounds {
 public:
  explicit LoopRounds(const llvm::Loop& loop) : loop_(loop) {}
  bool contains(const llvm::Instruction* instruction) const override { return loop_.contains(instruction); }
  bool is_given(const Value* value) const override { return loop_.isLoopInvariant(value); }
  bool may_compute() const override { return false; }
  bool begins_at(const llvm::BasicBlock* block) const override { return block == loop_.getHeader(); }
  llvm::SmallVector<llvm::BasicBlock*, 4> deciding() const override {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    return exiting;
  }

 private:
  const llvm::Loop& loop_;
};

// Of a function that calls itself, by `calls`; maybe through others, which are taken to pass on what they were given.
class RecursiveRounds final : public Rounds {
 public:
  RecursiveRounds(llvm::Function& function, llvm::ArrayRef<llvm::CallBase*> calls)
      : function_(function), calls_(calls) {}
  bool contains(const llvm::Instruction* instruction) const override {
    return instruction->getFunction() == &function_;
  }
  bool is_given(const Value* value) const override {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
    if (!argument) return llvm::isa<llvm::Constant>(value);
    return llvm::all_of(calls_, [&](const llvm::CallBase* call) {
      return call->getCalledFunction() != &function_ || call->getArgOperand(argument->getArgNo()) == argument;
    });
  }
  bool may_compute() const override { return true; }
  bool begins_at(const llvm::BasicBlock*) const override { return false; }
  llvm::SmallVector<llvm::BasicBlock*, 4> deciding() const override {
    llvm::SmallVector<llvm::BasicBlock*, 4> all;
    for (llvm::BasicBlock& block : function_) all.push_back(&block);
    return all;
  }

 private:
  llvm::Function& function_;
  llvm::ArrayRef<llvm::CallBase*> calls_;
};

class SpinSearch {
 public:
  SpinSearch(const Rounds& rounds, const Lookers& lookers) : rounds_(rounds), lookers_(lookers) {}

  bool waits() {
    return llvm::any_of(rounds_.deciding(), [&](llvm::BasicBlock* block) {
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
    if (!instruction || !rounds_.contains(instruction)) return false;
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

  // The same in all rounds: given, or computed from what is.
  bool is_fixed(const Value* value) const { return is_fixed(value, false, 0); }
  // The same for a place, which may itself be read from memory.
  bool is_fixed_place(const Value* value) const { return is_fixed(value, true, 0); }
  bool is_fixed(const Value* value, bool may_be_read, unsigned depth) const {
    constexpr unsigned deepest = 12;
    if (rounds_.is_given(value)) return true;
    const auto* instruction = rounds_.may_compute() ? llvm::dyn_cast<llvm::Instruction>(value) : nullptr;
    if (!instruction || depth == deepest || llvm::isa<llvm::PHINode, llvm::CallBase, llvm::AllocaInst>(instruction))
      return false;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    if (load ? !may_be_read || !load->isSimple() : instruction->mayReadOrWriteMemory()) return false;
    return llvm::all_of(instruction->operands(),
                        [&](const Value* operand) { return is_fixed(operand, may_be_read, depth + 1); });
  }

  // Read each turn from the same place, by a load or by an operation that leaves it as it is or takes it.
  bool is_word_of_others(Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !rounds_.contains(instruction)) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return (load->isVolatile() || load->isAtomic()) && is_fixed_place(load->getPointerOperand());
    if (auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction)) return waits_by(*operation);
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()))
        return is_fixed_place(exchange->getPointerOperand()) && is_fixed(exchange->getCompareOperand());
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction);
        call && lookers_.count(call->getCalledFunction()))
      return llvm::all_of(call->args(), [&](const Value* argument) { return is_fixed_place(argument); });
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
      if (!phi || rounds_.begins_at(phi->getParent())) return decides(operand) || is_word_of_others(operand);
      return llvm::any_of(phi->incoming_values(), [&](Value* value) { return is_word_of_others(value); });
    });
  }

  bool waits_by(const llvm::AtomicRMWInst& operation) const {
    if (!is_fixed_place(operation.getPointerOperand())) return false;
    if (operation.getOperation() == llvm::AtomicRMWInst::Xchg) return is_fixed(operation.getValOperand());
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getValOperand());
    const bool takes_next = operation.getOperation() == llvm::AtomicRMWInst::Add ||
                            operation.getOperation() == llvm::AtomicRMWInst::Sub ||
                            operation.getOperation() == llvm::AtomicRMWInst::UIncWrap ||
                            operation.getOperation() == llvm::AtomicRMWInst::UDecWrap;
    return !takes_next || (constant && constant->isZero());
  }

  const Rounds& rounds_;
  const Lookers& lookers_;
  std::set<Value*> seen_;
};

// Unoptimised code keeps everything in memory, where the way from a load to a branch cannot be followed.
bool touches_others(const llvm::Loop& loop, const Lookers& lookers) {
  return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](llvm::Instruction& i) { return touches_others(i, lookers); });
  });
}

// Before each turn but the first: the loop's, or the call's.
using Turns = std::vector<llvm::Instruction*>;

void find_loops(llvm::Function& function, const Lookers& lookers, bool optimised, Turns& turns) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (!(optimised ? SpinSearch(LoopRounds(*loop), lookers).waits() : touches_others(*loop, lookers))) continue;
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) turns.push_back(latch->getTerminator());
  }
}

// By calls, at least one.
bool reaches(const llvm::CallGraph& graph, const llvm::Function& from, const llvm::Function& to) {
  std::vector<const llvm::CallGraphNode*> pending{graph[&from]};
  std::set<const llvm::Function*> seen;
  while (!pending.empty()) {
    const llvm::CallGraphNode* node = pending.back();
    pending.pop_back();
    for (const auto& [call, callee] : *node) {
      if (callee->getFunction() == &to) return true;
      if (callee->getFunction() && seen.insert(callee->getFunction()).second) pending.push_back(callee);
    }
  }
  return false;
}

void find_recursion(llvm::Module& ir, const Lookers& lookers, bool optimised, Turns& turns) {
  const llvm::CallGraph graph(ir);
  for (llvm::Function& function : ir) {
    if (!lookers.count(&function) || !reaches(graph, function, function)) continue;
    std::vector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && (callee == &function || reaches(graph, *callee, function))) calls.push_back(call);
    }
    if (optimised && !SpinSearch(RecursiveRounds(function, calls), lookers).waits()) continue;
    turns.insert(turns.end(), calls.begin(), calls.end());
  }
}

}  // namespace

void mark_spin_loops(DeviceModule& module) {
  const Lookers lookers = find_lookers(module.ir);
  const bool optimised = module.options.optimisation != 0;
  Turns turns;
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration()) find_loops(function, lookers, optimised, turns);
  if (!lookers.empty()) find_recursion(module.ir, lookers, optimised, turns);
  for (llvm::Instruction* turn : turns) {
    llvm::IRBuilder<> b(turn);
    call_marker(b, Marker::spin);
  }
}

}  // namespace reprise_compiler::device
