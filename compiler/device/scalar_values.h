// Brings uniform values to where they are computed once: from a region to the prologue before it.
//
//   prologue:  br %enter                              prologue:  %end = add i32 %k, %width
//   enter:     %end = add i32 %k, %width         ->              br %enter
//              ... every thread ...                   enter:     ... every thread ...
#pragma once

#include <map>
#include <set>

#include "skeleton.h"
#include "uniformity.h"

namespace reprise::device {

class ScalarValues {
 public:
  ScalarValues(Skeleton& skeleton, const Uniformity& uniformity);

  // Whether a value is, or can be made, available to nodes.
  bool can_be_scalar(llvm::Value* value);
  void make_scalar(llvm::Value* value);

  // Phis of joins whose value is known without asking any thread.
  bool is_scalar_phi(const llvm::PHINode& phi) const { return scalar_phis_.count(&phi); }

 private:
  void choose_phis();
  bool incoming_agree(const llvm::PHINode& phi);
  bool can_move(llvm::Instruction& instruction);
  bool runs_always(const llvm::Instruction& instruction);

  Skeleton& skeleton_;
  const Uniformity& uniformity_;
  std::set<const llvm::PHINode*> scalar_phis_;
  std::map<llvm::Value*, bool> known_;
};

}  // namespace reprise::device
