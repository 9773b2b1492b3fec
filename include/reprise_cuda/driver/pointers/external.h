/* Types of pointers to calls by version: external memory and semaphores. */
#ifndef REPRISE_DRIVER_POINTERS_EXTERNAL_H
#define REPRISE_DRIVER_POINTERS_EXTERNAL_H

#include <cuda.h>

typedef CUresult (*PFN_cuImportExternalMemory_v10000)(CUexternalMemory*, const CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1*);
typedef CUresult (*PFN_cuExternalMemoryGetMappedBuffer_v10000)(CUdeviceptr_v2*, CUexternalMemory,
                                                               const CUDA_EXTERNAL_MEMORY_BUFFER_DESC_v1*);
typedef CUresult (*PFN_cuExternalMemoryGetMappedMipmappedArray_v10000)(
    CUmipmappedArray*, CUexternalMemory, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC_v1*);
typedef CUresult (*PFN_cuDestroyExternalMemory_v10000)(CUexternalMemory);
typedef CUresult (*PFN_cuImportExternalSemaphore_v10000)(CUexternalSemaphore*,
                                                         const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC_v1*);
typedef CUresult (*PFN_cuSignalExternalSemaphoresAsync_v10000_ptsz)(const CUexternalSemaphore*,
                                                                    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1*,
                                                                    unsigned int, CUstream);
typedef CUresult (*PFN_cuWaitExternalSemaphoresAsync_v10000_ptsz)(const CUexternalSemaphore*,
                                                                  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1*,
                                                                  unsigned int, CUstream);
typedef CUresult (*PFN_cuDestroyExternalSemaphore_v10000)(CUexternalSemaphore);
typedef CUresult (*PFN_cuGraphAddExternalSemaphoresSignalNode_v11020)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                                      const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExternalSemaphoresSignalNodeGetParams_v11020)(CUgraphNode,
                                                                            CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExternalSemaphoresSignalNodeSetParams_v11020)(CUgraphNode,
                                                                            const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphAddExternalSemaphoresWaitNode_v11020)(CUgraphNode*, CUgraph, const CUgraphNode*, size_t,
                                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExternalSemaphoresWaitNodeGetParams_v11020)(CUgraphNode,
                                                                          CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExternalSemaphoresWaitNodeSetParams_v11020)(CUgraphNode,
                                                                          const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExecExternalSemaphoresSignalNodeSetParams_v11020)(
    CUgraphExec, CUgraphNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuGraphExecExternalSemaphoresWaitNodeSetParams_v11020)(CUgraphExec, CUgraphNode,
                                                                              const CUDA_EXT_SEM_WAIT_NODE_PARAMS_v1*);
typedef CUresult (*PFN_cuSignalExternalSemaphoresAsync_v10000)(const CUexternalSemaphore*,
                                                               const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS_v1*,
                                                               unsigned int, CUstream);
typedef CUresult (*PFN_cuWaitExternalSemaphoresAsync_v10000)(const CUexternalSemaphore*,
                                                             const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS_v1*,
                                                             unsigned int, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_EXTERNAL_H */
