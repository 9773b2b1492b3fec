// Values that are live across regions.
//
//   region A:  %v = fmul ...                     region A:  %v = fmul ...; store %v, slot[t]
//   sync                                    ->   sync
//   region B:  use of %v                         region B:  %v1 = load slot[t]; use of %v1
//
// Uniform values are computed once instead (regions/scalar_values.h), and values that take a few instructions from the
// thread's index are rematerialised.
#pragma once

#include <map>
#include <string>

#include "regions/region_graph.h"
#include "regions/scalar_values.h"
#include "regions/spill_slots.h"
#include "threads/uniformity.h"

namespace reprise_compiler::device {

class RegionValues {
 public:
  // `of_warp` is told which new values are uniform in warps; null if the kernel has no warp operations.
  RegionValues(RegionGraph& graph, ScalarValues& scalars, SpillSlots& slots, Uniformity* of_warp)
      : graph_(graph), scalars_(scalars), slots_(slots), warp_uniformity_(of_warp) {}

  // Returns false if a branch between regions depends on a value of single threads; failure() has the reason.
  bool run();
  const std::string& failure() const { return failure_; }
  const llvm::Instruction* failure_location() const { return failure_location_; }

  // Sets the spill slot of the per-thread result of a synchronization.
  void set_result_slot(llvm::Instruction& result, const SpillSlot& slot) { slot_of_[&result] = slot; }

  // The value in `region`: loaded or recomputed in its entry block if it is defined elsewhere.
  llvm::Value* value_in(Region& region, llvm::Value* value);
  // True if value_in() recomputes it instead of using a spill slot.
  bool is_cheap(llvm::Value* value);

 private:
  bool make_node_operands_scalar();
  void expand_allocas();
  void demote_phis();
  bool can_share_slot(llvm::PHINode& phi, llvm::Value* value);
  bool store_changed_values(llvm::PHINode& phi, llvm::PHINode& value, const SpillSlot& slot);
  void rewrite_cross_region_uses();
  void drop_unused();
  void erase_phi(llvm::PHINode& phi);
  Region* region_of_use(const llvm::Use& use);
  bool is_used_in_one_region(const llvm::AllocaInst& memory);
  const SpillSlot& slot_of(llvm::Instruction& value);
  bool is_affordable(llvm::Value* value, int& budget);

  RegionGraph& graph_;
  ScalarValues& scalars_;
  SpillSlots& slots_;
  Uniformity* warp_uniformity_;
  std::map<llvm::Instruction*, SpillSlot> slot_of_;
  std::map<std::pair<Region*, llvm::Value*>, llvm::Value*> in_region_;
  std::vector<llvm::PHINode*> demoted_;
  std::string failure_;
  const llvm::Instruction* failure_location_ = nullptr;
};

}  // namespace reprise_compiler::device
