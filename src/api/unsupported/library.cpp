// Refused calls: kernels and variables of libraries loaded at run time, which hold code for other devices.
#define ERROR cudaErrorNoKernelImageForDevice
#include "api/kernel/library.h"

#include "api/unsupported/unsupported.h"

#define WHY "the library has code for other devices; compile kernels into the program with reprise-nvcc"

using reprise_runtime::api::check_library;

extern "C" {

UNSUPPORTED_AFTER(cudaLibraryGetKernel, (cudaKernel_t * pKernel, cudaLibrary_t library, const char* name),
                  (pKernel, library, name), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetGlobal, (void** dptr, size_t* bytes, cudaLibrary_t library, const char* name),
                  (dptr, bytes, library, name), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetManaged, (void** dptr, size_t* bytes, cudaLibrary_t library, const char* name),
                  (dptr, bytes, library, name), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetUnifiedFunction, (void** fptr, cudaLibrary_t library, const char* symbol),
                  (fptr, library, symbol), check_library(library))
UNSUPPORTED_AFTER(cudaLibraryGetKernelCount, (unsigned int* count, cudaLibrary_t lib), (count, lib), check_library(lib))
UNSUPPORTED_AFTER(cudaLibraryEnumerateKernels, (cudaKernel_t * kernels, unsigned int numKernels, cudaLibrary_t lib),
                  (kernels, numKernels, lib), check_library(lib))
}
