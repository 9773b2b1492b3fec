/* Multicast objects of the driver API. */
#ifndef REPRISE_DRIVER_MULTICAST_H
#define REPRISE_DRIVER_MULTICAST_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuMulticastCreate(CUmemGenericAllocationHandle* mcHandle, const CUmulticastObjectProp* prop);
REPRISE_API CUresult cuMulticastAddDevice(CUmemGenericAllocationHandle mcHandle, CUdevice dev);
REPRISE_API CUresult cuMulticastBindMem(CUmemGenericAllocationHandle mcHandle, size_t mcOffset,
                                        CUmemGenericAllocationHandle memHandle, size_t memOffset, size_t size,
                                        unsigned long long flags);
REPRISE_API CUresult cuMulticastBindAddr(CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr,
                                         size_t size, unsigned long long flags);
REPRISE_API CUresult cuMulticastUnbind(CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset,
                                       size_t size);
REPRISE_API CUresult cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* prop,
                                               CUmulticastGranularity_flags option);

REPRISE_END_C

#endif /* REPRISE_DRIVER_MULTICAST_H */
