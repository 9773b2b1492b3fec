#include "threads/uniformity.h"

#include <llvm/ADT/GenericUniformityImpl.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <set>

#include "ir/builtin.h"
#include "ir/thread_arguments.h"
#include "threads/warp_uniformity.h"

namespace reprise_compiler::device {
namespace {

// Loads that no store can precede since the last barrier: all threads read the same value there.
std::set<const llvm::Value*> loads_of_unchanged_memory(const llvm::Function& body) {
  auto disturbs = [](const llvm::Instruction& i) {
    return i.mayWriteToMemory() && !i.isLifetimeStartOrEnd() && builtin_of(i) != Builtin::region_end;
  };
  auto settles = [](const llvm::Instruction& i) { return is_barrier(builtin_of(i)); };
  std::set<const llvm::BasicBlock*> disturbed_at_end;
  std::set<const llvm::Value*> settled;
  llvm::ReversePostOrderTraversal<const llvm::Function*> order(&body);
  for (bool changed = true; changed;) {
    changed = false;
    settled.clear();
    for (const llvm::BasicBlock* block : order) {
      bool disturbed = llvm::any_of(llvm::predecessors(block),
                                    [&](const llvm::BasicBlock* p) { return disturbed_at_end.count(p) != 0; });
      for (const llvm::Instruction& instruction : *block) {
        if (settles(instruction))
          disturbed = false;
        else if (disturbs(instruction))
          disturbed = true;
        else if (llvm::isa<llvm::LoadInst>(instruction) && !disturbed)
          settled.insert(&instruction);
      }
      if (disturbed && disturbed_at_end.insert(block).second) changed = true;
    }
  }
  return settled;
}

struct Sources : llvm::TargetTransformInfoImplCRTPBase<Sources> {
  Sources(const llvm::DataLayout& layout, llvm::Function& body, Level level)
      : TargetTransformInfoImplCRTPBase(layout),
        body_(&body),
        level_(level),
        unchanged_(loads_of_unchanged_memory(body)) {}

  bool hasBranchDivergence(const llvm::Function*) const { return true; }

  bool isAlwaysUniform(const llvm::Value* value) const {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return false;
    if (is_block_level(builtin_of(*instruction))) return true;
    if (level_ == Level::block) return false;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction)) return has_warp_uniform_result(*call, *body_);
    return ignores_lane(*instruction, *body_);
  }

  bool isSourceOfDivergence(const llvm::Value* value) const {
    if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) return is_divergent_argument(argument);
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return false;
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction))
      return !load->isSimple() || !(load->hasMetadata(llvm::LLVMContext::MD_invariant_load) || unchanged_.count(load));
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(instruction))
      return !isAlwaysUniform(call) && !call->doesNotAccessMemory();
    return instruction->mayReadOrWriteMemory();
  }

 private:
  // If the x size of a block is a multiple of 32, a warp lies in one row.
  bool is_divergent_argument(const llvm::Argument* argument) const {
    auto is = [&](ThreadArgument which) { return argument == thread_argument(*body_, which); };
    const bool row = is(ThreadArgument::thread_index_y) || is(ThreadArgument::thread_index_z);
    return is(ThreadArgument::thread_index_x) || is(ThreadArgument::thread_number) || is(ThreadArgument::lane) ||
           (row && level_ == Level::block);
  }

  llvm::Function* body_;
  Level level_;
  std::set<const llvm::Value*> unchanged_;
};

}  // namespace

Uniformity::Uniformity(llvm::Function& body, Level level) {
  llvm::DominatorTree dominators(body);
  llvm::CycleInfo cycles;
  cycles.compute(body);
  llvm::TargetTransformInfo sources(Sources(body.getParent()->getDataLayout(), body, level));
  llvm::UniformityInfo info(dominators, cycles, &sources);
  info.compute();
  for (const llvm::Argument& argument : body.args()) uniform_[&argument] = info.isUniform(&argument);
  for (const llvm::Instruction& instruction : llvm::instructions(body))
    uniform_[&instruction] = info.isUniform(&instruction);
  for (const llvm::BasicBlock& block : body)
    if (info.hasDivergentTerminator(block)) divergent_branch_[&block] = true;
}

bool Uniformity::is_uniform(const llvm::Value* value) const {
  if (!llvm::isa<llvm::Instruction, llvm::Argument>(value)) return true;
  return uniform_.lookup(value);
}

bool Uniformity::is_divergent_branch(const llvm::BasicBlock& block) const { return divergent_branch_.count(&block); }

}  // namespace reprise_compiler::device
