// The events of operations in the trace; see diagnose/trace.h.
#pragma once

#include "diagnose/trace.h"
#include "op/op.h"

namespace reprise_runtime::op {

inline diagnose::TraceEvent trace_event_of(const Kernel& kernel) {
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::kernel;
  event.name = kernel.function->name();
  event.grid = static_cast<uint32_t>(kernel.shape.blocks());
  event.bytes = kernel.shape.blocks() * kernel.shape.threads();
  return event;
}

// "host to device", by where the memory is, as CUDA's copy kinds name it.
inline diagnose::TraceEvent trace_event_of(const Memcpy& copy) {
  const auto host = [](memory::MemoryKind kind) {
    return kind == memory::MemoryKind::pageable || kind == memory::MemoryKind::pinned ||
           kind == memory::MemoryKind::registered;
  };
  constexpr const char* names[2][2] = {{"copy device to device", "copy device to host"},
                                       {"copy host to device", "copy host to host"}};
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::copy;
  event.name = names[host(copy.from)][host(copy.to)];
  event.bytes = copy.box.extent.bytes();
  return event;
}

inline diagnose::TraceEvent trace_event_of(const Memset& set) {
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::set;
  event.name = "set";
  event.bytes = set.box.extent.bytes();
  return event;
}

inline diagnose::TraceEvent trace_event_of(const HostFunction&) {
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::host_function;
  event.name = "host function";
  return event;
}

template <class Other>
diagnose::TraceEvent trace_event_of(const Other&) {
  diagnose::TraceEvent event;
  event.kind = diagnose::TraceKind::stream_work;
  event.name = std::is_same_v<Other, SemaphoreSignal> ? "semaphore signal"
               : std::is_same_v<Other, SemaphoreWait> ? "semaphore wait"
                                                      : "work";
  return event;
}

// Runs an operation in the stream with this number, and shows it.
template <class T>
struct TracedOp {
  T op;
  int device;
  uint32_t stream;
  uint64_t submission;

  template <class Lane>
  void operator()(Lane&) const {
    diagnose::TraceEvent event = trace_event_of(op);
    event.track = stream;
    event.id = submission;
    diagnose::TraceScope scope(event);
    op.run(Context{device});
  }
};

}  // namespace reprise_runtime::op
