/* Devices of the driver API. */
#ifndef REPRISE_DRIVER_DEVICE_H
#define REPRISE_DRIVER_DEVICE_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuDeviceGet(CUdevice* device, int ordinal);
REPRISE_API CUresult cuDeviceGetCount(int* count);
REPRISE_API CUresult cuDeviceGetName(char* name, int len, CUdevice dev);
REPRISE_API CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev);
REPRISE_API CUresult cuDeviceGetLuid(char* luid, unsigned int* deviceNodeMask, CUdevice dev);
REPRISE_API CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev);
REPRISE_API CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev);
REPRISE_API CUresult cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                                       unsigned int count, CUdevice dev);
REPRISE_API CUresult cuDeviceGetNvSciSyncAttributes(void* nvSciSyncAttrList, CUdevice dev, int flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev);
REPRISE_DEPRECATED REPRISE_API CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev);
REPRISE_API CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void* userData,
                                                       CUasyncCallbackHandle* callback);
REPRISE_API CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback);
REPRISE_API CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId);
REPRISE_API CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev);

REPRISE_END_C

#endif /* REPRISE_DRIVER_DEVICE_H */
