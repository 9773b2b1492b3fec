// One thread's part in a scheduled replay: taking slots, running them, waiting for what they depend on.
#include <algorithm>

#include "base/clock.h"
#include "base/devices.h"
#include "base/last_error.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "graph/plan/make_step.h"
#include "graph/replay/scheduled_replay.h"
#include "kernel/fault.h"

namespace reprise_runtime::graph {

// How a thread that finds no ready slot waits: it spins for a while, then sleeps until another thread ends a batch.
class ScheduledReplay::Wait {
 public:
  explicit Wait(const Worker& worker) : all_(worker.all), number_(worker.number) {}

  // Polls one slot for up to `ns`. Does so once until restart(); false when it did before.
  bool poll(const std::atomic<uint32_t>& word, double ns) {
    return poll(ns, [&] { return word.load(std::memory_order_acquire) == number_; });
  }
  template <class Over>
  bool poll(double ns, Over&& over) {
    if (since_ != 0 || core_count() == 1) return false;
    since_ = ticks();
    spin_until(deadline_after(ns), over);
    return true;
  }

  // Waits for some time, at most until `word` has the number of the replay. Before it sleeps it also checks over().
  template <class Over>
  void wait(const std::atomic<uint32_t>& word, Over&& over) {
    if (since_ == 0) since_ = ticks();
    if (core_count() > 1 && ticks_to_ns(ticks() - since_) < tuning::replay_spin_ns) {
      spin_times(tuning::replay_looks, [&] { return word.load(std::memory_order_acquire) == number_; });
      return;
    }
    exec::BlockingScope blocking;
    if (!all_.done_events_.sleep_until(over, sleep_ns_)) sleep_ns_ = std::min(2 * sleep_ns_, tuning::longest_nap_ns);
  }
  void restart() {
    since_ = 0;
    sleep_ns_ = tuning::shortest_nap_ns;
  }

 private:
  ScheduledReplay& all_;
  const uint32_t number_;
  uint64_t since_ = 0;
  int64_t sleep_ns_ = tuning::shortest_nap_ns;
};

void ScheduledReplay::Worker::lead() {
  Wait wait(*this);
  const List& own = all.lists_[own_list];
  size_t seen = 0;
  for (;;) {
    if (run_own()) {
      wait.restart();
      continue;
    }
    const uint32_t next = front(own);
    const std::atomic<uint32_t>* awaited = next < own.end ? missing(next, next) : missing_at_the_end(seen);
    if (next < own.end) {
      if (!awaited || wait.poll(*awaited, tuning::own_list_ns)) continue;
    } else if (!awaited) {
      return;
    }
    if (steal()) {
      wait.restart();
    } else {
      wait.wait(*awaited, [&] { return awaited->load(std::memory_order_acquire) == number || any_ready(); });
    }
  }
}

void ScheduledReplay::Worker::help() {
  Wait wait(*this);
  const List& own = all.lists_[own_list];
  for (;;) {
    if (run_own()) {
      wait.restart();
      continue;
    }
    if (const uint32_t next = front(own); next < own.end) {
      const std::atomic<uint32_t>* awaited = missing(next, next);
      if (!awaited || wait.poll(*awaited, tuning::own_list_ns)) continue;
    } else {
      if (wait.poll(tuning::end_of_replay_ns, [&] { return over(); })) continue;
      if (over()) return;
    }
    if (steal()) {
      wait.restart();
    } else if (const std::atomic<uint32_t>* awaited = missing_anywhere()) {
      wait.wait(*awaited, [&] { return all_taken() || any_ready(); });
    } else if (all_taken()) {
      return;
    }
  }
}

// The first slot of the list that is not taken; the end of the list if this thread is late.
uint32_t ScheduledReplay::Worker::front(const List& list, uint64_t cursor) const {
  const uint32_t replay = static_cast<uint32_t>(cursor >> 32);
  if (replay == number) return static_cast<uint32_t>(cursor);
  return static_cast<int32_t>(replay - number) < 0 ? list.first : list.end;
}

// Returns the counter that the front slot of the first unfinished list waits for; null if that slot is ready now, or if
// all slots are taken.
const std::atomic<uint32_t>* ScheduledReplay::Worker::missing_anywhere() const {
  for (unsigned i = 0; i < all.list_count_; ++i) {
    const List& list = all.lists_[(own_list + i) % all.list_count_];
    if (const uint32_t next = front(list); next < list.end) return missing(next, next);
  }
  return nullptr;
}

// A slot of last_slots_ that is not done; null when the replay is over. The first `seen` are known to be done.
const std::atomic<uint32_t>* ScheduledReplay::Worker::missing_at_the_end(size_t& seen) const {
  for (; seen < all.last_slots_.size(); ++seen) {
    if (!done(all.last_slots_[seen])) return &all.done_[all.last_slots_[seen]];
  }
  return nullptr;
}

bool ScheduledReplay::Worker::all_taken() const {
  for (unsigned i = 0; i < all.list_count_; ++i) {
    if (front(all.lists_[i]) < all.lists_[i].end) return false;
  }
  return true;
}

bool ScheduledReplay::Worker::any_ready() const {
  for (unsigned i = 0; i < all.list_count_; ++i) {
    const uint32_t next = front(all.lists_[i]);
    if (next < all.lists_[i].end && ready(next, next)) return true;
  }
  return false;
}

bool ScheduledReplay::Worker::steal() const {
  for (unsigned i = 1; i < all.list_count_; ++i) {
    if (run_from(all.lists_[(own_list + i) % all.list_count_], stolen_batch)) return true;
  }
  return false;
}

bool ScheduledReplay::Worker::run_from(List& list, const BatchSize& size) const {
  Batch batch;
  if (!take(list, size, batch)) return false;
  run(batch);
  return true;
}

void ScheduledReplay::Worker::run(const Batch& batch) const {
  if (batch.first == batch.end) return;
  Replay& replay = *all.replay_;
  // A standby worker has not got the lane from a team. It must not keep it longer: once the last slot is done, the lane
  // may be destroyed.
  exec::Lane::Helping helping(all.lane_);
  for (Batch rest = batch; rest.first < rest.end;) {
    Step& step = *all.slots_[rest.first].step;
    if (step.run == &run_kernel_step && static_cast<KernelStep&>(step).small) {
      rest.first = run_kernels(rest);
      continue;
    }
    step.run(step, replay);
    all.done_[rest.first++].store(number, std::memory_order_release);
  }
  all.done_events_.notify_sleepers();
}

namespace {

// A loop over kernels in the form of a kernel, so that one fault guard serves all of them. `now` is the step that runs.
template <class Each, class Now>
struct KernelLoop : kernel::GuardedBatch {
  const Each& each;
  const Now& now;

  KernelLoop(const Each& loop, const Now& step) : GuardedBatch{&find_running}, each(loop), now(step) {}

  static void run(const void* loop, const reprise_launch*) { static_cast<const KernelLoop*>(loop)->each(); }
  static kernel::GuardedKernel find_running(const GuardedBatch& batch) {
    const KernelStep& kernel = static_cast<const KernelLoop&>(batch).now();
    return {kernel.thunk, kernel.params, &kernel.launch};
  }
};

}  // namespace

// Runs the small kernels of one device from the front of the batch. Returns the first slot that is not done.
uint32_t ScheduledReplay::Worker::run_kernels(const Batch& batch) const {
  const int device = all.slots_[batch.first].step->device;
  volatile uint32_t reached = batch.first;
  const auto kernels = [&] {
    uint32_t slot = batch.first;
    for (; slot < batch.end; ++slot) {
      const Step& step = *all.slots_[slot].step;
      if (step.run != &run_kernel_step || step.device != device) break;
      const KernelStep& kernel = static_cast<const KernelStep&>(step);
      if (!kernel.small) break;
      reached = slot;
      if (sticky_error(device) == cudaSuccess) [[likely]]
        call_kernel(kernel);
      all.done_[slot].store(number, std::memory_order_release);
    }
    reached = slot;
  };
  const auto now = [&]() -> const KernelStep& { return static_cast<const KernelStep&>(*all.slots_[reached].step); };
  const KernelLoop loop(kernels, now);
  const cudaError_t fault = kernel::run_guarded(&decltype(loop)::run, &loop, reprise_launch{}, &loop);
  if (fault == cudaSuccess) [[likely]]
    return reached;
  // The device now has a sticky error, so the rest of the batch does nothing.
  set_sticky_error(device, fault);
  all.done_[reached].store(number, std::memory_order_release);
  return reached + 1;
}

bool ScheduledReplay::Worker::take(List& list, const BatchSize& size, Batch& batch) const {
  uint64_t cursor = list.cursor.load(std::memory_order_acquire);
  for (;;) {
    const uint32_t next = front(list, cursor);
    if (next >= list.end || !ready(next, next)) return false;
    const uint32_t end = batch_end(list, next, size);
    if (list.cursor.compare_exchange_weak(cursor, cursor_of(number, end), std::memory_order_acq_rel,
                                          std::memory_order_acquire)) {
      batch = {next, end};
      return true;
    }
  }
}

uint32_t ScheduledReplay::Worker::batch_end(const List& list, uint32_t cursor, const BatchSize& size) const {
  const std::vector<Slot>& slots = all.slots_;
  const float limit = std::clamp(slots[cursor].rest_ns / 4, size.min_ns, size.max_ns);
  float ns = slots[cursor].ns;
  uint32_t end = cursor + 1;
  while (end < list.end && ns + slots[end].ns <= limit && ready(end, cursor)) ns += slots[end++].ns;
  return end;
}

// The word in done_ of a slot that this one depends on and that is not done; null when this slot is ready.
const std::atomic<uint32_t>* ScheduledReplay::Worker::missing(uint32_t slot, uint32_t batch_first) const {
  for (uint32_t i = all.slots_[slot].first; i < all.slots_[slot].end; ++i) {
    const uint32_t before = all.dependencies_[i];
    if (before >= batch_first && before < slot) continue;
    if (!done(before)) return &all.done_[before];
  }
  return nullptr;
}

}  // namespace reprise_runtime::graph
