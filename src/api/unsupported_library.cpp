// What is in a library that was loaded at run time: code for other devices.
#define ERROR cudaErrorNoKernelImageForDevice
#include "api/library.h"
#include "api/unsupported.h"

#define WHY "the library has code for other devices; compile kernels into the program with reprise-nvcc"

using reprise_runtime::api::check_library;

extern "C" {

UNSUPPORTED_AFTER(cudaLibraryGetKernel, (cudaKernel_t*, cudaLibrary_t library, const char*), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetGlobal, (void**, size_t*, cudaLibrary_t library, const char*), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetManaged, (void**, size_t*, cudaLibrary_t library, const char*), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetUnifiedFunction, (void**, cudaLibrary_t library, const char*), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetKernelCount, (unsigned int*, cudaLibrary_t lib), check_library(lib))
UNSUPPORTED_AFTER(cudaLibraryEnumerateKernels, (cudaKernel_t*, unsigned int, cudaLibrary_t lib), check_library(lib))
}
