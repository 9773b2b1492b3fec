// Switches stacks, and announces each switch to the sanitizers.
//
// This uses make_fcontext() and jump_fcontext() from Boost.Context's namespace `detail`. The public classes
// boost::context::fiber and continuation are built on the same two, but they allocate stacks themselves, unwind a
// suspended stack by an exception when they are destroyed, and return a new object from each switch. Here stacks are
// mapped once and reused by every block, a faulting block is dropped without unwinding, and a switch is part of every
// barrier. The assertion below ties the use to versions whose two functions have the same signatures.
//
// Thread safety: a StackContext belongs to one thread.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <boost/version.hpp>
#include <cstddef>
#include <type_traits>

#include "base/thread_local.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define REPRISE_ASAN_FIBERS 1
#endif
#if __has_feature(thread_sanitizer)
#define REPRISE_TSAN_FIBERS 1
#endif
#endif

#if defined(REPRISE_ASAN_FIBERS)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(REPRISE_TSAN_FIBERS)
#include <sanitizer/tsan_interface.h>
#endif

namespace reprise_runtime::exec {

static_assert(BOOST_VERSION >= 106100 && BOOST_VERSION < 109000,
              "check that Boost.Context's fcontext still has the interface of 1.74 and 1.83, and extend the range");
static_assert(std::is_same_v<decltype(&boost::context::detail::jump_fcontext),
                             boost::context::detail::transfer_t (*)(boost::context::detail::fcontext_t, void*)>);

// A suspended or running stack. `bottom` and `size` are known for fibers from the start; for the stack of the thread
// itself AddressSanitizer tells them at the first switch away from it.
struct StackContext {
  boost::context::detail::fcontext_t suspended = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
  void* fake_stack = nullptr;  // AddressSanitizer's
  void* tsan_fiber = nullptr;  // ThreadSanitizer's
};

// The context that jumped here last, so that the one that wakes up can note where the other was suspended.
inline REPRISE_THREAD_LOCAL StackContext* switched_from = nullptr;

// Called first thing on the stack that was switched to.
inline void arrived(StackContext& here, boost::context::detail::transfer_t transfer) {
  switched_from->suspended = transfer.fctx;
#if defined(REPRISE_ASAN_FIBERS)
  __sanitizer_finish_switch_fiber(here.fake_stack, &switched_from->bottom, &switched_from->size);
#endif
  (void)here;
}

// Suspends `from` and goes on where `to` was suspended. Returns when something switches back to `from`.
// `last` says that `from` never runs again.
inline void switch_stack(StackContext& from, StackContext& to, bool last = false) {
  switched_from = &from;
#if defined(REPRISE_ASAN_FIBERS)
  __sanitizer_start_switch_fiber(last ? nullptr : &from.fake_stack, to.bottom, to.size);
#endif
#if defined(REPRISE_TSAN_FIBERS)
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
  (void)last;
  arrived(from, boost::context::detail::jump_fcontext(to.suspended, nullptr));
}

}  // namespace reprise_runtime::exec
