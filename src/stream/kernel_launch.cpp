#include "stream/kernel_launch.h"

#include "base/last_error.h"
#include "base/settings.h"
#include "diagnose/refuse.h"
#include "stream/capture.h"
#include "stream/capture_work.h"

namespace reprise_runtime::stream {
namespace {

Result<Ref<event::Event>> find_untimed(cudaEvent_t handle) {
  Result<Ref<event::Event>> event = event::find(handle);
  if (event.ok() && (*event)->timed()) {
    return diagnose::refuse(cudaErrorNotSupported, "an event of a launch must be created with cudaEventDisableTiming");
  }
  return event;
}

cudaError_t launch_with_events(Stream& stream, op::Kernel&& kernel) {
  Result<EventsOfAttributes> events = EventsOfAttributes::of(kernel.attributes);
  if (!events.ok()) return events.status();
  if (cudaError_t status = stream.submit(std::move(kernel)); status != cudaSuccess) return status;
  for (const Ref<event::Event>& event : {events->begun, events->triggered}) {
    if (!event) continue;
    if (cudaError_t status = stream.submit(op::EventRecord{event}); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

Result<EventsOfAttributes> EventsOfAttributes::of(const kernel::LaunchAttributes& attributes) {
  EventsOfAttributes events;
  if (attributes.empty()) return events;
  if (const auto* value = attributes.find(cudaLaunchAttributeLaunchCompletionEvent)) {
    Result<Ref<event::Event>> found = find_untimed(value->launchCompletionEvent.event);
    if (!found.ok()) return found.status();
    events.begun = std::move(*found);
    events.external |= (value->launchCompletionEvent.flags & cudaEventRecordExternal) != 0;
  }
  if (const auto* value = attributes.find(cudaLaunchAttributeProgrammaticEvent)) {
    Result<Ref<event::Event>> found = find_untimed(value->programmaticEvent.event);
    if (!found.ok()) return found.status();
    events.triggered = std::move(*found);
    events.at_block_start = value->programmaticEvent.triggerAtBlockStart != 0;
    events.external |= (value->programmaticEvent.flags & cudaEventRecordExternal) != 0;
  }
  return events;
}

namespace {

cudaError_t launch_async(Stream& stream, op::Kernel&& kernel) {
  if (kernel.attributes.empty()) return stream.submit(std::move(kernel));
  if (stream.may_capture()) {
    MutexLock lock(capture_mutex());
    // The capture records the events itself.
    CapturePart* part = stream.capture();
    if (part && part->capture) return capture_kernel(stream, *part, std::move(kernel));
  }
  if (kernel.attributes.find(cudaLaunchAttributeDeviceUpdatableKernelNode)) {
    return diagnose::refuse(cudaErrorNotSupported, "device code can change only nodes of graphs; capture the launch");
  }
  return launch_with_events(stream, std::move(kernel));
}

cudaError_t launch_and_wait(Stream& stream, op::Kernel&& kernel) {
  const cudaError_t status = launch_async(stream, std::move(kernel));
  return status == cudaSuccess ? wait_for_launch(stream) : status;
}

}  // namespace

const bool launch_blocking = switch_setting("CUDA_LAUNCH_BLOCKING");

cudaError_t wait_for_launch(Stream& stream) {
  if (stream.may_capture()) return cudaSuccess;
  stream.synchronize();
  return sticky_error(stream.device());
}

cudaError_t launch(Stream& stream, op::Kernel&& kernel) {
  if (launch_blocking) [[unlikely]]
    return launch_and_wait(stream, std::move(kernel));
  return launch_async(stream, std::move(kernel));
}

}  // namespace reprise_runtime::stream
