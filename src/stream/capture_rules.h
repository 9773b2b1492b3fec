// Checks for calls that are not allowed while streams capture. Each costs one load while no stream does.
//
// A refused call invalidates the captures that it concerns, unless stated otherwise, and is explained in the log.
// Thread safety: every function may be called from any thread.
#pragma once

#include <driver_types.h>

#include "base/thread_local.h"
#include "event/event.h"
#include "stream/capture.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// The calling thread's mode for unsafe calls. As on an H200, an unknown mode counts as thread-local.
inline REPRISE_THREAD_LOCAL cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

// A call, for its explanation. Fields that are 0 or null are left out.
struct RefusedCall {
  const char* instead;  // the way out
  size_t bytes = 0;
  const void* address = nullptr;
  bool invalidates = true;
};

// For unsafe calls, which use no stream and may change or wait for what the captured work needs: whether they are
// allowed depends on the modes of the captures and of the thread.
[[gnu::cold]] cudaError_t refuse_unsafe(const RefusedCall& call);
[[nodiscard]] inline cudaError_t check_unsafe(const RefusedCall& call) {
  return any_capture() ? refuse_unsafe(call) : cudaSuccess;
}

// For calls with a stream that no node can represent: refused while the stream captures, and for the legacy stream
// while a blocking stream of its device captures.
[[gnu::cold]] cudaError_t refuse_in_capture(Stream& stream, const RefusedCall& call);
[[nodiscard]] inline cudaError_t check_outside_capture(Stream& stream, const RefusedCall& call) {
  return stream.may_capture() ? refuse_in_capture(stream, call) : cudaSuccess;
}

// Invalidates and returns the captures with blocking streams of the device. The caller holds capture_mutex().
std::vector<Capture*> invalidate_blocking(int device);

// For calls that wait for all work of a device.
[[gnu::cold]] cudaError_t refuse_device_wait(int device);
[[nodiscard]] inline cudaError_t check_device_outside_capture(int device) {
  return any_capture() ? refuse_device_wait(device) : cudaSuccess;
}

// For calls that wait for an event, query it or read its time.
[[gnu::cold]] cudaError_t refuse_captured_event(event::Event& event, bool invalidates);
[[nodiscard]] inline cudaError_t check_event_outside_capture(event::Event& event, bool invalidates = true) {
  return event.is_captured() ? refuse_captured_event(event, invalidates) : cudaSuccess;
}

// Handles a launch that was refused with `status`: invalidates the capture that the stream is part of.
[[gnu::cold]] cudaError_t launch_failed(Stream& stream, cudaError_t status);

}  // namespace reprise_runtime::stream
