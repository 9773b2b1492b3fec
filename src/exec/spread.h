// A range of items over the cores.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/thread_local.h"

namespace reprise_runtime::exec {

// The calling thread shares no work: for whoever must know on which thread something is done.
inline REPRISE_THREAD_LOCAL bool stay_alone = false;

// How the range goes to the threads. `shared`: each core begins with a share of its own, the same as the last time
// where it can be, so that it finds in its cache what it left there. `rising`: all begin at the beginning, for items
// that often wait for the ones just before them.
enum class Order { shared, rising };

// Calls body(begin, end) for parts that make up [0, count), each item once, on this thread and on whoever is idle.
// An item may wait for earlier ones: none of them is left for a thread that itself waits for this one (see shares.h).
// Little work stays on this thread. `ns_per_item` is what an item took before (0: not known). `smallest_part` keeps
// parts at least that large where the range allows.
// Returns what an item took this time, in nanoseconds of one core, or 0 where there was nothing to learn.
double spread(uint64_t count, double ns_per_item, uint64_t smallest_part, Order order,
              void (*body)(void* context, uint64_t begin, uint64_t end), void* context);

template <class Body>
double spread(uint64_t count, double ns_per_item, uint64_t smallest_part, Body&& body, Order order = Order::shared) {
  using Callable = std::remove_reference_t<Body>;
  return spread(
      count, ns_per_item, smallest_part, order,
      [](void* context, uint64_t begin, uint64_t end) { (*static_cast<Callable*>(context))(begin, end); },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace reprise_runtime::exec
