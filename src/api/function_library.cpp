// Kernels loaded at run time. What can be loaded is NVIDIA's code, which no CPU runs; so no library handle is ever
// given out, and whatever is passed for one is refused.
#include <cuda_runtime_api.h>

#include "api/entry.h"

using namespace reprise;

namespace {

cudaError_t not_supported() { return cudaErrorNotSupported; }
cudaError_t no_such_library() { return cudaErrorInvalidResourceHandle; }

}  // namespace

cudaError_t cudaLibraryLoadData(cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned, cudaLibraryOption*,
                                void**, unsigned) {
  return api::entry(not_supported);
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t*, const char*, cudaJitOption*, void**, unsigned, cudaLibraryOption*,
                                    void**, unsigned) {
  return api::entry(not_supported);
}
cudaError_t cudaLibraryUnload(cudaLibrary_t) { return api::entry(no_such_library); }
cudaError_t cudaLibraryGetKernel(cudaKernel_t*, cudaLibrary_t, const char*) { return api::entry(no_such_library); }
cudaError_t cudaLibraryGetGlobal(void**, size_t*, cudaLibrary_t, const char*) { return api::entry(no_such_library); }
cudaError_t cudaLibraryGetManaged(void**, size_t*, cudaLibrary_t, const char*) { return api::entry(no_such_library); }
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t, const char*) { return api::entry(no_such_library); }
cudaError_t cudaLibraryGetKernelCount(unsigned*, cudaLibrary_t) { return api::entry(no_such_library); }
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t*, unsigned, cudaLibrary_t) { return api::entry(no_such_library); }
