// A queue of tasks that run one after the other, each on whichever thread holds the lane then.
//
// Thread safety: submit(), submit_wait(), last(), claim(), blocked_on() and those of failures may be called from any
// thread. Only the thread that claimed a lane may call run(). Lanes are never freed, so pointers to them stay good.
//
// Invariants
//  1. At most one thread holds a lane (bit `held`); only it runs and pops tasks, and raises the progress.
//  2. Task n is done exactly when progress.completed() >= n. Tasks are numbered from 1 in the order of submission,
//     over all uses of a recycled lane.
//  3. A lane with tasks left is held, or blocked (somebody's progress will unblock it), or listed, or being listed by
//     a thread that just submitted to it, released it or unblocked it. Submitting publishes and then reads the control
//     word, releasing changes the control word and then reads what is published, both sequentially consistent, so one
//     of the two sees the other. While a listed lane has tasks, a worker is awake or being woken: see Workers.
//  4. What a lane waits for was submitted before the wait. So waits never form a cycle.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/thread_local.h"
#include "exec/progress.h"
#include "exec/task_queue.h"

namespace reprise_runtime::exec {

class Lane {
 public:
  // An unused lane. Level 0 is the most urgent; see ReadyList.
  static Lane& acquire(int level);

  // The last submission: when all before it is done, the lane goes back for the next acquire().
  void retire();
  // The same at once. The caller must know that all submitted tasks are done.
  void put_back();
  // The number of lanes, in use or not.
  static uint64_t count() { return count_.load(std::memory_order_relaxed); }

  // Appends a task: a callable taking (Lane&), returning void or an Outcome. Returns its number.
  template <class Task>
  uint64_t submit(Task&& task) {
    return emplace<std::decay_t<Task>>(std::forward<Task>(task));
  }
  template <class Task, class... Arguments>
  uint64_t emplace(Arguments&&... arguments) {
    uint64_t number = begin_submission() + 1;
    try {
      queue_.emplace<Task>(std::forward<Arguments>(arguments)...);
    } catch (...) {  // no memory: nothing was submitted
      end_submission(number - 1);
      throw;
    }
    end_submission(number);
    offer();
    return number;
  }

  // Runs task() now, on the calling thread, if the lane is idle; returns false if it is not. The task has no number,
  // since no marker could refer to it before it is done. It must be short: other submitters wait meanwhile. The end is
  // a plain store: a fence would wait until all bytes just written have left the core, which costs more than the rest.
  template <class Task>
  bool run_if_idle(Task&& task) {
    uint64_t seen = submissions_.load(std::memory_order_relaxed);
    if (seen & 1 || progress_.completed() != seen >> 1) return false;
    if (!submissions_.compare_exchange_strong(seen, seen | 1, std::memory_order_acquire)) return false;
    task();
    submissions_.store(seen, std::memory_order_release);
    return true;
  }

  // What is submitted from now on runs after the marker is reached.
  void submit_wait(const Marker& marker) {
    if (marker.reached() || marker.progress == &progress_) return;
    note_wait(submit([marker](Lane& lane) { return lane.block_on(marker); }), marker);
  }
  // Whether tasks submitted from now on run after the marker, because of waits submitted before, here or in the lanes
  // waited for. Knows only waits that are not over, which is enough: no wait that is over can order an unreached
  // marker.
  bool follows(const Marker& marker) REPRISE_EXCLUDES(waits_mutex_);

  // The last task submitted so far. A marker at `number` for one of this lane's tasks.
  Marker last() { return at(published()); }
  Marker at(uint64_t number) { return {&progress_, number}; }
  bool idle() const { return progress_.completed() == published(); }
  uint64_t waiting_tasks() const { return published() - progress_.completed(); }

  int level() const { return level_.load(std::memory_order_relaxed); }
  void set_level(int level) { level_.store(level, std::memory_order_relaxed); }

  // ---- for runners --------------------------------------------------------------------------------------------

  // Takes the lane if no thread holds it and it is not blocked.
  bool claim() {
    uint32_t control = control_.load(std::memory_order_relaxed);
    while (!(control & (held | blocked))) {
      if (control_.compare_exchange_weak(control, control | held, std::memory_order_acquire)) return true;
    }
    return false;
  }
  bool claimable() const { return !(control_.load(std::memory_order_relaxed) & (held | blocked)); }

  // Runs tasks up to number `limit`, or until the lane blocks or `give_way(tasks run)` is true: asked after each task,
  // and with `idle_now` when there are no more. Gives up the lane.
  template <class GiveWay>
  void run(uint64_t limit, GiveWay&& give_way);
  void run(uint64_t limit) {
    run(limit, [](uint64_t tasks_run) { return tasks_run == idle_now; });
  }
  static constexpr uint64_t idle_now = 0;

  // For a task that must wait: Outcome::done when the marker is reached, else the lane is given up until it is.
  Outcome block_on(const Marker& marker) REPRISE_EXCLUDES(blocked_mutex_);

  // The marker for which the lane waits now; a default one if it does not.
  Marker blocked_on() { return control_.load(std::memory_order_relaxed) & blocked ? read_blocked_on() : Marker{}; }

  // The lane that the calling thread is running, or is helping with; null if there is none.
  static Lane* current() { return current_; }
  class Helping {
   public:
    explicit Helping(Lane* lane) : outer_(std::exchange(current_, lane)) {}
    ~Helping() { current_ = outer_; }
    Helping(const Helping&) = delete;
    Helping& operator=(const Helping&) = delete;

   private:
    Lane* const outer_;
  };

  // Keeps an error of one of the tasks (not 0) for the next thread that waits for the lane; it is reported once.
  void note_failure(int what) {
    if (failure_.exchange(what, std::memory_order_relaxed) == 0) failures_.fetch_add(1, std::memory_order_relaxed);
  }
  // Returns 0 if there is none.
  int take_failure() {
    if (failure_.load(std::memory_order_relaxed) == 0) [[likely]]
      return 0;
    const int taken = failure_.exchange(0, std::memory_order_relaxed);
    if (taken != 0) failures_.fetch_sub(1, std::memory_order_relaxed);
    return taken;
  }
  // Whether any lane has one.
  static bool any_failed() { return failures_.load(std::memory_order_relaxed) != 0; }

  // Self-served: waiting threads have lately run the tasks themselves, or came before a worker could have done much.
  // Workers leave such a lane alone for a while; see Workers.
  void set_self_served(bool yes) { self_served_.store(yes, std::memory_order_relaxed); }
  bool self_served() const { return self_served_.load(std::memory_order_relaxed); }

  // When its worker last took the lane or found it empty.
  void note_empty(uint64_t ticks) { empty_at_.store(ticks, std::memory_order_relaxed); }
  uint64_t empty_at() const { return empty_at_.load(std::memory_order_relaxed); }
  // Records a wait for task `number`. Returns how many tasks there were since the last one waited for.
  uint64_t tasks_since_wait(uint64_t number) {
    return number - waited_for_.exchange(number, std::memory_order_relaxed);
  }

 private:
  friend class ReadyList;
  friend class Workers;
  enum : uint32_t { held = 1, blocked = 2, listed = 4 };

  explicit Lane(int level) : level_(level) {
    count_.fetch_add(1, std::memory_order_relaxed);
    waiter_.lane = this;
    waiter_.notify = [](Waiter& waiter) { static_cast<LaneWaiter&>(waiter).lane->unblock(); };
  }

  struct LaneWaiter : Waiter {
    Lane* lane;
  };

  // The lowest bit of submissions_ is the submission lock; the rest counts submitted tasks. The holder of the lock of
  // an idle lane has the lane to itself, since there is no task that another thread could run.
  uint64_t begin_submission() {
    uint64_t seen = submissions_.load(std::memory_order_relaxed) & ~uint64_t{1};
    if (!submissions_.compare_exchange_strong(seen, seen | 1, std::memory_order_acquire)) [[unlikely]] {
      seen = lock_submissions();
    }
    return seen >> 1;
  }
  // Publishes: one operation releases the lock, hands the record over, and orders it before the read of the control
  // word.
  void end_submission(uint64_t number) { submissions_.exchange(number << 1, std::memory_order_seq_cst); }
  uint64_t lock_submissions();
  uint64_t published() const { return submissions_.load(std::memory_order_seq_cst) >> 1; }

  Marker read_blocked_on() REPRISE_EXCLUDES(blocked_mutex_);
  bool has_work() const { return progress_.completed() != published(); }
  // Ensures that a thread will run the lane. Being listed is not enough: the lane may have been left in the list
  // without tasks, and the workers that were awake then may be busy now.
  void offer() {
    const uint32_t control = control_.load(std::memory_order_seq_cst);
    if (control & (held | blocked)) return;
    control& listed ? remind() : list();
  }
  void list();
  void unlist() { control_.fetch_and(~uint32_t{listed}, std::memory_order_seq_cst); }
  void release() {
    uint32_t before = control_.fetch_and(~uint32_t{held}, std::memory_order_seq_cst);
    if (has_work()) before& listed ? remind() : offer();
  }
  // For a listed lane: ensures that a worker is awake to see it.
  static void remind();
  void unblock();

  struct Wait {
    uint64_t number;  // the task that waits
    Marker marker;
  };
  void note_wait(uint64_t number, const Marker& marker) REPRISE_EXCLUDES(waits_mutex_);
  std::vector<Marker> open_waits(uint64_t up_to) REPRISE_EXCLUDES(waits_mutex_);

  static inline REPRISE_THREAD_LOCAL Lane* current_ = nullptr;
  static inline std::atomic<uint32_t> failures_{0};
  static inline std::atomic<uint64_t> count_{0};

  // Written by submitters.
  std::atomic<uint64_t> submissions_{0};
  std::atomic<int> level_;
  TaskQueue queue_;
  // Written by the runner; read by all.
  alignas(64) std::atomic<uint32_t> control_{0};
  std::atomic<bool> self_served_{false};
  std::atomic<int> failure_{0};
  std::atomic<uint64_t> empty_at_{0};
  std::atomic<uint64_t> waited_for_{0};
  Progress progress_{this};
  LaneWaiter waiter_;
  Mutex blocked_mutex_;
  Marker blocked_on_ REPRISE_GUARDED_BY(blocked_mutex_);
  Mutex waits_mutex_;
  std::vector<Wait> waits_ REPRISE_GUARDED_BY(waits_mutex_);
  // Used by ReadyList and Workers.
  Lane* next_ready_ = nullptr;
  uint64_t inspected_ = 0;
};

template <class GiveWay>
void Lane::run(uint64_t limit, GiveWay&& give_way) {
  Lane* outer = std::exchange(current_, this);
  uint64_t first = progress_.completed(), done = first, known = done;
  while (done < limit) {
    // Reads the number of submitted tasks only when all known ones are done, which leaves the submitter its cache line.
    if (done == known && (known = published()) == done) {
      if (!give_way(idle_now)) continue;
      break;
    }
    TaskQueue::Record& record = queue_.front();
    uint32_t size = record.size;
    if (record.run(record, *this) == Outcome::blocked) {
      current_ = outer;
      return;
    }
    queue_.pop(size);
    progress_.complete(++done);
    if (give_way(done - first)) break;
  }
  current_ = outer;
  release();
}

}  // namespace reprise_runtime::exec
