// The driver's results and the runtime's errors. Most have the same number; the table has those that do not.
#pragma once

#include <cuda.h>
#include <driver_types.h>

namespace reprise_runtime::diagnose {

CUresult result_of(cudaError_t status);

// Null for a number that is no result.
const char* result_name(CUresult result);

}  // namespace reprise_runtime::diagnose
