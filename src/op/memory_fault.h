// Handles copies and sets of memory that is not mapped: freed meanwhile, or an invalid host pointer. As on a GPU this
// is an illegal address and ends the use of the device, instead of ending the process. Thread safety: both functions
// may be called from any thread.
#pragma once

#include <driver_types.h>

#include "memory/copy/box.h"
#include "memory/copy/fault_guard.h"
#include "op/context.h"

namespace reprise_runtime::op {

// A guard that makes a fault the sticky error of the context's device.
memory::FaultGuard fault_guard_of(const Context& context);

// Copies on the calling thread; cudaErrorInvalidValue if the memory is not mapped.
[[nodiscard]] cudaError_t copy_now(const memory::BoxCopy& box);

}  // namespace reprise_runtime::op
