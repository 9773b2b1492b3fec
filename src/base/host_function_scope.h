// Marks the time in which a thread runs a user's host function: CUDA forbids calls of the runtime from there.
#pragma once

#include <utility>

#include "base/thread_local.h"

namespace reprise {
namespace detail {
inline REPRISE_THREAD_LOCAL bool in_host_function = false;
}

inline bool in_host_function() { return detail::in_host_function; }

class HostFunctionScope {
 public:
  HostFunctionScope() : before_(std::exchange(detail::in_host_function, true)) {}
  ~HostFunctionScope() { detail::in_host_function = before_; }
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;

 private:
  bool before_;
};

}  // namespace reprise
