// Refused calls: multicast objects.
#include "driver/unsupported/unsupported.h"

#define WHY "multicast objects are not supported"

extern "C" {

UNSUPPORTED(cuMulticastCreate, (CUmemGenericAllocationHandle * mcHandle, const CUmulticastObjectProp* prop),
            (mcHandle, prop))
UNSUPPORTED(cuMulticastAddDevice, (CUmemGenericAllocationHandle mcHandle, CUdevice dev), (mcHandle, dev))
UNSUPPORTED(cuMulticastBindMem,
            (CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUmemGenericAllocationHandle memHandle,
             size_t memOffset, size_t size, unsigned long long flags),
            (mcHandle, mcOffset, memHandle, memOffset, size, flags))
UNSUPPORTED(cuMulticastBindAddr,
            (CUmemGenericAllocationHandle mcHandle, size_t mcOffset, CUdeviceptr memptr, size_t size,
             unsigned long long flags),
            (mcHandle, mcOffset, memptr, size, flags))
UNSUPPORTED(cuMulticastUnbind, (CUmemGenericAllocationHandle mcHandle, CUdevice dev, size_t mcOffset, size_t size),
            (mcHandle, dev, mcOffset, size))
UNSUPPORTED(cuMulticastGetGranularity,
            (size_t* granularity, const CUmulticastObjectProp* prop, CUmulticastGranularity_flags option),
            (granularity, prop, option))
}
