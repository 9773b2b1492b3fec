// Where the program launches a kernel, for reports of faults. `<<<>>>` compiles to a call of
// __cudaPushCallConfiguration from that place, and then of a stub that calls cudaLaunchKernel.
#pragma once

#include <utility>

#include "base/thread_local.h"

namespace reprise_runtime::api {

// Of the latest `<<<>>>` on this thread that has not launched yet; null if there is none.
inline REPRISE_THREAD_LOCAL const void* launch_caller = nullptr;

// The place of the launch by an entry point that returns to `return_address`.
inline const void* take_launch_caller(const void* return_address) {
  const void* caller = std::exchange(launch_caller, nullptr);
  return caller ? caller : return_address;
}

}  // namespace reprise_runtime::api
