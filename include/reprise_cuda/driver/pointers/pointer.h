/* Types of pointers to calls by version: attributes of pointers. */
#ifndef REPRISE_DRIVER_POINTERS_POINTER_H
#define REPRISE_DRIVER_POINTERS_POINTER_H

#include <cuda.h>

typedef CUresult (*PFN_cuPointerGetAttribute_v4000)(void*, CUpointer_attribute, CUdeviceptr_v2);
typedef CUresult (*PFN_cuPointerSetAttribute_v6000)(const void*, CUpointer_attribute, CUdeviceptr_v2);
typedef CUresult (*PFN_cuPointerGetAttributes_v7000)(unsigned int, CUpointer_attribute*, void**, CUdeviceptr_v2);

#endif /* REPRISE_DRIVER_POINTERS_POINTER_H */
