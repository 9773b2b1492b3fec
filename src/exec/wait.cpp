#include "exec/wait.h"

#include "base/clock.h"
#include "base/devices.h"
#include "base/futex.h"
#include "base/pause.h"
#include "exec/blocking.h"
#include "exec/lane.h"
#include "exec/team.h"
#include "exec/workers.h"

namespace reprise_runtime::exec {
namespace {

// Long enough for most of what other threads are in the middle of; beyond it a wake-up hardly shows.
constexpr double spin_ns = 100'000;
// A sleeper looks again this often: a lane that was being run may have been given up with work left.
constexpr int64_t nap_ns = 1'000'000;
// Tasks between two waits that are no stream of work, and how soon a wait follows on them.
constexpr uint64_t few_tasks = 2;
constexpr double at_once_ns = 5'000;
// Work shorter than this is done before a worker would have taken it over.
constexpr double self_service_ns = 2'000;
// Work of other lanes is worth a nudge when this thread has been busy with its own for this long meanwhile.
constexpr double nudge_after_ns = 4'000;

// What the marker waits for in the end: the marker itself, or through lanes that are blocked, another lane's.
Marker first_obstacle(Marker marker) {
  while (Lane* lane = marker.progress->lane()) {
    Marker next = lane->blocked_on();
    // Only if the marker is still ahead is it certain that it stands behind what the lane waits for.
    if (!next.progress || marker.reached()) break;
    marker = next;
  }
  return marker;
}

// What a thread that runs a lane for itself thinks of between two tasks: others' lanes that a dozing worker would look
// at only later. Waking it pays once this thread is busy for longer than the call takes.
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
    if (ticks_to_ns(now - noticed_) < nudge_after_ns) return;
    nudged_ = true;
    Workers::instance().nudge();
  }

  bool nudged_ = false;
  uint64_t noticed_ = 0;
};

// Whether a thread that waits came for its work before anybody else could have done much of it, as one does that
// launches something and waits for it at once. Such work is its own: handing it over and back only costs.
bool came_at_once(Lane& lane, const Marker& marker) {
  return lane.tasks_since_wait(marker.value) <= few_tasks && ticks_to_ns(ticks() - lane.empty_at()) < at_once_ns;
}

// Runs what stands before the marker, as far as this thread can. False when somebody else is at it.
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
  const bool few = lane->tasks_since_wait(marker.value) <= 8 * few_tasks;
  uint64_t start = ticks();
  lane->run(marker.value, Helper());
  lane->set_self_served(few || ticks_to_ns(ticks() - start) < self_service_ns);
  return true;
}

bool spin(const Marker& marker, uint64_t until) {
  Lane* lane = marker.progress->lane();
  do {
    for (int i = 0; i < 16; ++i) {
      if (marker.reached() || (lane && (lane->claimable() || Team::open_for(lane)))) return true;
      pause();
    }
  } while (ticks() < until);
  return false;
}

struct Sleeper : Waiter {
  std::atomic<uint32_t> woken{0};

  Sleeper() {
    notify = [](Waiter& waiter) {
      std::atomic<uint32_t>& word = static_cast<Sleeper&>(waiter).woken;
      word.store(1, std::memory_order_release);
      futex::wake_one(word);  // The word may be gone by now; waking nobody there is harmless.
    };
  }
};

void sleep(const Marker& marker) {
  Sleeper sleeper;
  sleeper.value = marker.value;
  if (!marker.progress->add(sleeper)) return;
  futex::wait(sleeper.woken, 0, nap_ns);
  if (marker.progress->remove(sleeper)) return;
  while (sleeper.woken.load(std::memory_order_acquire) == 0) pause();
}

}  // namespace

void wait(const Marker& marker, Patience patience) {
  uint64_t spin_until = 0;
  while (!marker.reached()) {
    Marker obstacle = first_obstacle(marker);
    if (help(obstacle)) {
      spin_until = 0;
      continue;
    }
    if (patience == Patience::spin && core_count() > 1) {
      if (spin_until == 0) spin_until = ticks() + static_cast<uint64_t>(spin_ns / ns_per_tick());
      if (spin(obstacle, spin_until)) continue;
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
