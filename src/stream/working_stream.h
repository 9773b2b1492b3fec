// The stream behind a handle, for calls that have looked at their arguments and now need the device.
#pragma once

#include "base/last_error.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// The current device's error where it had a fault.
inline Result<Ref<Stream>> find_working(cudaStream_t handle) {
  if (cudaError_t status = sticky_error(current_device()); status != cudaSuccess) return status;
  return find(handle);
}

// The same, without counting a reference: see borrow.
inline Result<Stream*> borrow_working(cudaStream_t handle) {
  if (cudaError_t status = sticky_error(current_device()); status != cudaSuccess) return status;
  return borrow(handle);
}

}  // namespace reprise_runtime::stream
