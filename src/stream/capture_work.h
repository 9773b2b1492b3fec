// Operations of a capturing stream become nodes.
#pragma once

#include "op/kernel.h"
#include "op/op.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

struct CapturePart;

// The caller holds capture_mutex(). Records and waits of events become nodes here (the external forms); event_work.h
// has the others.
[[nodiscard]] cudaError_t capture_op(Stream& stream, CapturePart& part, op::Op op);

// The same for a kernel with attributes. The events that the attributes name are recorded in the capture.
[[nodiscard]] cudaError_t capture_kernel(Stream& stream, CapturePart& part, op::Kernel&& kernel);

}  // namespace reprise_runtime::stream
