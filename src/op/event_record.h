// Records an event.
#pragma once

#include "event/event.h"
#include "op/context.h"

namespace reprise_runtime::op {

struct EventRecord {
  Ref<event::Event> event;

  // Within a graph; all dependencies are done. In a stream see Stream::enqueue.
  void run(const Context&) const { event->record_now(); }
};

}  // namespace reprise_runtime::op
