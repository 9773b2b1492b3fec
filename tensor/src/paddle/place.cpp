#include <cuda_runtime_api.h>
#include <reprise/error.h>
#include <reprise/paddle/place.h>

namespace reprise::paddle {

void check_place(CUDAPlace place, const char* object) {
  int current = 0;
  check_cuda(cudaGetDevice(&current), "querying the current device");
  check(place.device == current, object, " for device ", place.device, ": tensors are on the current device, ", current,
        "; call cudaSetDevice(", place.device, ") first");
}

}  // namespace reprise::paddle
