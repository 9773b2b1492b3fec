// What nodes of graphs run when, and on which thread: REPRISE_TRACE=FILE. The file is a list of events as browsers'
// trace viewers read it (chrome://tracing, Perfetto), written event by event, so that it tells of work that never ends
// too. Who goes round without end tells of some rounds only; and the file has at most REPRISE_TRACE_MB megabytes, or
// 1024.
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

  // The calling thread begins with something, that a node does; and ends with the last that it began with.
  static void begin(std::string_view what, uint64_t node);
  static void end();
  // Something has happened.
  static void note(std::string_view what, uint64_t node);
};

}  // namespace reprise_runtime::diagnose
