// Runs a range of items on all idle cores.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <type_traits>

#include "base/thread_local.h"

namespace reprise_runtime::exec {

// While set, the calling thread shares no work: for callers that depend on the thread that does it.
inline REPRISE_THREAD_LOCAL bool stay_alone = false;

// How the range is divided among threads. `shared`: each core begins with its own share, where possible the same as the
// last time, whose data are in its cache. `rising`: all begin at the front, for items that often wait for the items
// just before them.
enum class Order { shared, rising };

// Calls body(begin, end) for parts that make up [0, count), each item once, on this thread and on idle workers. An item
// may wait for earlier ones: none of them depends on a thread that waits for this one (see shares.h). Short work stays
// on this thread. `ns_per_item` is the time of an item so far (0: not known). Parts have at least `smallest_part` items
// where the range allows. Returns the time of an item this time, in nanoseconds of one core, or 0 if it is not known.
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
