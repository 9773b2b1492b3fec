// Events recorded and waited for in streams: eagerly, or as the dependencies of a capture.
#pragma once

#include "event/event.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// `external`: adds a node that records or waits at every replay, instead of a dependency within the capture.
// Thread safety: every function may be called from any thread.
[[nodiscard]] cudaError_t record_event(Stream& stream, const Ref<event::Event>& event, bool external);
[[nodiscard]] cudaError_t wait_event(Stream& stream, const Ref<event::Event>& event, bool external);

}  // namespace reprise_runtime::stream
