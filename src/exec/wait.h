// Waits for a marker by running the tasks before it.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <atomic>

#include "exec/progress.h"

namespace reprise_runtime::exec {

enum class WaitPolicy {
  spin,   // spins before it sleeps: lowest latency
  sleep,  // sleeps at once while other threads do the work: least processor time
};

// Returns when the marker is reached. Meanwhile the calling thread runs tasks itself, but only those that must be done
// before: of the marker's lane up to the marker, of the lanes that this lane waits for, and so on. If another thread
// runs them, it joins that thread's team, if there is one, or waits.
void wait(const Marker& marker, WaitPolicy wait_policy = WaitPolicy::spin);

// The same for a thread without stack space for further tasks: it only waits.
void wait_for_others(const Marker& marker);

// If set, runs at the end of every wait() on the thread that waited, for effects that become visible by a wait.
inline std::atomic<void (*)()> after_wait = nullptr;

// The end of a wait, even of one that had nothing to wait for.
inline void waited() {
  if (auto* callback = after_wait.load(std::memory_order_relaxed)) callback();
}

}  // namespace reprise_runtime::exec
