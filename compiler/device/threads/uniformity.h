// Which values are the same for all threads that run together, so that they can be computed once.
//
// LLVM's uniformity analysis does the work; what is different from thread to thread is told to it here.
#pragma once

#include <llvm/ADT/GenericUniformityInfo.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/ValueMap.h>

#include <set>

namespace reprise_compiler::device {

// Together: all threads of a block, or the lanes of a warp in a block whose x size is a multiple of 32.
enum class Level { block, warp };

class Uniformity {
 public:
  // `body` is a kernel's body as ir/thread_arguments.h has it.
  Uniformity(llvm::Function& body, Level level);

  bool is_uniform(const llvm::Value* value) const;
  bool is_divergent_branch(const llvm::BasicBlock& block) const;

  // For what passes put in place of a uniform value; all else that is new counts as divergent.
  void declare_uniform(const llvm::Value* value) { uniform_[value] = true; }

 private:
  // What passes erase is forgotten: something new may come to lie at its address.
  struct Forgetting : llvm::ValueMapConfig<const llvm::Value*> {
    enum { FollowRAUW = false };
  };
  template <class Answer>
  using Answers = llvm::ValueMap<const llvm::Value*, Answer, Forgetting>;

  Answers<bool> uniform_;           // of arguments and instructions
  Answers<bool> divergent_branch_;  // of blocks that end in one
};

}  // namespace reprise_compiler::device
