// Unrolls short loops around the loops over threads, in the copy of a kernel for a known block shape.
//
//   for (half = 128; half > 0; half /= 2)           for each thread below 128: sums[t] += sums[t + 128]
//     for each thread below half:             ->    for each thread below 64:  sums[t] += sums[t + 64]
//       sums[t] += sums[t + half]                   ...
//
// The loops over threads then have known trip counts and need no remainder loops. LLVM would unroll only after
// vectorisation, which is too late.
//
// Also interleaves two vectors of threads where a short row of threads has a long body, as in a tiled matrix product:
// common operands are loaded once, and neither vector waits for its own sums.
//
// Runs after add_debug_frames, since inlining requires debug locations.
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "blocks/passes.h"
#include "blocks/promote_shared_memory.h"
#include "ir/llvm_passes.h"

namespace reprise_compiler::device {
namespace {

constexpr unsigned max_steps = 16, max_instructions = 480;  // of an unrolled loop
constexpr unsigned shortest_vector = 4, longest_unrolled = 64;
constexpr unsigned longest_row = 32, long_body = 64;  // of rows that are interleaved

// Inlines the block's code, so that it sees the constants it is called with.
void inline_block(llvm::Function& thunk, const Kernel& kernel) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thunk))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != "block." + kernel.name) continue;
    inline_with_promoted_shared_memory(thunk, kernel, *call);
    return;
  }
}

bool is_over_threads(const llvm::Loop& loop) { return llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses"); }

bool is_around_threads(const llvm::Loop& loop) {
  for (const llvm::Loop* outer = &loop; outer; outer = outer->getParentLoop())
    if (is_over_threads(*outer)) return false;
  return llvm::any_of(loop.getLoopsInPreorder(), [](const llvm::Loop* inner) { return is_over_threads(*inner); });
}

unsigned size_of(const llvm::Loop& loop) {
  unsigned size = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) size += unsigned(block->sizeWithoutDebug());
  return size;
}

class Unrolling {
 public:
  Unrolling(DeviceModule& module, llvm::Function& function)
      : dominators_(function),
        loops_(dominators_),
        assumptions_(function),
        library_(target_library(module)),
        functions_(library_, &function),
        evolution_(function, functions_, assumptions_, dominators_, loops_),
        costs_(module.machine.getTargetTransformInfo(function)),
        remarks_(&function) {}

  // If an inner and an outer loop share their latch branch, LLVM gives both the same loop ID. The outer loop would
  // count as a loop over threads, whose iterations are independent.
  void drop_shared_loop_ids() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (llvm::MDNode* own = loop->getLoopID())
        for (llvm::Loop* inner : loop->getLoopsInPreorder())
          if (inner != loop && inner->getLoopID() == own) {
            loop->setLoopID(nullptr);
            break;
          }
  }

  void interleave_short_rows() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!is_over_threads(*loop) || (loop->isInnermost() && size_of(*loop) < long_body)) continue;
      const unsigned threads = evolution_.getSmallConstantTripCount(loop);
      if (threads != 0 && threads <= longest_row && threads % (2 * lanes_in(*loop)) == 0)
        llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 2);
    }
  }

  // Loops over threads of known trip count would be unrolled before they are vectorised; allows unrolling only after
  // vectorisation.
  void vectorise_before_unrolling() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!is_over_threads(*loop) || !loop->isInnermost() || llvm::hasUnrollTransformation(loop) == llvm::TM_Disable)
        continue;
      const unsigned threads = evolution_.getSmallConstantTripCount(loop);
      if (threads < shortest_vector || threads > longest_unrolled) continue;
      llvm::LLVMContext& context = loop->getHeader()->getContext();
      llvm::MDNode* accesses = llvm::findOptionMDForLoop(loop, "llvm.loop.parallel_accesses");
      auto named = [&](const char* name, llvm::ArrayRef<llvm::Metadata*> rest) {
        llvm::SmallVector<llvm::Metadata*, 2> operands{llvm::MDString::get(context, name)};
        operands.append(rest.begin(), rest.end());
        return llvm::MDNode::get(context, operands);
      };
      llvm::SmallVector<llvm::Metadata*, 8> attributes(loop->getLoopID()->operands());
      attributes.push_back(named("llvm.loop.unroll.disable", {}));
      attributes.push_back(named("llvm.loop.vectorize.followup_vectorized", {accesses}));
      llvm::MDNode* described = llvm::MDNode::getDistinct(context, attributes);
      described->replaceOperandWith(0, described);
      loop->setLoopID(described);
    }
  }

  // Unrolls one loop and returns true; the caller repeats the search.
  bool unroll_one() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!loop->isLoopSimplifyForm() || !is_around_threads(*loop) ||
          llvm::hasUnrollTransformation(loop) == llvm::TM_Disable)
        continue;
      const unsigned steps = evolution_.getSmallConstantTripCount(loop);
      if (steps < 2 || steps > max_steps || steps * size_of(*loop) > max_instructions) continue;
      llvm::UnrollLoopOptions options{};
      options.Count = steps;
      options.Force = true;
      options.ForgetAllSCEV = true;
      const auto result =
          llvm::UnrollLoop(loop, options, &loops_, &evolution_, &dominators_, &assumptions_, &costs_, &remarks_, true);
      if (result == llvm::LoopUnrollResult::FullyUnrolled) return true;
    }
    return false;
  }

 private:
  // Upper bound of the vectorisation factor: elements per vector of the narrowest type that the loop accesses.
  unsigned lanes_in(llvm::Loop& loop) const {
    unsigned narrowest = 64;
    for (llvm::BasicBlock* block : loop.blocks())
      for (llvm::Instruction& instruction : *block)
        if (llvm::getLoadStorePointerOperand(&instruction))
          if (const unsigned bits = llvm::getLoadStoreType(&instruction)->getScalarSizeInBits())
            narrowest = std::min(narrowest, bits);
    return unsigned(costs_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() /
                    narrowest);
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfoImpl library_;
  llvm::TargetLibraryInfo functions_;
  llvm::ScalarEvolution evolution_;
  llvm::TargetTransformInfo costs_;
  llvm::OptimizationRemarkEmitter remarks_;
};

}  // namespace

void unroll_around_threads(DeviceModule& module) {
  for (const Kernel& kernel : module.kernels) {
    llvm::Function* shaped = module.ir.getFunction("shaped." + kernel.name);
    if (!shaped) continue;
    inline_block(*shaped, kernel);
    run_llvm_passes(
        module, *shaped,
        "sroa,instcombine<no-verify-fixpoint>,simplifycfg,loop-simplify,lcssa,loop(loop-deletion),loop-simplify,lcssa");
    Unrolling(module, *shaped).drop_shared_loop_ids();
    while (Unrolling(module, *shaped).unroll_one()) {
    }
    Unrolling unrolled(module, *shaped);
    unrolled.interleave_short_rows();
    unrolled.vectorise_before_unrolling();
  }
}

}  // namespace reprise_compiler::device
