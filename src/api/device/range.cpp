// Ranges and marks of NVTX, which include/nvtx3/nvToolsExt.h hands to the trace.
#include "base/export.h"
#include "diagnose/trace.h"

using namespace reprise_runtime;

namespace {

constexpr int no_tracking = -2;  // NVTX_NO_PUSH_POP_TRACKING

}  // namespace

extern "C" {

REPRISE_EXPORT int __reprise_range_push(const char* text) {
  return diagnose::tracing ? diagnose::push_range(text) : no_tracking;
}

REPRISE_EXPORT int __reprise_range_pop(void) { return diagnose::tracing ? diagnose::pop_range() : no_tracking; }

REPRISE_EXPORT void __reprise_range_mark(const char* text) {
  if (diagnose::tracing) diagnose::record({.name = diagnose::keep_text(text), .kind = diagnose::TraceKind::mark});
}

}  // extern "C"
