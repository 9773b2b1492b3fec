// Marks the scope in which a thread runs a user's host function, where CUDA forbids calls into the runtime. The scope
// has a last error of its own, since the thread may be one that waits in an API call.
#pragma once

#include <utility>

#include "base/last_error.h"
#include "base/thread_local.h"

namespace reprise_runtime {
namespace detail {
inline REPRISE_THREAD_LOCAL bool in_host_function = false;
}

inline bool in_host_function() { return detail::in_host_function; }

class HostFunctionScope {
 public:
  HostFunctionScope()
      : before_(std::exchange(detail::in_host_function, true)),
        last_error_(std::exchange(detail::last_error, cudaSuccess)) {}
  ~HostFunctionScope() {
    detail::in_host_function = before_;
    detail::last_error = last_error_;
  }
  HostFunctionScope(const HostFunctionScope&) = delete;
  HostFunctionScope& operator=(const HostFunctionScope&) = delete;

 private:
  bool before_;
  cudaError_t last_error_;
};

}  // namespace reprise_runtime
