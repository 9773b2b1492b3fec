// Waits for an event.
#pragma once

#include "event/event.h"
#include "op/context.h"

namespace reprise_runtime::op {

struct EventWait {
  Ref<event::Event> event;

  // Within a graph: waits for the latest record at the time it runs. A stream waits without blocking a thread.
  void run(const Context&) const { event->point().wait(exec::WaitPolicy::spin); }
};

}  // namespace reprise_runtime::op
