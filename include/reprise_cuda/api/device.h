/* Devices: selection, properties, limits and settings. */
#ifndef REPRISE_API_DEVICE_H
#define REPRISE_API_DEVICE_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaDeviceReset(void);
REPRISE_API cudaError_t cudaDeviceSynchronize(void);
REPRISE_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
REPRISE_API cudaError_t cudaDeviceGetLimit(size_t* pValue, enum cudaLimit limit);
REPRISE_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* pCacheConfig);
REPRISE_API cudaError_t cudaDeviceGetStreamPriorityRange(int* leastPriority, int* greatestPriority);
REPRISE_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig);
REPRISE_API cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* pciBusId);
REPRISE_API cudaError_t cudaDeviceGetPCIBusId(char* pciBusId, int len, int device);
REPRISE_API cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                                           enum cudaFlushGPUDirectRDMAWritesScope scope);
REPRISE_API cudaError_t cudaDeviceRegisterAsyncNotification(int device, cudaAsyncCallback callbackFunc, void* userData,
                                                            cudaAsyncCallbackHandle_t* callback);
REPRISE_API cudaError_t cudaDeviceUnregisterAsyncNotification(int device, cudaAsyncCallbackHandle_t callback);
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* pConfig);
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
REPRISE_API cudaError_t cudaGetDeviceCount(int* count);
REPRISE_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* prop, int device);
REPRISE_API cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attr, int device);
REPRISE_API cudaError_t cudaDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                            const enum cudaAtomicOperation* operations,
                                                            unsigned int count, int device);
REPRISE_API cudaError_t cudaDeviceGetNvSciSyncAttributes(void* nvSciSyncAttrList, int device, int flags);
REPRISE_API cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* prop);
REPRISE_API cudaError_t cudaInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
REPRISE_API cudaError_t cudaSetDevice(int device);
REPRISE_API cudaError_t cudaGetDevice(int* device);
REPRISE_API cudaError_t cudaSetValidDevices(int* device_arr, int len);
REPRISE_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
REPRISE_API cudaError_t cudaGetDeviceFlags(unsigned int* flags);

REPRISE_END_C

#endif /* REPRISE_API_DEVICE_H */
