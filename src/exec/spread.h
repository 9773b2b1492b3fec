// A range of items over the cores.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/thread_local.h"

namespace reprise::exec {

// The calling thread shares no work: for whoever must know on which thread something is done.
inline REPRISE_THREAD_LOCAL bool stay_alone = false;

// Calls body(begin, end) for parts that make up [0, count), each item once, on this thread and on whoever is idle.
// Parts are handed out in rising order, and each is run in the order of its items: an item may wait for earlier ones.
// Little work stays on this thread. `ns_per_item` is what an item took before (0: not known). `smallest_part` keeps
// parts at least that large where the range allows.
// Returns what an item took this time, in nanoseconds of one core, or 0 where there was nothing to learn.
double spread(uint64_t count, double ns_per_item, uint64_t smallest_part,
              void (*body)(void* context, uint64_t begin, uint64_t end), void* context);

template <class Body>
double spread(uint64_t count, double ns_per_item, uint64_t smallest_part, Body&& body) {
  using Callable = std::remove_reference_t<Body>;
  return spread(
      count, ns_per_item, smallest_part,
      [](void* context, uint64_t begin, uint64_t end) { (*static_cast<Callable*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace reprise::exec
