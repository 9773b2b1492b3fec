// The last error of each thread, and the error that a device keeps after a fault.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <utility>

#include "base/devices.h"

namespace reprise_runtime {
namespace detail {
inline REPRISE_THREAD_LOCAL cudaError_t last_error = cudaSuccess;
inline std::atomic<cudaError_t> sticky_errors[max_devices] = {};
inline constinit cudaError_t hidden_devices = cudaSuccess;
}  // namespace detail

// Keeps an error as the thread's last one, and returns it. Success leaves the last error as it is.
inline cudaError_t record_error(cudaError_t status) {
  if (status != cudaSuccess) [[unlikely]]
    detail::last_error = status;
  return status;
}

inline cudaError_t peek_last_error() { return detail::last_error; }
inline cudaError_t take_last_error() { return std::exchange(detail::last_error, cudaSuccess); }

// The error of every call of a process that sees no device; success otherwise. Constant once the library is loaded.
inline cudaError_t hidden_devices_error() { return detail::hidden_devices; }
inline void hide_devices(cudaError_t error) { detail::hidden_devices = error; }

// After a fault in a kernel every call on that device returns its error, until the device is reset.
inline cudaError_t sticky_error(int device) { return detail::sticky_errors[device].load(std::memory_order_relaxed); }
// The first error is kept.
inline void set_sticky_error(int device, cudaError_t error) {
  cudaError_t none = cudaSuccess;
  detail::sticky_errors[device].compare_exchange_strong(none, error, std::memory_order_relaxed);
}
// In the child of a fork from a process with workers the error is permanent, since the workers do not exist there.
inline void clear_sticky_error(int device) {
  cudaError_t error = sticky_error(device);
  if (error == cudaErrorInitializationError) return;
  detail::sticky_errors[device].compare_exchange_strong(error, cudaSuccess, std::memory_order_relaxed);
}

}  // namespace reprise_runtime
