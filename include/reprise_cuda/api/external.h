/* Memory and semaphores imported from other APIs. */
#ifndef REPRISE_API_EXTERNAL_H
#define REPRISE_API_EXTERNAL_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaImportExternalMemory(cudaExternalMemory_t* extMem_out,
                                                 const struct cudaExternalMemoryHandleDesc* memHandleDesc);
REPRISE_API cudaError_t cudaExternalMemoryGetMappedBuffer(void** devPtr, cudaExternalMemory_t extMem,
                                                          const struct cudaExternalMemoryBufferDesc* bufferDesc);
REPRISE_API cudaError_t
cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t* mipmap, cudaExternalMemory_t extMem,
                                          const struct cudaExternalMemoryMipmappedArrayDesc* mipmapDesc);
REPRISE_API cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t extMem);
REPRISE_API cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t* extSem_out,
                                                    const struct cudaExternalSemaphoreHandleDesc* semHandleDesc);
REPRISE_API cudaError_t cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                                          const struct cudaExternalSemaphoreSignalParams* paramsArray,
                                                          unsigned int numExtSems,
                                                          cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t* extSemArray,
                                                        const struct cudaExternalSemaphoreWaitParams* paramsArray,
                                                        unsigned int numExtSems,
                                                        cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem);

REPRISE_END_C

#endif /* REPRISE_API_EXTERNAL_H */
