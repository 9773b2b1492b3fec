// Attaching managed memory to a stream. Host and device can always access all of it here, so the call only performs
// CUDA's checks.
#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "stream/capture_rules.h"
#include "stream/working_stream.h"

using namespace reprise_runtime;
using diagnose::refuse;

namespace {

cudaError_t attach(cudaStream_t handle, void* address, size_t length, unsigned flags) {
  Result<Ref<stream::Stream>> stream = stream::find_working(handle);
  if (!stream.ok()) return stream.status();
  // As on an H200, a capture comes before the arguments: also a wrong pointer invalidates it.
  const stream::RefusedCall call = {"attach the memory before the capture", length, address};
  if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  if (cudaError_t refused = check_unsafe(call); refused != cudaSuccess) return refused;
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle) {
    return refuse(cudaErrorInvalidValue,
                  "flags must be cudaMemAttachGlobal, cudaMemAttachHost or cudaMemAttachSingle, not 0x%x", flags);
  }
  const memory::Range range = memory::lookup(address);
  if (range.kind != memory::MemoryKind::managed || range.base != reinterpret_cast<uintptr_t>(address)) {
    return refuse(cudaErrorInvalidValue, "%p is %s, not the start of managed memory", address, describe(range.kind));
  }
  if (length != 0 && length != range.size) {
    return refuse(cudaErrorInvalidValue, "the length must be 0 or the size of the allocation, %zu, not %zu", range.size,
                  length);
  }
  const bool shared_stream = handle == nullptr || handle == cudaStreamLegacy || handle == cudaStreamPerThread;
  if (flags == cudaMemAttachSingle && shared_stream) {
    return refuse(cudaErrorInvalidValue, "memory cannot be attached to a single default stream");
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

WITH_STREAM(cudaStreamAttachMemAsync, (cudaStream_t stream, void* devPtr, size_t length, unsigned int flags),
            (stream, devPtr, length, flags), attach(stream, devPtr, length, flags))
}
