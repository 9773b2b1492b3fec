// Memory that is not there when a copy or a set gets to it: freed since, or a host pointer that leads nowhere. On a GPU
// that is an illegal address, and ends the use of the device; so it does here, instead of ending the process.
#pragma once

#include <driver_types.h>

#include "memory/copy/box.h"
#include "memory/copy/fault_guard.h"
#include "op/context.h"

namespace reprise_runtime::op {

// A fault becomes the error of the context's device.
memory::FaultGuard faults_to(const Context& context);

// Copies on the calling thread; cudaErrorInvalidValue where memory is not there.
[[nodiscard]] cudaError_t copy_now(const memory::BoxCopy& box);

}  // namespace reprise_runtime::op
