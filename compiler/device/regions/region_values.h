// Values that are alive from one region to the next.
//
//   region A:  %v = fmul ...                     region A:  %v = fmul ...; store %v, slot[t]
//   sync                                    ->   sync
//   region B:  use of %v                         region B:  %v1 = load slot[t]; use of %v1
//
// What is the same for all threads is computed once instead, and what takes a few instructions from the thread's
// index is computed again.
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
  // `of_warp` learns which of the new values are uniform in warps; null where nobody will ask.
  RegionValues(Skeleton& skeleton, ScalarValues& scalars, Slots& slots, Uniformity* of_warp)
      : skeleton_(skeleton), scalars_(scalars), slots_(slots), of_warp_(of_warp) {}

  // False where a branch between regions needs what only threads know; why() says so.
  bool run();
  const std::string& why() const { return why_; }
  const llvm::Instruction* where() const { return where_; }

  // The result of a synchronisation of which every thread has its own: where it lies.
  void adopt(llvm::Instruction& result, const Slot& slot) { slot_of_[&result] = slot; }

  // A value as `region` sees it: in its entry block if it comes from elsewhere.
  llvm::Value* value_in(Region& region, llvm::Value* value);
  // Whether value_in needs no memory for it.
  bool is_cheap(llvm::Value* value);

 private:
  bool settle_nodes();
  void place_allocas();
  void demote_phis();
  bool can_share_slot(llvm::PHINode& phi, llvm::Value* value);
  bool store_where_changed(llvm::PHINode& phi, llvm::PHINode& value, const Slot& slot);
  void carry_over();
  void drop_unused();
  void forget(llvm::PHINode& phi);
  Region* region_of_use(const llvm::Use& use);
  bool is_confined(const llvm::AllocaInst& memory);
  const Slot& slot_of(llvm::Instruction& value);
  bool is_affordable(llvm::Value* value, int& budget);

  Skeleton& skeleton_;
  ScalarValues& scalars_;
  Slots& slots_;
  Uniformity* of_warp_;
  std::map<llvm::Instruction*, Slot> slot_of_;
  std::map<std::pair<Region*, llvm::Value*>, llvm::Value*> in_region_;
  std::vector<llvm::PHINode*> demoted_;
  std::string why_;
  const llvm::Instruction* where_ = nullptr;
};

}  // namespace reprise_compiler::device
