// What may not be done while streams capture. Each check costs one load while none does.
//
// What is refused invalidates the captures it concerns, unless it is said not to; the log gets an explanation.
#pragma once

#include <driver_types.h>

#include "base/thread_local.h"
#include "event/event.h"
#include "stream/capture.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// The calling thread's mode for unsafe calls. What is no mode is taken for thread-local.
inline REPRISE_THREAD_LOCAL cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// A call, as far as an explanation tells of it. What is not given is left out.
struct RefusedCall {
  const char* instead;  // what to do
  size_t bytes = 0;
  const void* address = nullptr;
  bool invalidates = true;
};

// For calls that do not go through a stream and may change or wait for what the captured work needs: prohibited by the
// modes of captures and threads.
[[gnu::cold]] cudaError_t refuse_unsafe(const RefusedCall& call);
[[nodiscard]] inline cudaError_t check_unsafe(const RefusedCall& call) {
  return any_capture() ? refuse_unsafe(call) : cudaSuccess;
}

// For calls with a stream that no graph can hold: prohibited while it captures, and for the legacy stream while a
// blocking stream of its device does.
[[gnu::cold]] cudaError_t refuse_in_capture(Stream& stream, const RefusedCall& call);
[[nodiscard]] inline cudaError_t check_outside_capture(Stream& stream, const RefusedCall& call) {
  return stream.may_capture() ? refuse_in_capture(stream, call) : cudaSuccess;
}

// The captures with blocking streams of the device, all of them invalidated. With capture_mutex().
std::vector<Capture*> invalidate_blocking(int device);

// For calls that wait for all work of a device.
[[gnu::cold]] cudaError_t refuse_of_device(int device);
[[nodiscard]] inline cudaError_t check_device_outside_capture(int device) {
  return any_capture() ? refuse_of_device(device) : cudaSuccess;
}

// For calls that ask whether an event has come, or when.
[[gnu::cold]] cudaError_t refuse_captured_event(event::Event& event, bool invalidates);
[[nodiscard]] inline cudaError_t check_event_outside_capture(event::Event& event, bool invalidates = true) {
  return event.is_captured() ? refuse_captured_event(event, invalidates) : cudaSuccess;
}

// A kernel could not be launched because of `status`: a capture does not survive that.
[[gnu::cold]] cudaError_t launch_failed(Stream& stream, cudaError_t status);

}  // namespace reprise_runtime::stream
