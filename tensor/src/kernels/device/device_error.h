// Errors that only the device can find, since the host does not know the values: an index that is out of range. The
// kernel writes a record in pinned host memory, and the next call that waits for the device, or the next replay,
// throws.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace reprise::kernels {

struct DeviceError {
  int taken;         // by the first thread that has something to report
  const char* what;  // "embedding: index"; a string literal of the host, null until the record is complete
  std::int64_t value, count;
};

// The record, to be passed to kernels.
DeviceError* device_error();

// Throws if a kernel has reported an error, and clears the record. Call it after the kernels have run.
void check_device_error();

#ifdef __CUDACC__
// "`what` `value` is out of range: there are `count`".
__device__ inline void report_out_of_range(DeviceError* error, const char* what, std::int64_t value,
                                           std::int64_t count) {
  if (atomicCAS(&error->taken, 0, 1) != 0) return;
  error->value = value;
  error->count = count;
  __threadfence_system();
  error->what = what;
}
#endif

}  // namespace reprise::kernels
