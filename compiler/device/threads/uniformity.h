// Uniformity of values and branches: a uniform value is the same for all threads of a block, or of a warp, and can be
// computed once.
//
// Uses LLVM's uniformity analysis with the sources of divergence of CUDA threads.
#pragma once

#include <llvm/ADT/GenericUniformityInfo.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/ValueMap.h>

#include <set>

namespace reprise_compiler::device {

// Threads that are compared: those of a block, or the lanes of a warp in a block whose x size is a multiple of 32.
enum class Level { block, warp };

class Uniformity {
 public:
  // `body` is a kernel's body with thread arguments (ir/thread_arguments.h).
  Uniformity(llvm::Function& body, Level level);

  bool is_uniform(const llvm::Value* value) const;
  bool is_divergent_branch(const llvm::BasicBlock& block) const;

  // Declares a new value uniform that replaces a uniform one. Other new values count as divergent.
  void declare_uniform(const llvm::Value* value) { uniform_[value] = true; }

 private:
  // Drops erased values, since a new value may reuse the address.
  struct Forgetting : llvm::ValueMapConfig<const llvm::Value*> {
    enum { FollowRAUW = false };
  };
  template <class Answer>
  using Answers = llvm::ValueMap<const llvm::Value*, Answer, Forgetting>;

  Answers<bool> uniform_;           // by argument or instruction
  Answers<bool> divergent_branch_;  // by block
};

}  // namespace reprise_compiler::device
