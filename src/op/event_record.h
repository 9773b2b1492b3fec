// An event recorded in its place in the work.
#pragma once

#include "event/event.h"
#include "op/context.h"

namespace reprise_runtime::op {

struct EventRecord {
  Ref<event::Event> event;

  // Inside a graph: all that must be done before is done. (In a stream the record's place says more; see Stream.)
  void run(const Context&) const { event->record_now(); }
};

}  // namespace reprise_runtime::op
