// The work of event record and event wait nodes.
#pragma once

#include "base/status.h"
#include "diagnose/refuse.h"
#include "op/event_record.h"
#include "op/event_wait.h"

namespace reprise_runtime::graph {

// T is op::EventRecord or op::EventWait.
template <class T>
Result<T> event_work(cudaEvent_t handle) {
  Result<Ref<event::Event>> event = event::find(handle);
  if (!event.ok()) {
    return diagnose::refuse(cudaErrorInvalidValue, "%p is not an event, or it was destroyed",
                            static_cast<void*>(handle));
  }
  return T{std::move(*event)};
}

// The event's handle, even if the event was destroyed.
template <class T>
cudaEvent_t event_of(const T& work) {
  return work.event->handle().template as<cudaEvent_t>();
}

}  // namespace reprise_runtime::graph
