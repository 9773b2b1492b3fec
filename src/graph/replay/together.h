// A plan's replay by several threads: the one that has it, and whoever joins.
//
// Each thread takes steps from the front of its own list of the schedule, and from the front of another's when its own
// has nothing ready. Nobody is counted on: whatever a thread that does not come would have run, the others run.
//
// Workers come by a team. One that has come stands by: it has a list, watches the word that says which replay runs, and
// so joins the next by reading one cache line. Nobody waits for it at the end of a replay: the end is that the last
// steps are done, and whoever comes late finds everything taken.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part. A standby worker may
// look at everything here but the plan, the replay and its lane, at any time; at those while it has taken a slot that
// is not done.
//
// Invariants
//  1. Slots are steps in the order of the lists, one list after the other, with unused ones between. Merged by the
//  order
//     in which the scheduler placed them the lists are a topological order; so of all slots not yet taken, the first in
//     that order is at the front of its list, and what it depends on has been taken by threads that will finish it.
//  2. A list's cursor is the number of a replay and the first slot not yet taken in it. Where the number is that of an
//     earlier replay nothing has been taken; where it is that of a later one, who looks is late.
//  3. A slot is taken by the compare-and-swap that moves its list's cursor past it; the first ones by the leader before
//     there is anybody else. It is taken only when what it depends on is done, or was taken before it at the same time.
//  4. done_[slot] is the number of the last replay in which it was done; so there is nothing to reset.
//  5. A replay is over when the slots on which no other depends are done.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/tuning.h"
#include "base/waiting.h"
#include "graph/plan/plan.h"

namespace reprise_runtime::exec {
class Lane;
}

namespace reprise_runtime::graph {

class Together : public std::enable_shared_from_this<Together> {
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
    uint32_t first, end;  // of its dependencies
    float ns;             // what it takes
    float rest_ns;        // what is left of its list, from it on
  };
  static constexpr size_t apart = tuning::separate_bytes;
  struct alignas(apart) List {
    std::atomic<uint64_t> cursor{0};  // the replay in the upper half, the slot in the lower
    uint32_t first, end;
  };
  static constexpr uint64_t cursor_of(uint32_t number, uint32_t slot) { return uint64_t{number} << 32 | slot; }
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
  class StandbyPart;

  // Steps are taken by several at once, so that taking costs little, and what follows a step that others wait for
  // begins before the news has reached them; from another's list no more than a part, so that both end at the same
  // time.
  struct BatchSize {
    float least_ns, most_ns;
  };
  static constexpr BatchSize own_batch{tuning::own_batch_least_ns, tuning::own_batch_most_ns},
      others_batch{0, tuning::stolen_batch_most_ns};

  void fill_slots(const std::vector<std::vector<uint32_t>>& lists, const std::vector<float>& ns);

  // A thread's part in one replay.
  struct Part {
    Together& together;
    const uint32_t number;  // of the replay
    const unsigned mine;    // its list

    void lead();
    void help();
    bool run_own() const { return run_from(together.lists_[mine], own_batch); }
    bool run_others() const;
    bool run_from(List& list, const BatchSize& size) const;
    void run(const Batch& batch) const;
    uint32_t run_kernels(const Batch& batch) const;
    bool take(List& list, const BatchSize& size, Batch& batch) const;
    uint32_t front(const List& list) const { return front(list, list.cursor.load(std::memory_order_acquire)); }
    uint32_t front(const List& list, uint64_t cursor) const;
    uint32_t batch_end(const List& list, uint32_t cursor, const BatchSize& size) const;
    bool done(uint32_t slot) const { return together.done_[slot].load(std::memory_order_acquire) == number; }
    bool ready(uint32_t slot, uint32_t batch_first) const { return !missing(slot, batch_first); }
    const std::atomic<uint32_t>* missing(uint32_t slot, uint32_t batch_first) const;
    const std::atomic<uint32_t>* missing_anywhere() const;
    const std::atomic<uint32_t>* missing_at_the_end(size_t& seen) const;
    bool all_taken() const;
    bool any_ready() const;
    bool over() const {
      return together.number_.load(std::memory_order_relaxed) != number ||
             together.ended_.load(std::memory_order_relaxed) == number;
    }
  };

  void run_with_team(Part& leader, const Batch& first, bool frequent);
  bool invitation_due();
  Batch take_first(const Part& leader);
  unsigned take_place();

  Plan& plan_;
  std::vector<Slot> slots_;
  std::vector<uint32_t> dependencies_;  // slots
  std::unique_ptr<List[]> lists_;
  const unsigned list_count_;
  double predicted_ns_;
  Words done_;

  std::vector<uint32_t> last_slots_;  // on which no other depends

  // Of the replay that runs: written by its leader...
  alignas(apart) std::atomic<uint32_t> number_{0};
  std::atomic<uint32_t> ended_{0};  // the last replay of which somebody was told that it is over
  std::atomic<int> core_{0};        // that the leader runs on
  Replay* replay_ = nullptr;
  exec::Lane* lane_ = nullptr;  // for which the leader runs it
  uint64_t invited_ = 0;        // when others were invited last, in ticks
  // ... by those who come...
  alignas(apart) std::atomic<uint32_t> joined_{0};
  std::atomic<uint32_t> places_{0};  // lists that have a standby worker
  // ... and seldom.
  alignas(apart) EventCount done_news_;  // Threads without a ready step sleep until a step is done.
};

}  // namespace reprise_runtime::graph
