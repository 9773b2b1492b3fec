// Explains why a capture refuses a call: what was called, which capture it concerns, why, and what to do instead.
// Each function returns the error that it explains. The caller holds capture_mutex().
#pragma once

#include <driver_types.h>

#include <vector>

#include "event/event.h"
#include "stream/capture.h"

namespace reprise_runtime::stream {
struct RefusedCall;
}

namespace reprise_runtime::stream::explain {

// Beginning and ending.
[[gnu::cold]] cudaError_t legacy_begin();
[[gnu::cold]] cudaError_t already_capturing(const CapturePart& part);
[[gnu::cold]] cudaError_t graph_in_use(const graph::Graph& graph);
[[gnu::cold]] cudaError_t end_without_begin(const Stream& stream);
[[gnu::cold]] cudaError_t not_capturing(const Stream& stream);
[[gnu::cold]] cudaError_t ended_on_joined_stream(const CapturePart& part);  // invalidates
[[gnu::cold]] cudaError_t ended_by_wrong_thread(const Capture& capture);
[[gnu::cold]] cudaError_t ended_invalidated(const Capture& capture);
[[gnu::cold]] cudaError_t unjoined(const Capture& capture, const Capture::Open& open);

// Streams.
[[gnu::cold]] cudaError_t invalidated(const CapturePart& part);
[[gnu::cold]] cudaError_t no_node_type(const CapturePart& part, const RefusedCall& call);
[[gnu::cold]] cudaError_t launch_failed(const CapturePart& part, cudaError_t status);
// Invalidates the captures with blocking streams of its device.
[[gnu::cold]] cudaError_t legacy_used(const Stream& legacy);
[[gnu::cold]] cudaError_t legacy_queried(const Stream& legacy);

// Events.
[[gnu::cold]] cudaError_t legacy_waits(Capture& capture);                  // invalidates
[[gnu::cold]] cudaError_t outside_event(const CapturePart& part);          // invalidates
[[gnu::cold]] cudaError_t merge(const CapturePart& part, Capture& other);  // invalidates both
[[gnu::cold]] cudaError_t shared_event(const CapturePart& part);
[[gnu::cold]] cudaError_t captured_event_queried(const event::Event& event, const Capture& capture);
// The event was recorded in a capture that has ended; invalidates the capture that waits for it.
[[gnu::cold]] cudaError_t stale_event(const event::Event& event, const Capture& gone, Capture* waiter = nullptr);

// Calls that use no stream.
[[gnu::cold]] cudaError_t unsafe(const std::vector<Capture*>& captures, const RefusedCall& call);
[[gnu::cold]] cudaError_t device_waited_for(const std::vector<Capture*>& captures);

}  // namespace reprise_runtime::stream::explain
