// Waiting for a marker by doing the work that stands before it.
#pragma once

#include <atomic>

#include "exec/progress.h"

namespace reprise_runtime::exec {

enum class Patience {
  spin,   // looks for a while before it sleeps: soonest back
  sleep,  // sleeps at once when others do the work: cheapest
};

// Returns when the marker is reached. Meanwhile the calling thread runs tasks itself, but only those that must be done
// before: of the marker's lane up to the marker, and of the lanes that one waits for, and so on. What another thread is
// running already it joins if it is a team's work, or waits for.
void wait(const Marker& marker, Patience patience = Patience::spin);

// The same for a thread that has no room left on its stack for more work: others do it all.
void wait_for_others(const Marker& marker);

// Once set, runs at the end of every wait() on the thread that waited: for what only a wait makes visible.
inline std::atomic<void (*)()> after_wait = nullptr;

// The end of a wait, also of one that found nothing to wait for.
inline void waited() {
  if (auto* callback = after_wait.load(std::memory_order_relaxed)) callback();
}

}  // namespace reprise_runtime::exec
