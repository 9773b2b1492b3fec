// Memory imported from other APIs, and what belongs to other hardware.
#include "api/unsupported.h"

#define WHY "there is nothing of that kind on a CPU device"

extern "C" {

UNSUPPORTED(cudaImportExternalMemory, (cudaExternalMemory_t*, const cudaExternalMemoryHandleDesc*))
UNSUPPORTED(cudaExternalMemoryGetMappedBuffer,
            (void**, cudaExternalMemory_t, const cudaExternalMemoryBufferDesc*))
UNSUPPORTED(cudaExternalMemoryGetMappedMipmappedArray,
            (cudaMipmappedArray_t*, cudaExternalMemory_t, const cudaExternalMemoryMipmappedArrayDesc*))
UNSUPPORTED(cudaDestroyExternalMemory, (cudaExternalMemory_t))
UNSUPPORTED(cudaDeviceGetNvSciSyncAttributes, (void*, int, int))
UNSUPPORTED(cudaDeviceFlushGPUDirectRDMAWrites,
            (cudaFlushGPUDirectRDMAWritesTarget, cudaFlushGPUDirectRDMAWritesScope))
UNSUPPORTED(cudaDeviceRegisterAsyncNotification, (int, cudaAsyncCallback, void*, cudaAsyncCallbackHandle_t*))
UNSUPPORTED(cudaDeviceUnregisterAsyncNotification, (int, cudaAsyncCallbackHandle_t))
UNSUPPORTED(cudaGetExportTable, (const void**, const cudaUUID_t*))

}
