// A unit of work: run in a stream, captured, or added to a graph.
//
// Each alternative has a `build` that validates a user's arguments and copies what must outlive the call, and a
// `run(context) const` that does the work and may be called repeatedly. An Op can be copied.
#pragma once

#include <variant>

#include "op/batch_mem_op.h"
#include "op/empty.h"
#include "op/event_record.h"
#include "op/event_wait.h"
#include "op/host_function.h"
#include "op/kernel.h"
#include "op/memcpy.h"
#include "op/memset.h"
#include "op/semaphore_signal.h"
#include "op/semaphore_wait.h"

namespace reprise_runtime::op {

using Op = std::variant<Empty,            // a place to depend on
                        Kernel,           // a grid of blocks
                        HostFunction,     // a user's function on the host
                        Memcpy,           // a box of bytes copied
                        Memset,           // a box of memory set
                        EventRecord,      // an event recorded
                        EventWait,        // a wait for an event
                        SemaphoreSignal,  // external semaphores signalled
                        SemaphoreWait,    // a wait for external semaphores
                        BatchMemOp>;      // values in memory written and waited for

inline void run(const Op& op, const Context& context) {
  std::visit([&](const auto& alternative) { alternative.run(context); }, op);
}

}  // namespace reprise_runtime::op
