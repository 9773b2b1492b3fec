// Kernels loaded at run time.
#include "api/unsupported.h"

#define WHY "kernels are linked into the program by reprise-nvcc, not loaded"

extern "C" {

UNSUPPORTED(cudaLibraryLoadData,
            (cudaLibrary_t*, const void*, cudaJitOption*, void**, unsigned int, cudaLibraryOption*, void**,
             unsigned int))
UNSUPPORTED(cudaLibraryLoadFromFile,
            (cudaLibrary_t*, const char*, cudaJitOption*, void**, unsigned int, cudaLibraryOption*, void**,
             unsigned int))
UNSUPPORTED(cudaLibraryUnload, (cudaLibrary_t))
UNSUPPORTED(cudaLibraryGetKernel, (cudaKernel_t*, cudaLibrary_t, const char*))
UNSUPPORTED(cudaLibraryGetGlobal, (void**, size_t*, cudaLibrary_t, const char*))
UNSUPPORTED(cudaLibraryGetManaged, (void**, size_t*, cudaLibrary_t, const char*))
UNSUPPORTED(cudaLibraryGetUnifiedFunction, (void**, cudaLibrary_t, const char*))
UNSUPPORTED(cudaLibraryGetKernelCount, (unsigned int*, cudaLibrary_t))
UNSUPPORTED(cudaLibraryEnumerateKernels, (cudaKernel_t*, unsigned int, cudaLibrary_t))

}
