/* Types of pointers to calls by version: devices. */
#ifndef REPRISE_DRIVER_POINTERS_DEVICE_H
#define REPRISE_DRIVER_POINTERS_DEVICE_H

#include <cuda.h>

typedef CUresult (*PFN_cuDeviceGet_v2000)(CUdevice_v1*, int);
typedef CUresult (*PFN_cuDeviceGetCount_v2000)(int*);
typedef CUresult (*PFN_cuDeviceGetName_v2000)(char*, int, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetUuid_v9020)(CUuuid*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetUuid_v11040)(CUuuid*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetLuid_v10000)(char*, unsigned int*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceTotalMem_v3020)(size_t*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetAttribute_v2000)(int*, CUdevice_attribute, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetHostAtomicCapabilities_v13000)(unsigned int*, const CUatomicOperation*, unsigned int,
                                                                 CUdevice);
typedef CUresult (*PFN_cuDeviceGetNvSciSyncAttributes_v10020)(void*, CUdevice_v1, int);
typedef CUresult (*PFN_cuDeviceGetProperties_v2000)(CUdevprop_v1*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceComputeCapability_v2000)(int*, int*, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceGetByPCIBusId_v4010)(CUdevice_v1*, const char*);
typedef CUresult (*PFN_cuDeviceGetPCIBusId_v4010)(char*, int, CUdevice_v1);
typedef CUresult (*PFN_cuDeviceRegisterAsyncNotification_v12040)(CUdevice, CUasyncCallback, void*,
                                                                 CUasyncCallbackHandle*);
typedef CUresult (*PFN_cuDeviceUnregisterAsyncNotification_v12040)(CUdevice, CUasyncCallbackHandle);

#endif /* REPRISE_DRIVER_POINTERS_DEVICE_H */
