// Refused calls: calls for hardware that this device does not have.
#include "driver/unsupported/unsupported.h"

#define WHY "this device does not have the hardware"

extern "C" {

UNSUPPORTED(cuDeviceGetLuid, (char* luid, unsigned int* deviceNodeMask, CUdevice dev), (luid, deviceNodeMask, dev))
UNSUPPORTED(cuDeviceGetNvSciSyncAttributes, (void* nvSciSyncAttrList, CUdevice dev, int flags),
            (nvSciSyncAttrList, dev, flags))
UNSUPPORTED_PTSZ(cuMemBatchDecompressAsync,
                 (CUmemDecompressParams * paramsArray, size_t count, unsigned int flags, size_t* errorIndex,
                  CUstream stream),
                 (paramsArray, count, flags, errorIndex, stream))
UNSUPPORTED(cuMemGetHandleForAddressRange,
            (void* handle, CUdeviceptr dptr, size_t size, CUmemRangeHandleType handleType, unsigned long long flags),
            (handle, dptr, size, handleType, flags))
UNSUPPORTED(cuPointerSetAttribute, (const void* value, CUpointer_attribute attribute, CUdeviceptr ptr),
            (value, attribute, ptr))
}
