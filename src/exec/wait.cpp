#include "exec/wait.h"

#include "base/clock.h"
#include "base/tuning.h"
#include "base/waiting.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/long_waits.h"
#include "exec/team.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {
namespace {

// The marker itself, or, if its lane is blocked, the marker of another lane that it transitively waits for.
Marker first_obstacle(Marker marker) {
  while (Lane* lane = marker.progress->lane()) {
    Marker next = lane->blocked_on();
    // Only while the marker is not reached is it certain to come after what the lane waits for.
    if (!next.progress || marker.reached()) break;
    marker = next;
  }
  return marker;
}

// Between two tasks, a thread that runs a lane for itself looks for other ready lanes, which a dozing worker would
// notice only later. Waking the worker pays once this thread is busy for longer than the call takes.
class Helper {
 public:
  bool operator()(uint64_t tasks_run) {
    if (tasks_run == Lane::idle_now) return true;
    if (!nudged_ && Workers::instance().neglects_lanes()) [[unlikely]]
      consider_nudge();
    return false;
  }

 private:
  void consider_nudge() {
    uint64_t now = ticks();
    if (noticed_ == 0) noticed_ = now;
    if (ticks_to_ns(now - noticed_) < tuning::nudge_after_ns) return;
    nudged_ = true;
    Workers::instance().nudge();
  }

  bool nudged_ = false;
  uint64_t noticed_ = 0;
};

// Whether the waiting thread came before a worker could have done much, as a thread does that launches and waits at
// once. Handing such work over and back only costs.
bool came_at_once(Lane& lane, const Marker& marker) {
  return lane.tasks_since_wait(marker.value) <= tuning::few_tasks &&
         ticks_to_ns(ticks() - lane.empty_at()) < tuning::waits_at_once_ns;
}

// Runs the tasks before the marker, as far as this thread can. Returns false if another thread runs them.
bool help(const Marker& marker) {
  Lane* lane = marker.progress->lane();
  if (!lane) return false;
  if (!lane->claim()) {
    if (came_at_once(*lane, marker)) lane->set_self_served(true);
    return Team::join(lane);
  }
  // Reading the clock costs as much as the rest of a short wait: now and then is enough.
  if (marker.value % 8 != 0) {
    lane->run(marker.value, Helper());
    return true;
  }
  const bool few = lane->tasks_since_wait(marker.value) <= 8 * tuning::few_tasks;
  uint64_t start = ticks();
  lane->run(marker.value, Helper());
  lane->set_self_served(few || ticks_to_ns(ticks() - start) < tuning::self_service_ns);
  return true;
}

bool spin(const Marker& marker, uint64_t deadline) {
  Lane* lane = marker.progress->lane();
  return spin_until(deadline,
                    [&] { return marker.reached() || (lane && (lane->claimable() || Team::open_for(lane))); });
}

struct Sleeper : Waiter {
  WakeFlag woken;

  Sleeper() {
    notify = [](Waiter& waiter) { static_cast<Sleeper&>(waiter).woken.set(); };
  }
};

void sleep(const Marker& marker) {
  Sleeper sleeper;
  sleeper.value = marker.value;
  if (!marker.progress->add(sleeper)) return;
  sleeper.woken.sleep(tuning::wait_nap_ns);
  watch_if_due();
  if (marker.progress->remove(sleeper)) return;
  spin_or_yield([&] { return sleeper.woken.is_set(); });  // its notifier has taken it from the list and will set it
}

}  // namespace

void wait(const Marker& marker, WaitPolicy wait_policy) {
  uint64_t deadline = 0;  // of spinning; 0: none yet
  while (!marker.reached()) {
    Marker obstacle = first_obstacle(marker);
    if (help(obstacle)) {
      deadline = 0;
      continue;
    }
    if (wait_policy == WaitPolicy::spin) {
      if (deadline == 0) deadline = deadline_after(tuning::wait_spin_ns);
      if (spin(obstacle, deadline)) continue;
    }
    sleep(obstacle);
  }
  waited();
}

void wait_for_others(const Marker& marker) {
  BlockingScope blocked;
  while (!marker.reached()) sleep(marker);
  waited();
}

}  // namespace reprise_runtime::exec
