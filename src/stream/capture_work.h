// Operations that become nodes.
#pragma once

#include "op/kernel.h"
#include "op/op.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

struct CapturePart;

// With capture_mutex() held. An event's record or wait becomes a node: what they mean between captured streams is in
// event_work.h.
[[nodiscard]] cudaError_t capture_op(Stream& stream, CapturePart& part, op::Op op);

// The same for a kernel with attributes. The events that these name are recorded in the capture.
[[nodiscard]] cudaError_t capture_kernel(Stream& stream, CapturePart& part, op::Kernel&& kernel);

}  // namespace reprise_runtime::stream
