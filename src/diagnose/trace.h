// The trace of graph nodes, by time and thread: REPRISE_TRACE=FILE. The file is a list of events for trace viewers
// (chrome://tracing, Perfetto). Each event is written at once, so the trace also covers work that never ends. Endless
// loops record only some of their rounds, and the file is limited to REPRISE_TRACE_MB megabytes (1024).
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace reprise_runtime::diagnose {

class Trace {
 public:
  // Whether REPRISE_TRACE names a file. Read once.
  static bool on();

  // The calling thread begins the work of a node, and ends the one that it began last.
  static void begin(std::string_view what, uint64_t node);
  static void end();
  // Records a single event.
  static void note(std::string_view what, uint64_t node);
};

}  // namespace reprise_runtime::diagnose
