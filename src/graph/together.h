// A plan's replay by several threads: the one that has it, and whoever joins.
//
// Each thread takes steps from the front of its own list of the schedule, and from the front of another's when its own
// has nothing ready. Nobody is counted on: whatever a thread that does not come would have run, the others run.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part, as members of a team.
//
// Invariants
//  1. Slots are steps in the order of the lists, one list after the other. Merged by the order in which the scheduler
//     placed them the lists are a topological order; so of all slots not yet taken, the first in that order is at the
//     front of its list, and what it depends on has been taken by threads that will finish it.
//  2. A slot is taken by the compare-and-swap that moves its list's cursor past it. It is taken only when what it
//     depends on is done (or has begun, or triggered), or was taken before it by the same compare-and-swap.
//  3. done_[slot] is the number of the last replay in which it was done; so there is nothing to reset.
//  4. A thread that runs a step that may block has first seen to it that another thread looks for ready slots: one that
//     is idle here, or one that comes. So a step that waits for another one beside it gets what it waits for.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/plan.h"

namespace reprise::exec {
class Lane;
}

namespace reprise::graph {

class Together {
 public:
  // `ns` is what each step takes.
  Together(Plan& plan, const std::vector<float>& ns);

  double predicted_ns() const { return predicted_ns_; }
  size_t bytes() const;

  void run(Replay& replay);

 private:
  struct Slot {
    Step* step;
    uint32_t first, end;      // of its dependencies
    float ns;                 // what it takes
    float rest_ns;            // what is left of its list, from it on
  };
  struct alignas(64) List {
    std::atomic<uint32_t> cursor;  // the first slot not yet taken
    uint32_t first, end;
  };
  struct Batch {
    uint32_t first, end;
  };
  class Waiting;
  struct Overlap;

  void fill_slots(const std::vector<std::vector<uint32_t>>& lists, const std::vector<float>& ns);

  void take_part(Replay& replay);
  bool run_some(unsigned mine, Replay& replay, bool& idle);
  bool take(List& list, Batch& batch);
  bool ready(uint32_t slot, uint32_t batch_first) const;
  bool all_taken() const;
  bool any_ready() const;
  void run_slot(uint32_t slot, Replay& replay);
  void run_overlapping(uint32_t slot);
  void finish(uint32_t slot, bool last);
  bool blocks(const Step& step, const Replay& replay) const;
  void call_for_help();
  bool is_done(uint32_t slot) const { return done_[slot].load(std::memory_order_acquire) == number_; }
  void wake_waiting();

  Plan& plan_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> dependencies_;  // slots, with the plan's bits for an early start
  std::vector<std::vector<uint32_t>> upstream_;  // of slots that overlap: what cudaGridDependencySynchronize waits for
  std::unique_ptr<List[]> lists_;
  unsigned list_count_;
  double predicted_ns_;
  std::unique_ptr<std::atomic<uint32_t>[]> done_, triggered_, begun_;

  // Of the replay that runs.
  uint32_t number_ = 0;
  exec::Lane* lane_ = nullptr;
  std::atomic<unsigned> joined_{0};
  std::atomic<bool> help_is_coming_{false};
  std::atomic<unsigned> idle_{0};     // threads that look for a ready slot
  std::atomic<uint32_t> waiting_{0};  // of these, those asleep, or about to be
  std::atomic<uint32_t> news_{0};     // they sleep on this
};

}  // namespace reprise::graph
