// Checks of library handles.
#pragma once

#include <cuda_runtime_api.h>

namespace reprise_runtime::api {

[[nodiscard]] cudaError_t check_library(cudaLibrary_t handle);

}  // namespace reprise_runtime::api
