// Events recorded and waited for in streams: eagerly, or as the dependencies of a capture.
#pragma once

#include "event/event.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

// `external`: a node of the capture that does it at every replay, instead of a point in the capture itself.
[[nodiscard]] cudaError_t record_event(Stream& stream, const Ref<event::Event>& event, bool external);
[[nodiscard]] cudaError_t wait_event(Stream& stream, const Ref<event::Event>& event, bool external);

}  // namespace reprise_runtime::stream
