#include "stream/capture_rules.h"

#include <algorithm>

#include "stream/capture_explanation.h"
#include "stream/device_streams.h"

namespace reprise_runtime::stream {
namespace {

bool prohibits_unsafe(const Capture& capture) {
  if (thread_mode == cudaStreamCaptureModeRelaxed || capture.mode() == cudaStreamCaptureModeRelaxed) return false;
  if (capture.thread() == this_thread()) return true;
  return thread_mode == cudaStreamCaptureModeGlobal && capture.mode() == cudaStreamCaptureModeGlobal;
}

bool has_stream_of(const Capture& capture, int device) {
  for (const auto& part : capture.parts()) {
    if (part->device == device) return true;
  }
  return false;
}

// Invalidates and returns the captures for which `concerns` is true.
template <class Concerns>
std::vector<Capture*> invalidate_all(Concerns&& concerns) {
  std::vector<Capture*> found;
  for (Capture* capture : Capture::all()) {
    if (!concerns(*capture)) continue;
    found.push_back(capture);
    capture->invalidate();
  }
  return found;
}

}  // namespace

std::vector<Capture*> invalidate_blocking(int device) {
  return invalidate_all([&](const Capture& capture) {
    return std::any_of(capture.parts().begin(), capture.parts().end(),
                       [&](const auto& part) { return part->blocking && part->device == device; });
  });
}

cudaError_t refuse_unsafe(const RefusedCall& call) {
  MutexLock lock(capture_mutex());
  const std::vector<Capture*> captures = invalidate_all(prohibits_unsafe);
  return captures.empty() ? cudaSuccess : explain::unsafe(captures, call);
}

cudaError_t refuse_in_capture(Stream& stream, const RefusedCall& call) {
  MutexLock lock(capture_mutex());
  CapturePart* part = stream.capture();
  if (!part) return cudaSuccess;
  if (!part->capture) return explain::legacy_used(stream);
  if (call.invalidates) part->capture->invalidate();
  return explain::no_node_type(*part, call);
}

cudaError_t refuse_device_wait(int device) {
  MutexLock lock(capture_mutex());
  const std::vector<Capture*> captures =
      invalidate_all([&](const Capture& capture) { return has_stream_of(capture, device); });
  return captures.empty() ? cudaSuccess : explain::device_waited_for(captures);
}

cudaError_t refuse_captured_event(event::Event& event, bool invalidates) {
  std::shared_ptr<event::CapturedRecord> record = event.captured();
  if (!record) return cudaSuccess;
  MutexLock lock(capture_mutex());
  Capture& capture = *static_cast<CapturedRecord&>(*record).capture;
  if (!capture.active()) return explain::stale_event(event, capture);
  if (invalidates) capture.invalidate();
  return explain::captured_event_queried(event, capture);
}

cudaError_t launch_failed(Stream& stream, cudaError_t status) {
  // Without a function there was no launch.
  if (status == cudaErrorInvalidDeviceFunction || status == cudaErrorInvalidResourceHandle) return status;
  if (!stream.may_capture()) return status;
  MutexLock lock(capture_mutex());
  CapturePart* part = stream.capture();
  if (!part || !part->capture || !part->capture->active()) return status;
  part->capture->invalidate();
  return explain::launch_failed(*part, status);
}

}  // namespace reprise_runtime::stream
