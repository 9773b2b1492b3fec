/* External memory and semaphores of the driver API. */
#ifndef REPRISE_DRIVER_EXTERNAL_H
#define REPRISE_DRIVER_EXTERNAL_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuImportExternalMemory(CUexternalMemory* extMem_out,
                                            const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* memHandleDesc);
REPRISE_API CUresult cuExternalMemoryGetMappedBuffer(CUdeviceptr* devPtr, CUexternalMemory extMem,
                                                     const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* bufferDesc);
REPRISE_API CUresult cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray* mipmap, CUexternalMemory extMem, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* mipmapDesc);
REPRISE_API CUresult cuDestroyExternalMemory(CUexternalMemory extMem);
REPRISE_API CUresult cuImportExternalSemaphore(CUexternalSemaphore* extSem_out,
                                               const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* semHandleDesc);
REPRISE_API CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray,
                                                     const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray,
                                                     unsigned int numExtSems, CUstream stream);
REPRISE_API CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore* extSemArray,
                                                   const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray,
                                                   unsigned int numExtSems, CUstream stream);
REPRISE_API CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem);
REPRISE_API CUresult cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                                            const CUgraphNode* dependencies, size_t numDependencies,
                                                            const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode hNode,
                                                                  CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* params_out);
REPRISE_API CUresult cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode hNode,
                                                                  const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* phGraphNode, CUgraph hGraph,
                                                          const CUgraphNode* dependencies, size_t numDependencies,
                                                          const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode hNode,
                                                                CUDA_EXT_SEM_WAIT_NODE_PARAMS* params_out);
REPRISE_API CUresult cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode hNode,
                                                                const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExecExternalSemaphoresSignalNodeSetParams(
    CUgraphExec hGraphExec, CUgraphNode hNode, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* nodeParams);
REPRISE_API CUresult cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec hGraphExec, CUgraphNode hNode,
                                                                    const CUDA_EXT_SEM_WAIT_NODE_PARAMS* nodeParams);

REPRISE_END_C

#endif /* REPRISE_DRIVER_EXTERNAL_H */
