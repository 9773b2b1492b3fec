// The name and the description of every CUDA error code.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::diagnose {

// Both return "unrecognized error code" for a number that is not a CUDA error.
const char* error_name(cudaError_t code);
const char* error_text(cudaError_t code);

}  // namespace reprise_runtime::diagnose
