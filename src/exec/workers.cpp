#include "exec/workers.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/clock.h"
#include "base/devices.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/long_waits.h"
#include "exec/team.h"

namespace reprise_runtime::exec {
namespace {

REPRISE_THREAD_LOCAL bool is_worker = false;

}  // namespace

// How long a worker has been idle, and how it passes the time.
class Workers::Idle {
 public:
  explicit Idle(Workers& workers) : workers_(workers) { restart(); }
  ~Idle() { stop_spinning(); }

  void restart() {
    since_ = ticks();
    may_spin_ = workers_.cores_ > 1;
  }

  // Passes some time. False when the worker is to end.
  bool pass() {
    double idle_ns = ticks_to_ns(ticks() - since_);
    if (idle_ns < tuning::worker_spin_ns && spin()) return true;
    stop_spinning();
    bool first = !workers_.someone_dozes_.exchange(true, std::memory_order_acquire);
    if (first && (idle_ns < tuning::doze_until_ns || !workers_.ready_.empty())) {
      if (workers_.doze(idle_ns < tuning::doze_often_ns ? tuning::doze_short_ns : tuning::doze_long_ns)) restart();
      workers_.someone_dozes_.store(false, std::memory_order_release);
      return true;
    }
    if (first) workers_.someone_dozes_.store(false, std::memory_order_release);
    bool stay = workers_.sleep();
    restart();
    return stay;
  }

  // Whether the ready queue has had lanes and made no progress while this worker watched it.
  bool overdue() {
    if (watched_ != workers_.ready_.taken()) {
      watched_ = workers_.ready_.taken();
      watched_since_ = ticks();
      return false;
    }
    return ticks_to_ns(ticks() - watched_since_) > tuning::overdue_ns;
  }
  void saw_empty_list() { watched_ = ~uint64_t{0}; }

 private:
  bool spin() {
    if (!spinning_) {
      // One core is left for the submitting thread.
      if (!may_spin_ || workers_.spinning_.fetch_add(1, std::memory_order_relaxed) >= workers_.cores_ - 1) {
        if (may_spin_) workers_.spinning_.fetch_sub(1, std::memory_order_relaxed);
        may_spin_ = false;
        return false;
      }
      spinning_ = true;
    }
    spin_times(16, [this] { return workers_.ready_.urgent() || Team::any_open(); });
    return true;
  }
  void stop_spinning() {
    if (spinning_) workers_.spinning_.fetch_sub(1, std::memory_order_relaxed);
    spinning_ = false;
  }

  Workers& workers_;
  uint64_t since_ = 0;
  bool may_spin_ = true;
  bool spinning_ = false;
  uint64_t watched_ = ~uint64_t{0};
  uint64_t watched_since_ = 0;
};

// How long a worker keeps a lane: while the lane has tasks, but only for a slice when other lanes wait, and a moment
// longer, since the next task often follows at once.
class Workers::Slice {
 public:
  Slice(Workers& workers, Lane& lane) : workers_(workers), lane_(lane) {}

  bool operator()(uint64_t tasks_run) {
    if (workers_.stopping_.load(std::memory_order_relaxed)) return true;
    if (tasks_run == Lane::idle_now) return !linger();
    lingered_ = 0;
    if (!workers_.ready_.urgent() || workers_.running_.load(std::memory_order_relaxed) < workers_.cores_) return false;
    return tasks_run >= tuning::tasks_per_slice || workers_.ready_.more_urgent_than(lane_.level());
  }

 private:
  // Looks at intervals, in which a submitter can write several tasks undisturbed.
  bool linger() {
    if (++lingered_ > tuning::linger_looks || workers_.cores_ == 1 || workers_.ready_.urgent() || Team::any_open())
      return false;
    if (lane_.self_served()) return false;
    lane_.note_empty(ticks());
    pause_times(tuning::linger_pauses);
    return true;
  }

  Workers& workers_;
  Lane& lane_;
  int lingered_ = 0;
};

Workers::Workers() : cores_(core_count()) {}

Workers& Workers::instance() {
  static Workers* workers = [] {
    auto* made = new Workers;  // Never destroyed: its threads live until the process ends.
    std::atexit([] { instance().stop(); });
    pthread_atfork(nullptr, nullptr, [] { instance().in_forked_child(); });
    return made;
  }();
  return *workers;
}

void Workers::in_forked_child() {
  if (total_.load(std::memory_order_relaxed) == 0) return;
  abandoned_.store(true, std::memory_order_relaxed);
  if (auto* tell = tell_of_fork_.load(std::memory_order_relaxed)) tell();
}

void Workers::add_ready(Lane& lane) {
  ready_.push(lane, lane.self_served() ? ReadyList::later : lane.level());
  ensure_awake();
}

// ---- a worker's life --------------------------------------------------------------------------------------------

void* Workers::start(void* self) {
  is_worker = true;
  pthread_setname_np(pthread_self(), "reprise");
  prctl(PR_SET_TIMERSLACK, 1000, 0, 0, 0);
  static_cast<Workers*>(self)->work();
  return nullptr;
}

void Workers::work() {
  Idle idle(*this);
  do {
    while (run_ready(idle) || join_team()) idle.restart();
  } while (!stopping_.load(std::memory_order_relaxed) && idle.pass());
  // When the process exits the thread stays: ending it would run destructors beside those of the process.
  if (stopping_.load(std::memory_order_relaxed)) new_permits_.sleep_until([] { return false; });
}

bool Workers::run_ready(Idle& idle) {
  if (!ready_.urgent()) {
    idle.saw_empty_list();
    return false;
  }
  if (stopping_.load(std::memory_order_relaxed)) return false;
  if (running_.load(std::memory_order_relaxed) >= cores_ && !idle.overdue()) return false;
  Lane* lane = ready_.pop();
  if (!lane) return false;
  lane->unlist();
  if (!lane->claim()) return true;  // Its holder lists it again if need be.
  run_lane(*lane);
  return true;
}

void Workers::run_lane(Lane& lane) {
  become_busy();
  lane.set_self_served(false);
  lane.note_empty(ticks());
  // Either stop() sees this worker running, or this worker sees that it must stop and releases the lane.
  const uint64_t limit = stopping_.load(std::memory_order_seq_cst) ? 0 : ~uint64_t{0};
  lane.run(limit, Slice(*this, lane));
  running_.fetch_sub(1, std::memory_order_release);  // what it did comes before what follows stop()
  become_idle();
}

// Takes a self-served lane if no waiting thread has returned to it since the last inspection.
bool Workers::inspect_later() {
  for (int looks = 0; looks < 16; ++looks) {
    Lane* lane = ready_.pop_later();
    if (!lane) return false;
    uint64_t completed = lane->progress_.completed();
    if (std::exchange(lane->inspected_, completed) != completed && lane->self_served()) {
      ready_.push(*lane, ReadyList::later);
      continue;
    }
    lane->unlist();
    if (!lane->has_work() || !lane->claim()) continue;
    run_lane(*lane);
    return true;
  }
  return false;
}

bool Workers::could_join() const { return Team::any_open() && running_.load(std::memory_order_relaxed) < cores_; }

bool Workers::join_team() {
  if (!could_join()) return false;
  become_busy();
  std::unique_ptr<Standby> next_round;
  const bool joined = Team::join_any(&next_round);
  if (joined) stand_by(next_round.get());
  running_.fetch_sub(1, std::memory_order_release);  // what it did comes before what follows stop()
  become_idle();
  return joined;
}

// The next piece of work of the same kind often follows at once: the next round of what the last team offered, if it
// did, or another team.
void Workers::stand_by(Standby* next_round) {
  bool joined = false;
  const auto over = [&] {
    if (ready_.urgent() || (next_round && !next_round->worthwhile())) return true;
    return joined = (next_round && next_round->join()) || (Team::any_open() && Team::join_any());
  };
  do {
    joined = false;
    spin_until(deadline_after(tuning::standby_ns), over);
  } while (joined);
}

void Workers::become_busy() {
  running_.fetch_add(1, std::memory_order_seq_cst);
  awake_.fetch_sub(1, std::memory_order_seq_cst);
  // Self-served lanes are often held by the very thread that waits for this work.
  if (ready_.urgent() || ready_.any_left_alone()) ensure_awake();
}

// ---- waking and sleeping ----------------------------------------------------------------------------------------

void Workers::ensure_awake() {
  if (awake_.load(std::memory_order_seq_cst) == 0) wake_or_start();
}

void Workers::wake_or_start() {
  if (!wake_sleeper()) start_one();
}

bool Workers::leave_sleepers() {
  int count = asleep_.load(std::memory_order_relaxed);
  while (count > 0) {
    if (asleep_.compare_exchange_weak(count, count - 1, std::memory_order_seq_cst)) return true;
  }
  return false;
}

bool Workers::wake_sleeper() {
  if (!leave_sleepers()) return false;
  awake_.fetch_add(1, std::memory_order_seq_cst);
  permits_.fetch_add(1, std::memory_order_release);
  new_permits_.notify_one();
  return true;
}

void Workers::start_one() {
  if (stopping_.load(std::memory_order_relaxed) || abandoned_.load(std::memory_order_relaxed)) return;
  if (total_.fetch_add(1, std::memory_order_relaxed) >= tuning::most_workers) {
    total_.fetch_sub(1, std::memory_order_relaxed);
    return;
  }
  awake_.fetch_add(1, std::memory_order_seq_cst);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Kernels keep their large arrays elsewhere, but recursion in device code uses the stack.
  pthread_attr_setstacksize(&attributes, size_t{8} << 20);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, &Workers::start, this) != 0) {
    awake_.fetch_sub(1, std::memory_order_seq_cst);
    total_.fetch_sub(1, std::memory_order_relaxed);
  }
  pthread_attr_destroy(&attributes);
}

// Sleeps until there is a permit. Returns false if the worker must end: it is surplus and was not needed for long.
bool Workers::sleep() {
  asleep_.fetch_add(1, std::memory_order_seq_cst);
  awake_.fetch_sub(1, std::memory_order_seq_cst);
  // A thread that added a lane or opened a team before it saw this worker leave relies on it.
  const bool expected = !ready_.empty() && awake_.load(std::memory_order_seq_cst) == 0;
  if ((expected || could_join()) && leave_sleepers()) {
    become_idle();
    return true;
  }
  const bool surplus = total_.load(std::memory_order_relaxed) > cores_ + 1;
  bool permitted = false;
  const auto over = [&] { return (permitted = take_permit()) || stopping_.load(std::memory_order_relaxed); };
  while (!new_permits_.sleep_until(over, surplus ? tuning::retire_ns : watch_period_ns.load())) {
    watch_if_due();
    if (!surplus) continue;
    if (!leave_sleepers()) continue;  // A permit is on its way.
    total_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  return permitted;
}

bool Workers::take_permit() {
  uint32_t permits = permits_.load(std::memory_order_acquire);
  while (permits > 0) {
    if (permits_.compare_exchange_weak(permits, permits - 1, std::memory_order_acquire)) return true;
  }
  return false;
}

// Sleeps for `ns`, or less if nudged. Returns whether there was a lane to run.
bool Workers::doze(int64_t ns) {
  const uint32_t seen = nudges_.epoch();
  nudges_.sleep_until([&] { return nudges_.epoch() != seen || could_join(); }, ns);
  return !stopping_.load(std::memory_order_relaxed) && inspect_later();
}

void Workers::invite(unsigned count) {
  unsigned spinning = static_cast<unsigned>(std::max(0, spinning_.load(std::memory_order_seq_cst)));
  count -= std::min(count, spinning);
  if (count == 0) return;
  if (someone_dozes_.load(std::memory_order_seq_cst)) {
    nudge();
    --count;
  }
  for (; count > 0; --count) {
    if (!wake_sleeper() && total_.load(std::memory_order_relaxed) < cores_) start_one();
  }
}

void Workers::nudge() { nudges_.notify_all(); }

bool Workers::count_leader() {
  if (is_worker) return false;
  running_.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void Workers::begin_blocking() {
  if (!is_worker) return;
  running_.fetch_sub(1, std::memory_order_relaxed);
  if (!ready_.empty()) ensure_awake();
}

void Workers::end_blocking() {
  if (is_worker) running_.fetch_add(1, std::memory_order_relaxed);
}

BlockingScope::BlockingScope() { Workers::instance().begin_blocking(); }
BlockingScope::~BlockingScope() { Workers::instance().end_blocking(); }

void Workers::stop() {
  if (abandoned_.load(std::memory_order_relaxed)) return;
  stopping_.store(true, std::memory_order_seq_cst);
  // A task that never ends, ends with the process.
  poll_until([this] { return running_.load(std::memory_order_seq_cst) <= 0; }, tuning::stop_poll_ns,
             tuning::stop_limit_ns);
}

}  // namespace reprise_runtime::exec
