/* Kernels loaded at run time, and entry points of the driver. */
#ifndef REPRISE_API_LIBRARY_H
#define REPRISE_API_LIBRARY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_DEPRECATED REPRISE_API cudaError_t
cudaGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                        enum cudaDriverEntryPointQueryResult* driverStatus REPRISE_DEFAULT(NULL));
REPRISE_API cudaError_t
cudaGetDriverEntryPointByVersion(const char* symbol, void** funcPtr, unsigned int cudaVersion, unsigned long long flags,
                                 enum cudaDriverEntryPointQueryResult* driverStatus REPRISE_DEFAULT(NULL));
REPRISE_API cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* jitOptions,
                                            void** jitOptionsValues, unsigned int numJitOptions,
                                            enum cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                            unsigned int numLibraryOptions);
REPRISE_API cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName,
                                                enum cudaJitOption* jitOptions, void** jitOptionsValues,
                                                unsigned int numJitOptions, enum cudaLibraryOption* libraryOptions,
                                                void** libraryOptionValues, unsigned int numLibraryOptions);
REPRISE_API cudaError_t cudaLibraryUnload(cudaLibrary_t library);
REPRISE_API cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library, const char* name);
REPRISE_API cudaError_t cudaLibraryGetGlobal(void** dptr, size_t* bytes, cudaLibrary_t library, const char* name);
REPRISE_API cudaError_t cudaLibraryGetManaged(void** dptr, size_t* bytes, cudaLibrary_t library, const char* name);
REPRISE_API cudaError_t cudaLibraryGetUnifiedFunction(void** fptr, cudaLibrary_t library, const char* symbol);
REPRISE_API cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib);
REPRISE_API cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels, cudaLibrary_t lib);
REPRISE_API cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value,
                                                        int device);
REPRISE_API cudaError_t cudaGetExportTable(const void** ppExportTable, const cudaUUID_t* pExportTableId);

REPRISE_END_C

#endif /* REPRISE_API_LIBRARY_H */
