#include "stream/kernel_launch.h"

namespace reprise::stream {
namespace {

// The event that an attribute names: null when there is no such attribute.
Result<Ref<event::Event>> event_of(const cudaLaunchAttributeValue* value, cudaEvent_t handle) {
  if (!value) return Ref<event::Event>();
  Result<Ref<event::Event>> event = event::find(handle);
  if (event.ok() && (*event)->timed()) return cudaErrorNotSupported;
  return event;
}

cudaError_t launch_with_events(Stream& stream, op::Kernel&& kernel) {
  const auto* completion = kernel.attributes.find(cudaLaunchAttributeLaunchCompletionEvent);
  const auto* programmatic = kernel.attributes.find(cudaLaunchAttributeProgrammaticEvent);
  Result<Ref<event::Event>> begun = event_of(completion, completion ? completion->launchCompletionEvent.event : nullptr);
  if (!begun.ok()) return begun.status();
  Result<Ref<event::Event>> triggered =
      event_of(programmatic, programmatic ? programmatic->programmaticEvent.event : nullptr);
  if (!triggered.ok()) return triggered.status();
  if (cudaError_t status = stream.submit(std::move(kernel)); status != cudaSuccess) return status;
  for (const Ref<event::Event>& event : {*begun, *triggered}) {
    if (!event) continue;
    if (cudaError_t status = stream.submit(op::EventRecord{event}); status != cudaSuccess) return status;
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t launch(Stream& stream, op::Kernel&& kernel) {
  if (kernel.attributes.empty()) return stream.submit(std::move(kernel));
  return launch_with_events(stream, std::move(kernel));
}

}  // namespace reprise::stream
