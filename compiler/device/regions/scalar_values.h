// Brings uniform values to where they are computed once: from a region to the prologue before it.
//
//   prologue:  br %enter                              prologue:  %end = add i32 %k, %width
//   enter:     %end = add i32 %k, %width         ->              br %enter
//              ... every thread ...                   enter:     ... every thread ...
#pragma once

#include <llvm/IR/Instructions.h>

#include <map>
#include <set>

#include "regions/region_graph.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

class ScalarValues {
 public:
  ScalarValues(Skeleton& skeleton, const Uniformity& uniformity);

  // Whether a value is, or can be made, available to nodes.
  bool can_be_scalar(llvm::Value* value);
  // The value as nodes have it. What differs between threads on the way to a uniform value (threadIdx.x in
  // threadIdx.x / 32) is computed for the first of them: nodes see the first thread's index.
  llvm::Value* make_scalar(llvm::Value* value);

  // Phis of joins whose value is known without asking any thread.
  bool is_scalar_phi(const llvm::PHINode& phi) const {
    return scalar_phis_.count(&phi) || phi.getParent() == skeleton_.start();  // those belong to what is around
  }

 private:
  void choose_phis();
  bool incoming_agree(const llvm::PHINode& phi);
  bool can_move(llvm::Instruction& instruction);
  bool can_be_computed_for_first(llvm::Value* value);
  llvm::Value* compute_for_first(llvm::Value* value, llvm::BasicBlock* prologue);
  bool runs_always(const llvm::Instruction& instruction);

  Skeleton& skeleton_;
  const Uniformity& uniformity_;
  std::set<const llvm::PHINode*> scalar_phis_;
  std::map<llvm::Value*, bool> known_;
};

}  // namespace reprise_compiler::device
