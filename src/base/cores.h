// The core that a thread runs on, and leaving it.
#pragma once

#include <sched.h>

namespace reprise_runtime {

inline int current_core() { return sched_getcpu(); }

// Moves the calling thread to another core of its affinity mask, if there is one. The mask stays as it was.
inline void leave_core(int core) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  cpu_set_t others = allowed;
  CPU_CLR(static_cast<size_t>(core), &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace reprise_runtime
