// Launching a kernel into a stream, with what its attributes ask for beside it.
#pragma once

#include "op/kernel.h"
#include "stream/stream.h"

namespace reprise::stream {

// The events that the attributes name are recorded behind the kernel: all its blocks have begun and triggered by then.
[[nodiscard]] cudaError_t launch(Stream& stream, op::Kernel&& kernel);

}  // namespace reprise::stream
