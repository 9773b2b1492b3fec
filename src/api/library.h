// Whether a handle is a library's.
#pragma once

#include <cuda_runtime_api.h>

namespace reprise::api {

[[nodiscard]] cudaError_t check_library(cudaLibrary_t handle);

}  // namespace reprise::api
