// The stream of a handle, for calls that check their arguments first and then need a working device.
#pragma once

#include "base/last_error.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// Returns the current device's sticky error if it had a fault.
inline Result<Ref<Stream>> find_working(cudaStream_t handle) {
  if (cudaError_t status = sticky_error(current_device()); status != cudaSuccess) return status;
  return find(handle);
}

// The same without counting a reference: see borrow.
inline Result<Stream*> borrow_working(cudaStream_t handle) {
  if (cudaError_t status = sticky_error(current_device()); status != cudaSuccess) return status;
  return borrow(handle);
}

}  // namespace reprise_runtime::stream
