// Finds loops that wait for another thread, and yields in each iteration.
//
//   while (*flag == 0) {}                            while (*flag == 0) __reprise_spin();
//   while (atomicCAS(&lock, 0, 1) != 0) {}     ->    while (atomicCAS(&lock, 0, 1) != 0) __reprise_spin();
//
// If threads ran one after the other, such a loop would wait forever for a later thread, so its kernel runs as fibers.
// A loop that retries with the value it has just read, as compare-and-swap loops do, or that takes the next ticket of a
// counter, or tries another address, does not wait. A function that calls itself to poll again counts as a loop whose
// iterations are the calls.
//
// A loop that computes anew what it polls, as in while (flag[blockIdx.x - 1] == 0), waits for another block, not for a
// thread of its own: such loops only let other blocks run, without fibers.
//
// Runs in SSA form, where a condition can be traced to its loads, and before regions change the loops.
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>

#include "ir/builtin.h"
#include "ir/special_register.h"
#include "ir/thread_arguments.h"
#include "threads/passes.h"

namespace reprise_compiler::device {
namespace {

using llvm::Value;

// Functions that access memory which other threads may write, or call such a function.
using Observers = std::set<const llvm::Function*>;

// True for an access to a variable of the thread, which no other thread can write.
bool is_private(const llvm::Instruction& access) {
  const Value* address = llvm::getLoadStorePointerOperand(&access);
  return address && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address));
}

bool observes_other_threads(const llvm::Instruction& instruction, const Observers& observers) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (is_private(instruction)) return false;
  return instruction.isVolatile() || instruction.isAtomic() || (call && observers.count(call->getCalledFunction()));
}

Observers find_observers(const llvm::Module& ir) {
  Observers observers;
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : ir) {
      if (observers.count(&function)) continue;
      const bool looks = llvm::any_of(llvm::instructions(function),
                                      [&](const llvm::Instruction& i) { return observes_other_threads(i, observers); });
      if (looks) changed = observers.insert(&function).second;
    }
  }
  return observers;
}

// The iterations of a loop or of a recursion.
class Iterations {
 public:
  virtual ~Iterations() = default;
  // True if each iteration executes the instruction.
  virtual bool contains(const llvm::Instruction* instruction) const = 0;
  // True if the value is known before the first iteration and the same in all.
  virtual bool is_invariant(const Value* value) const = 0;
  // True if a value recomputed from invariant values counts as invariant. In a loop that needs fibers it does not: in a
  // decoupled look-back scan, blocks poll an index that they compute anew and wait for earlier blocks, which run first.
  // Fibers would take hundreds of times as long.
  virtual bool allows_recomputation() const = 0;
  // True for the block at which an iteration other than the first starts.
  virtual bool starts_at(const llvm::BasicBlock* block) const = 0;
  // Blocks whose branches decide whether there is another iteration.
  virtual llvm::SmallVector<llvm::BasicBlock*, 4> exiting_blocks() const = 0;
};

class LoopIterations final : public Iterations {
 public:
  LoopIterations(const llvm::Loop& loop, bool recomputes) : loop_(loop), recomputes_(recomputes) {}
  bool contains(const llvm::Instruction* instruction) const override { return loop_.contains(instruction); }
  bool is_invariant(const Value* value) const override { return loop_.isLoopInvariant(value); }
  bool allows_recomputation() const override { return recomputes_; }
  bool starts_at(const llvm::BasicBlock* block) const override { return block == loop_.getHeader(); }
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting_blocks() const override {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop_.getExitingBlocks(exiting);
    return exiting;
  }

 private:
  const llvm::Loop& loop_;
  const bool recomputes_;
};

// Iterations of a function that calls itself through `calls`. Functions in between are assumed to pass arguments on.
class RecursiveIterations final : public Iterations {
 public:
  RecursiveIterations(llvm::Function& function, llvm::ArrayRef<llvm::CallBase*> calls)
      : function_(function), calls_(calls) {}
  bool contains(const llvm::Instruction* instruction) const override {
    return instruction->getFunction() == &function_;
  }
  bool is_invariant(const Value* value) const override {
    const auto* argument = llvm::dyn_cast<llvm::Argument>(value);
    if (!argument) return llvm::isa<llvm::Constant>(value);
    return llvm::all_of(calls_, [&](const llvm::CallBase* call) {
      return call->getCalledFunction() != &function_ || call->getArgOperand(argument->getArgNo()) == argument;
    });
  }
  bool allows_recomputation() const override { return true; }
  bool starts_at(const llvm::BasicBlock*) const override { return false; }
  llvm::SmallVector<llvm::BasicBlock*, 4> exiting_blocks() const override {
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
  SpinSearch(const Iterations& iterations, const Observers& observers)
      : iterations_(iterations), observers_(observers) {}

  bool waits() {
    return llvm::any_of(iterations_.exiting_blocks(), [&](llvm::BasicBlock* block) {
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      auto* choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator());
      return (branch && branch->isConditional() && is_observing_condition(branch->getCondition())) ||
             (choice && is_observed_value(choice->getCondition()));
    });
  }

 private:
  // True for a comparison of an observed value with an invariant one.
  bool is_observing_condition(Value* condition) {
    if (!seen_.insert(condition).second) return false;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(condition);
    if (!instruction || !iterations_.contains(instruction)) return false;
    if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(instruction)) {
      Value *a = compare->getOperand(0), *b = compare->getOperand(1);
      return (is_observed_value(a) && is_fixed(b)) || (is_observed_value(b) && is_fixed(a)) ||
             (a->getType()->isIntegerTy(1) && (is_observing_condition(a) || is_observing_condition(b)));
    }
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()))
        return is_fixed(exchange->getCompareOperand()) && !moves(exchange->getPointerOperand());
    return llvm::any_of(instruction->operands(), [&](Value* operand) {
      return operand->getType()->isIntegerTy(1) ? is_observing_condition(operand) : is_observed_value(operand);
    });
  }

  // Invariant, or computed from invariant values.
  bool is_fixed(const Value* value) const { return is_fixed(value, false, 0); }
  // The same for an address, which may itself be loaded from memory.
  bool is_fixed_address(const Value* value) const { return is_fixed(value, true, 0); }
  bool is_fixed(const Value* value, bool may_be_read, unsigned depth) const {
    constexpr unsigned deepest = 12;
    if (iterations_.is_invariant(value)) return true;
    const auto* instruction = iterations_.allows_recomputation() ? llvm::dyn_cast<llvm::Instruction>(value) : nullptr;
    if (!instruction || depth == deepest || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction)) return false;
    if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction)) return false;
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    if (load ? !may_be_read || !load->isSimple() : instruction->mayReadOrWriteMemory()) return false;
    return llvm::all_of(instruction->operands(), [&](const Value* operand) {
      return llvm::isa<llvm::Constant>(operand) || is_fixed(operand, may_be_read, depth + 1);
    });
  }

  // True for an address that every iteration changes, as in the search for a free slot of a hash table: the loop ends
  // without another thread's help. An address that only a successful iteration changes does not move.
  bool moves(const Value* address) const {
    std::vector<const Value*> pending{address};
    std::set<const Value*> seen;
    bool changes = false;
    while (!pending.empty()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(pending.back());
      pending.pop_back();
      if (!instruction || !iterations_.contains(instruction) || !seen.insert(instruction).second) continue;
      if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
        if (!iterations_.starts_at(phi->getParent())) return false;
        for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
          pending.push_back(next_value(*phi, i));
          if (pending.back() == phi) return false;
          changes |= !iterations_.is_invariant(pending.back());
        }
        continue;
      }
      if (const auto* choice = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
        if (llvm::isa<llvm::PHINode>(choice->getTrueValue()) || llvm::isa<llvm::PHINode>(choice->getFalseValue()))
          return false;
      } else if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::CmpInst>(
                     instruction)) {
        return false;
      }
      pending.insert(pending.end(), instruction->op_begin(), instruction->op_end());
    }
    return changes;
  }

  // The value that a phi takes over, given that the loop goes on: LLVM may have moved a choice by the exit condition
  // out of the branches.
  static const Value* next_value(const llvm::PHINode& phi, unsigned number) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(phi.getIncomingBlock(number)->getTerminator());
    const auto* choice = llvm::dyn_cast<llvm::SelectInst>(phi.getIncomingValue(number));
    if (!choice || !branch || !branch->isConditional() || branch->getCondition() != choice->getCondition())
      return phi.getIncomingValue(number);
    return branch->getSuccessor(0) == phi.getParent() ? choice->getTrueValue() : choice->getFalseValue();
  }

  // True for a value read in each iteration from the same address, by a load or by an atomic that polls or acquires.
  bool is_observed_value(Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !iterations_.contains(instruction)) return false;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return (load->isVolatile() || load->isAtomic()) && !is_private(*load) &&
             is_fixed_address(load->getPointerOperand());
    if (auto* operation = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction)) return is_waiting_operation(*operation);
    if (auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(instruction))
      if (auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(part->getAggregateOperand()))
        return is_fixed_address(exchange->getPointerOperand()) && is_fixed(exchange->getCompareOperand());
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction);
        call && observers_.count(call->getCalledFunction()))
      return llvm::all_of(call->args(), [&](const Value* argument) { return is_fixed_address(argument); });
    if (is_warp_level(builtin_of(*instruction))) return is_observed_by_some_lane(*instruction);
    if (llvm::isa<llvm::PHINode>(instruction) || instruction->mayReadOrWriteMemory() ||
        !seen_.insert(instruction).second)
      return false;
    return llvm::any_of(instruction->operands(), [&](Value* operand) { return is_observed_value(operand); });
  }

  // A warp that waits: each lane polls and they vote, or one lane polls and broadcasts.
  bool is_observed_by_some_lane(llvm::Instruction& operation) {
    if (!seen_.insert(&operation).second) return false;
    return llvm::any_of(operation.operands(), [&](Value* operand) {
      auto* phi = llvm::dyn_cast<llvm::PHINode>(operand);
      if (!phi || iterations_.starts_at(phi->getParent()))
        return is_observing_condition(operand) || is_observed_value(operand);
      return llvm::any_of(phi->incoming_values(), [&](Value* value) { return is_observed_value(value); });
    });
  }

  bool is_waiting_operation(const llvm::AtomicRMWInst& operation) const {
    if (!is_fixed_address(operation.getPointerOperand())) return false;
    if (operation.getOperation() == llvm::AtomicRMWInst::Xchg) return is_fixed(operation.getValOperand());
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getValOperand());
    const bool takes_next = operation.getOperation() == llvm::AtomicRMWInst::Add ||
                            operation.getOperation() == llvm::AtomicRMWInst::Sub ||
                            operation.getOperation() == llvm::AtomicRMWInst::UIncWrap ||
                            operation.getOperation() == llvm::AtomicRMWInst::UDecWrap;
    return !takes_next || (constant && constant->isZero());
  }

  const Iterations& iterations_;
  const Observers& observers_;
  std::set<Value*> seen_;
};

// Conservative test for unoptimised code, where a branch cannot be traced to a load.
bool observes_other_threads(const llvm::Loop& loop, const Observers& observers) {
  return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock* block) {
    return llvm::any_of(*block, [&](llvm::Instruction& i) { return observes_other_threads(i, observers); });
  });
}

// Instructions before which an iteration yields: latches of loops and recursive calls.
using SpinPoints = std::vector<llvm::Instruction*>;

void add_latches(const llvm::Loop& loop, SpinPoints& points) {
  llvm::SmallVector<llvm::BasicBlock*, 2> latches;
  loop.getLoopLatches(latches);
  for (llvm::BasicBlock* latch : latches) points.push_back(latch->getTerminator());
}

bool waits(const llvm::Loop& loop, const Observers& observers, bool recomputes) {
  return SpinSearch(LoopIterations(loop, recomputes), observers).waits();
}

void find_loops(llvm::Function& function, const Observers& observers, bool optimised, SpinPoints& spin_points,
                SpinPoints& polling_points) {
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    if (optimised ? waits(*loop, observers, false) : observes_other_threads(*loop, observers))
      add_latches(*loop, spin_points);
    else if (optimised && waits(*loop, observers, true))
      add_latches(*loop, polling_points);
  }
}

llvm::Value* launch_of(llvm::IRBuilder<>& b, DeviceModule& module, llvm::Function& function) {
  if (module.kernel_of(&function)) return thread_argument(function, ThreadArgument::launch);
  llvm::Value* context = function.getArg(function.arg_size() - 1);
  return b.CreateLoad(b.getPtrTy(), b.CreateStructGEP(thread_context_type(b.getContext()), context, context_launch));
}

// True if a chain of at least one call leads from one function to the other.
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

void find_recursion(llvm::Module& ir, const Observers& observers, bool optimised, SpinPoints& spin_points) {
  const llvm::CallGraph graph(ir);
  for (llvm::Function& function : ir) {
    if (!observers.count(&function) || !reaches(graph, function, function)) continue;
    std::vector<llvm::CallBase*> calls;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      if (callee && (callee == &function || reaches(graph, *callee, function))) calls.push_back(call);
    }
    if (optimised && !SpinSearch(RecursiveIterations(function, calls), observers).waits()) continue;
    spin_points.insert(spin_points.end(), calls.begin(), calls.end());
  }
}

}  // namespace

void mark_spin_loops(DeviceModule& module) {
  const Observers observers = find_observers(module.ir);
  const bool optimised = module.options.optimisation != 0;
  SpinPoints spin_points, polling_points;
  for (llvm::Function& function : module.ir)
    if (!function.isDeclaration()) find_loops(function, observers, optimised, spin_points, polling_points);
  if (!observers.empty()) find_recursion(module.ir, observers, optimised, spin_points);
  for (llvm::Instruction* turn : spin_points) {
    llvm::IRBuilder<> b(turn);
    call_builtin(b, Builtin::spin);
  }
  for (llvm::Instruction* turn : polling_points) {
    llvm::IRBuilder<> b(turn);
    call_runtime(b, "__reprise_let_others_run", b.getVoidTy(), {launch_of(b, module, *turn->getFunction())});
  }
}

}  // namespace reprise_compiler::device
