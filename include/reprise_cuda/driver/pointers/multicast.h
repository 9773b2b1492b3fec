/* Types of pointers to calls by version: multicast objects. */
#ifndef REPRISE_DRIVER_POINTERS_MULTICAST_H
#define REPRISE_DRIVER_POINTERS_MULTICAST_H

#include <cuda.h>

typedef CUresult (*PFN_cuMulticastCreate_v12010)(CUmemGenericAllocationHandle*, const CUmulticastObjectProp*);
typedef CUresult (*PFN_cuMulticastAddDevice_v12010)(CUmemGenericAllocationHandle, CUdevice);
typedef CUresult (*PFN_cuMulticastBindMem_v12010)(CUmemGenericAllocationHandle, size_t, CUmemGenericAllocationHandle,
                                                  size_t, size_t, unsigned long long);
typedef CUresult (*PFN_cuMulticastBindAddr_v12010)(CUmemGenericAllocationHandle, size_t, CUdeviceptr, size_t,
                                                   unsigned long long);
typedef CUresult (*PFN_cuMulticastUnbind_v12010)(CUmemGenericAllocationHandle, CUdevice, size_t, size_t);
typedef CUresult (*PFN_cuMulticastGetGranularity_v12010)(size_t*, const CUmulticastObjectProp*,
                                                         CUmulticastGranularity_flags);

#endif /* REPRISE_DRIVER_POINTERS_MULTICAST_H */
