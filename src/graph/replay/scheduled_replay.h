// Replays a plan on several threads by a static schedule: the thread that launches the replay (the leader) and the
// workers that join it.
//
// Each thread takes steps from the front of its own list of the schedule, and from the front of another list when its
// own has nothing ready. No step depends on a particular thread arriving: the threads that are there run everything.
//
// Workers join by a team. A worker that has joined once stands by: it keeps a list, polls the number of the
// current replay, and so joins the next replay by reading one cache line. No replay waits for a standby worker to
// leave: a replay ends when the last steps are done, and a worker that is late finds everything taken.
//
// Thread safety: replays run one after the other. Within one, any number of threads take part. A standby worker may
// read everything here at any time, except the replay, its plan and its lane: those only between taking a slot and
// marking it done.
//
// Invariants
//  1. Slots are the steps in the order of the lists, one list after the other, with unused slots between them. Merged
//     in the order in which the scheduler placed the steps, the lists are a topological order. So of all slots not yet
//     taken, the first in that order is at the front of its list, and what it depends on has been taken by threads that
//     will finish it.
//  2. A list's cursor is the number of a replay and the first slot not yet taken in it. If the number is of an earlier
//     replay, nothing has been taken; if it is of a later one, the reader is late.
//  3. A slot is taken by the compare-and-swap that moves its list's cursor past it, except the first batch, which the
//     leader takes before other threads can. It is taken only when what it depends on is done, or was taken before it
//     in the same batch.
//  4. done_[slot] is the number of the last replay in which the slot was done, so nothing has to be reset.
//  5. A replay is over when the slots on which no other slot depends are done.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/tuning.h"
#include "base/waiting.h"
#include "graph/plan/plan_layout.h"
#include "graph/plan/replayer.h"

namespace reprise_runtime::exec {
class Lane;
}

namespace reprise_runtime::graph {

class ScheduledReplay : public std::enable_shared_from_this<ScheduledReplay> {
 public:
  // `ns` is the run time of each step.
  ScheduledReplay(const PlanLayout& layout, const std::vector<float>& ns);

  double predicted_ns() const { return predicted_ns_; }
  size_t bytes() const;

  // `frequent`: replays follow each other so closely that a worker stays awake from one to the next.
  void run(Replay& replay, bool frequent);

 private:
  struct Slot {
    Step* step;
    uint32_t first, end;  // of its dependencies
    float ns;             // its run time
    float rest_ns;        // the run time of its list from here on
  };
  static constexpr size_t line_bytes = tuning::separate_bytes;
  struct alignas(line_bytes) List {
    std::atomic<uint64_t> cursor{0};  // the number of the replay in the upper half, the slot in the lower
    uint32_t first, end;
  };
  static constexpr uint64_t cursor_of(uint32_t number, uint32_t slot) { return uint64_t{number} << 32 | slot; }
  // A word for each slot. Lists start on lines of their own, to avoid false sharing.
  class Words {
   public:
    void resize(size_t slots) { lines_ = std::make_unique<Line[]>(slots / line_words + 1); }
    std::atomic<uint32_t>& operator[](uint32_t slot) const { return lines_[slot / line_words].word[slot % line_words]; }
    static constexpr uint32_t line_words = line_bytes / sizeof(uint32_t);

   private:
    struct alignas(line_bytes) Line {
      std::atomic<uint32_t> word[line_words];
    };
    std::unique_ptr<Line[]> lines_;
  };
  struct Batch {
    uint32_t first, end;
  };
  class Wait;
  class StandbyWorker;

  // Slots are taken in batches, so that taking costs little, and so that the steps behind one that other threads wait
  // for start before those threads have noticed. From another thread's list only a small batch is taken, so that both
  // threads end at the same time.
  struct BatchSize {
    float min_ns, max_ns;
  };
  static constexpr BatchSize own_batch{tuning::own_batch_least_ns, tuning::own_batch_most_ns},
      stolen_batch{0, tuning::stolen_batch_most_ns};

  // One thread's part in one replay.
  struct Worker {
    ScheduledReplay& all;
    const uint32_t number;  // of the replay
    const unsigned own_list;

    // Runs slots until the replay is over.
    void lead();
    // Runs slots until all are taken.
    void help();
    void run(const Batch& batch) const;
    bool ready(uint32_t slot, uint32_t batch_first) const { return !missing(slot, batch_first); }
    uint32_t batch_end(const List& list, uint32_t cursor, const BatchSize& size) const;
    bool run_own() const { return run_from(all.lists_[own_list], own_batch); }
    bool steal() const;
    bool run_from(List& list, const BatchSize& size) const;
    uint32_t run_kernels(const Batch& batch) const;
    bool take(List& list, const BatchSize& size, Batch& batch) const;
    uint32_t front(const List& list) const { return front(list, list.cursor.load(std::memory_order_acquire)); }
    uint32_t front(const List& list, uint64_t cursor) const;
    bool done(uint32_t slot) const { return all.done_[slot].load(std::memory_order_acquire) == number; }
    const std::atomic<uint32_t>* missing(uint32_t slot, uint32_t batch_first) const;
    const std::atomic<uint32_t>* missing_anywhere() const;
    const std::atomic<uint32_t>* missing_at_the_end(size_t& seen) const;
    bool all_taken() const;
    bool any_ready() const;
    bool over() const {
      return all.number_.load(std::memory_order_relaxed) != number ||
             all.ended_.load(std::memory_order_relaxed) == number;
    }
  };

  void fill_slots(const PlanLayout& layout, const std::vector<std::vector<uint32_t>>& lists,
                  const std::vector<float>& ns);
  void run_with_team(Worker& leader, const Batch& first, bool frequent);
  bool invitation_due();
  Batch take_first(const Worker& leader);
  unsigned assign_list();

  // Constant after construction.
  std::vector<Slot> slots_;
  std::vector<uint32_t> dependencies_;  // slots
  std::unique_ptr<List[]> lists_;
  const unsigned list_count_;
  double predicted_ns_;
  std::vector<uint32_t> last_slots_;  // on which no other depends

  Words done_;

  // Of the current replay, written by its leader...
  alignas(line_bytes) std::atomic<uint32_t> number_{0};
  std::atomic<uint32_t> ended_{0};  // the last replay whose end was announced to its team
  std::atomic<int> core_{0};        // that the leader runs on
  Replay* replay_ = nullptr;
  exec::Lane* lane_ = nullptr;  // for which the leader runs it
  uint64_t invited_ = 0;        // when workers were invited last, in ticks
  // ... by the workers that join...
  alignas(line_bytes) std::atomic<uint32_t> joined_{0};
  std::atomic<uint32_t> standby_lists_{0};  // a bit for each list that has a standby worker
  // ... and rarely written.
  alignas(line_bytes) EventCount done_events_;  // threads without a ready step sleep until a step is done
};

}  // namespace reprise_runtime::graph
