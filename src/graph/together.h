// A plan's replay by several threads: the one that has it, and whoever joins.
//
// Each thread takes steps from the front of its own list of the schedule, and from the front of another's when its own
// has nothing ready. Nobody is counted on: whatever a thread that does not come would have run, the others run.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part, as members of a team.
//
// Invariants
//  1. Slots are steps in the order of the lists, one list after the other, with unused ones between. Merged by the order in which the scheduler
//     placed them the lists are a topological order; so of all slots not yet taken, the first in that order is at the
//     front of its list, and what it depends on has been taken by threads that will finish it.
//  2. A slot is taken by the compare-and-swap that moves its list's cursor past it; the first ones by the leader before
//     there is anybody else. It is taken only when what it depends on is done, or was taken before it at the same time.
//  3. done_[slot] is the number of the last replay in which it was done; so there is nothing to reset.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "graph/plan.h"

namespace reprise::exec {
class Team;
}

namespace reprise::graph {

class Together {
 public:
  // `ns` is what each step takes.
  Together(Plan& plan, const std::vector<float>& ns);

  double predicted_ns() const { return predicted_ns_; }
  size_t bytes() const;

  // `frequent`: replays follow each other so closely that a worker stays awake from one to the next.
  void run(Replay& replay, bool frequent);

 private:
  struct Slot {
    Step* step;
    uint32_t first, end;      // of its dependencies
    float ns;                 // what it takes
    float rest_ns;            // what is left of its list, from it on
  };
  // Two cache lines: processors fetch them in pairs.
  static constexpr size_t apart = 128;
  struct alignas(apart) List {
    std::atomic<uint32_t> cursor;  // the first slot not yet taken
    uint32_t first, end;
  };
  // A word for each slot. Lists start on lines of their own, so that who runs one list does not write where another
  // writes.
  class Words {
   public:
    void resize(size_t slots) { lines_ = std::make_unique<Line[]>(slots / line_words + 1); }
    std::atomic<uint32_t>& operator[](uint32_t slot) const { return lines_[slot / line_words].word[slot % line_words]; }
    static constexpr uint32_t line_words = apart / sizeof(uint32_t);

   private:
    struct alignas(apart) Line {
      std::atomic<uint32_t> word[line_words];
    };
    std::unique_ptr<Line[]> lines_;
  };
  struct Batch {
    uint32_t first, end;
  };
  class Waiting;

  // Steps are taken by several at once, so that taking costs little, and what follows a step that others wait for begins
  // before the news has reached them; from another's list no more than a part, so that both end at the same time.
  struct BatchSize {
    float least_ns, most_ns;
  };
  static constexpr BatchSize own_batch{4'000, 16'000}, others_batch{0, 4'000};

  void fill_slots(const std::vector<std::vector<uint32_t>>& lists, const std::vector<float>& ns);

  bool invitation_due();
  Batch take_first();
  void take_part(unsigned mine, bool leads, Replay& replay);
  bool run_own(unsigned mine, Replay& replay) { return run_from(lists_[mine], own_batch, replay); }
  bool run_others(unsigned mine, Replay& replay);
  bool run_from(List& list, const BatchSize& size, Replay& replay);
  void run(const Batch& batch, Replay& replay);
  bool take(List& list, const BatchSize& size, Batch& batch);
  uint32_t batch_end(const List& list, uint32_t cursor, const BatchSize& size) const;
  const std::atomic<uint32_t>* missing(uint32_t slot, uint32_t batch_first) const;
  const std::atomic<uint32_t>* missing_in(unsigned mine) const;
  bool ready(uint32_t slot, uint32_t batch_first) const { return !missing(slot, batch_first); }
  bool all_taken() const;
  bool any_ready() const;
  void wake_waiting();

  Plan& plan_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> dependencies_;  // slots
  std::unique_ptr<List[]> lists_;
  unsigned list_count_;
  double predicted_ns_;
  Words done_;

  // Of the replay that runs: written by its leader...
  alignas(apart) uint32_t number_ = 0;
  uint64_t invited_ = 0;  // when others were invited last, in ticks
  std::atomic<exec::Team*> team_{nullptr};
  std::atomic<uint32_t> over_{0};  // the last replay of which the leader found all steps taken
  // ... by each who joins...
  alignas(apart) std::atomic<unsigned> joined_{1};
  // ... and seldom.
  alignas(apart) std::atomic<uint32_t> waiting_{0};  // threads asleep, or about to be
  std::atomic<uint32_t> news_{0};                    // they sleep on this
};

}  // namespace reprise::graph
