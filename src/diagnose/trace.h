// The trace: what the program and the device do, by time and thread. REPRISE_TRACE=FILE writes it for trace viewers
// (Perfetto, chrome://tracing); REPRISE_SUMMARY=1 sums it up at exit. While neither is set, a place that could record
// an event costs one predictable branch.
//
// A thread records events in a buffer of its own; a writer thread empties the buffers 50 times a second
// (trace_writer.h).
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace reprise_runtime::diagnose {

// Whether events are recorded. Constant once the library is loaded.
inline constinit bool tracing = false;

enum class TraceKind : uint8_t {
  call,           // of the CUDA API, on the thread that makes it
  kernel,         // in a stream
  copy,           // in a stream
  set,            // in a stream
  host_function,  // in a stream
  stream_work,    // in a stream: anything else, as the replay of a graph
  node,           // of a graph
  round,          // of a WHILE node
  range,          // of NVTX, on the thread that opened it
  mark,           // of NVTX: a moment
  allocation,     // a moment; `bytes` of memory at `id`
  free,           // a moment; memory at `id`
  note,           // a moment
};

struct TraceEvent {
  const char* name = "";        // mangled, if it is a kernel's; stays valid
  uint64_t start = 0, end = 0;  // ticks
  uint64_t id = 0;     // of a node: its handle; of a call and of work in a stream: the number of the submission
  uint64_t bytes = 0;  // of copies, sets and allocations; of kernels and nodes: the number of threads
  uint32_t track = 0;  // the number of the stream or of the executable graph
  uint32_t grid = 0;   // of kernels: the number of blocks
  TraceKind kind = TraceKind::note;
  bool ends_begun = false;  // the file has its beginning already
};

// Something that takes time. It is open from construction to destruction. Work that stays open for long is shown in the
// file while it is open: a kernel that never ends is seen.
class TraceScope {
 public:
  explicit TraceScope(const TraceEvent& event) {
    if (tracing) [[unlikely]]
      begin(event);
  }
  ~TraceScope() {
    if (open_) [[unlikely]]
      end();
  }
  TraceScope(const TraceScope&) = delete;
  TraceScope& operator=(const TraceScope&) = delete;

 private:
  [[gnu::cold, gnu::noinline]] void begin(const TraceEvent& event);
  [[gnu::cold, gnu::noinline]] void end();

  bool open_ = false;
  uint32_t depth_;
  TraceEvent event_;
};

// A call of the API, from construction to destruction.
class CallScope {
 public:
  explicit CallScope(const char* name) {
    if (tracing) [[unlikely]]
      begin(name);
  }
  ~CallScope() {
    if (start_) [[unlikely]]
      end();
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  [[gnu::cold, gnu::noinline]] void begin(const char* name);
  [[gnu::cold, gnu::noinline]] void end();

  uint64_t start_ = 0;
  const char* name_;
  uint32_t depth_;
};

// Records a moment, or something that has ended.
void record(const TraceEvent& event);

// A copy of the text that stays valid.
const char* keep_text(const char* text);

// A number for work that a call submits. The call that runs on this thread is shown as its origin.
uint64_t next_submission();
// The submission of the call that runs on this thread; 0 if it made none. Taking it resets it.
uint64_t take_submission();

// The steps of an executable graph: the node of each, and the steps that each depends on.
struct GraphShape {
  uint64_t graph = 0;  // the number of the graph that it was instantiated from
  std::vector<uint64_t> nodes;
  std::vector<uint32_t> first_dependency, dependencies;  // of each step, and one more at the end; step numbers

  uint32_t steps() const { return static_cast<uint32_t>(nodes.size()); }
};
// Makes the graph known. Returns the number of its track.
uint32_t add_graph(GraphShape shape);

// Ranges of NVTX. Both return the depth of the range, from 0 on; pop_range() -2 if there is none.
int push_range(const char* text);
int pop_range();

}  // namespace reprise_runtime::diagnose
