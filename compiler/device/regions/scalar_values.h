// Hoists uniform values from a region to the prologue before it, where they are computed once.
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
  ScalarValues(RegionGraph& graph, const Uniformity& uniformity);

  // True if a value is, or can be made, available to nodes.
  bool can_be_scalar(llvm::Value* value);
  // Hoists the value. Divergent operands of a uniform value (threadIdx.x in threadIdx.x / 32) are computed for the
  // first thread, whose indices nodes have.
  llvm::Value* make_scalar(llvm::Value* value);

  // True for phis of joins whose value is scalar.
  bool is_scalar_phi(const llvm::PHINode& phi) const {
    return scalar_phis_.count(&phi) || phi.getParent() == graph_.start();  // phis of the enclosing scope
  }

 private:
  void choose_phis();
  bool has_scalar_incoming(const llvm::PHINode& phi);
  bool can_move(llvm::Instruction& instruction);
  bool is_computable_for_first_thread(llvm::Value* value);
  llvm::Value* compute_for_first_thread(llvm::Value* value, llvm::BasicBlock* prologue);
  bool is_unconditional(const llvm::Instruction& instruction);

  RegionGraph& graph_;
  const Uniformity& uniformity_;
  std::set<const llvm::PHINode*> scalar_phis_;
  std::map<llvm::Value*, bool> known_;
};

}  // namespace reprise_compiler::device
