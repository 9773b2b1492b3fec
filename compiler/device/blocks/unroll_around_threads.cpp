// Loops of a few steps around the loops over threads, in the copy of a kernel for a known block, as straight code.
//
//   for (half = 128; half > 0; half /= 2)           for each thread below 128: sums[t] += sums[t + 128]
//     for each thread below half:             ->    for each thread below 64:  sums[t] += sums[t + 64]
//       sums[t] += sums[t + half]                   ...
//
// Loops over threads then have lengths that are known, and need no remainders. LLVM would do it after it has made them
// vectors, when it is too late.
//
// And where a short row of threads has much to do, as with the tiles of a matrix product, two vectors of threads do it
// side by side: what they have in common is read once, and neither waits for its own sums.
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

constexpr unsigned most_steps = 16, most_instructions = 480;  // of an unrolled loop
constexpr unsigned shortest_vector = 4, longest_unrolled = 64;
constexpr unsigned longest_row = 32, long_body = 64;  // that becomes pairs of vectors

// The block's code, so that what it is called with is known inside.
void inline_block(llvm::Function& thunk, const Kernel& kernel) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(thunk))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || !call->getCalledFunction() || call->getCalledFunction()->getName() != "block." + kernel.name) continue;
    inline_with_memory_on_stack(thunk, kernel, *call);
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

  // Where the end of an inner loop has become that of an outer one too, LLVM gives both the same description: the outer
  // would count as one over threads, whose turns are independent.
  void tell_apart() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder())
      if (llvm::MDNode* own = loop->getLoopID())
        for (llvm::Loop* inner : loop->getLoopsInPreorder())
          if (inner != loop && inner->getLoopID() == own) {
            loop->setLoopID(nullptr);
            break;
          }
  }

  void pair_vectors() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!is_over_threads(*loop) || (loop->isInnermost() && size_of(*loop) < long_body)) continue;
      const unsigned threads = evolution_.getSmallConstantTripCount(loop);
      if (threads != 0 && threads <= longest_row && threads % (2 * lanes_in(*loop)) == 0)
        llvm::addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 2);
    }
  }

  // Loops over threads whose length is known by now would be unrolled into scalars before they can become vectors;
  // afterwards unrolling is welcome.
  void vectors_before_unrolling() {
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

  // One of them: the rest is found anew.
  bool unroll_one() {
    for (llvm::Loop* loop : loops_.getLoopsInPreorder()) {
      if (!loop->isLoopSimplifyForm() || !is_around_threads(*loop) ||
          llvm::hasUnrollTransformation(loop) == llvm::TM_Disable)
        continue;
      const unsigned steps = evolution_.getSmallConstantTripCount(loop);
      if (steps < 2 || steps > most_steps || steps * size_of(*loop) > most_instructions) continue;
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
  // The most that LLVM can make vectors of: those of the narrowest words that the loop uses.
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
    Unrolling(module, *shaped).tell_apart();
    while (Unrolling(module, *shaped).unroll_one()) {
    }
    Unrolling unrolled(module, *shaped);
    unrolled.pair_vectors();
    unrolled.vectors_before_unrolling();
  }
}

}  // namespace reprise_compiler::device
