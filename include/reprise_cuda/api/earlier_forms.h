/* C++ overloads with the parameter lists of CUDA 10 to 12, for calls that have other parameters in CUDA
 * 13.
 *
 * Where an argument fits both (a null pointer, for example), CUDA 13's meaning wins. A program that needs the
 * calls not to be overloaded (to take their addresses) defines REPRISE_NO_EARLIER_FORMS.
 */
#ifndef REPRISE_API_EARLIER_FORMS_H
#define REPRISE_API_EARLIER_FORMS_H

#if defined(__cplusplus) && !defined(REPRISE_NO_EARLIER_FORMS)

#include "capture.h"
#include "copy.h"
#include "graph.h"
#include "graph_exec.h"
#include "graph_node.h"
#include "managed.h"

namespace __reprise {

/* Until CUDA 12, a device number or cudaCpuDeviceId selected the location of memory. */
inline __host__ cudaMemLocation location_of_device(int device) {
  cudaMemLocation location;
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return location;
}

/* A parameter of this type takes a size_t* and nothing else, not even a null constant. */
template <class T>
struct CountOut;
template <>
struct CountOut<size_t> {
  typedef cudaError_t Status;
};

} /* namespace __reprise */

static inline __host__ cudaError_t cudaMemPrefetchAsync(const void* devPtr, size_t count, int dstDevice,
                                                        cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(devPtr, count, __reprise::location_of_device(dstDevice), 0u, stream);
}

static inline __host__ cudaError_t cudaMemAdvise(const void* devPtr, size_t count, enum cudaMemoryAdvise advice,
                                                 int device) {
  return cudaMemAdvise(devPtr, count, advice, __reprise::location_of_device(device));
}

/* CUDA 12.8 returned the index of the failed copy of a batch. CUDA 13 does not: SIZE_MAX means no particular one. */
static inline __host__ cudaError_t cudaMemcpyBatchAsync(void** dsts, void** srcs, size_t* sizes, size_t count,
                                                        struct cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                                        size_t numAttrs, size_t* failIdx, cudaStream_t stream) {
  if (failIdx) *failIdx = (size_t)-1;
  return cudaMemcpyBatchAsync((void* const*)dsts, (const void* const*)srcs, sizes, count, attrs, attrsIdxs, numAttrs,
                              stream);
}

static inline __host__ cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp* opList,
                                                          size_t* failIdx, unsigned long long flags,
                                                          cudaStream_t stream) {
  if (failIdx) *failIdx = (size_t)-1;
  return cudaMemcpy3DBatchAsync(numOps, opList, flags, stream);
}

/* CUDA 10.0 had one capture mode. */
static inline __host__ cudaError_t cudaStreamBeginCapture(cudaStream_t stream) {
  return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
}

/* Without edge data from here on. */
template <class Count>
static inline __host__ typename __reprise::CountOut<Count>::Status cudaStreamGetCaptureInfo(
    cudaStream_t stream, enum cudaStreamCaptureStatus* captureStatus_out, unsigned long long* id_out,
    cudaGraph_t* graph_out, const cudaGraphNode_t** dependencies_out, Count* numDependencies_out) {
  return cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out, dependencies_out, NULL,
                                  numDependencies_out);
}

static inline __host__ cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                                       cudaGraphNode_t* dependencies,
                                                                       size_t numDependencies, unsigned int flags = 0) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, (const cudaGraphEdgeData*)NULL, numDependencies,
                                             flags);
}

/* A named flag selects this form even if the count is a literal zero. */
static inline __host__ cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t numDependencies,
                                    enum cudaStreamUpdateCaptureDependenciesFlags flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, numDependencies, (unsigned int)flags);
}

static inline __host__ cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                                     size_t* numEdges) {
  return cudaGraphGetEdges(graph, from, to, NULL, numEdges);
}

static inline __host__ cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* pDependencies,
                                                                size_t* pNumDependencies) {
  return cudaGraphNodeGetDependencies(node, pDependencies, NULL, pNumDependencies);
}

static inline __host__ cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                                                  cudaGraphNode_t* pDependentNodes,
                                                                  size_t* pNumDependentNodes) {
  return cudaGraphNodeGetDependentNodes(node, pDependentNodes, NULL, pNumDependentNodes);
}

static inline __host__ cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                            const cudaGraphNode_t* to, size_t numDependencies) {
  return cudaGraphAddDependencies(graph, from, to, NULL, numDependencies);
}

static inline __host__ cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                               const cudaGraphNode_t* to, size_t numDependencies) {
  return cudaGraphRemoveDependencies(graph, from, to, NULL, numDependencies);
}

static inline __host__ cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode, cudaGraph_t graph,
                                                    const cudaGraphNode_t* pDependencies, size_t numDependencies,
                                                    struct cudaGraphNodeParams* nodeParams) {
  return cudaGraphAddNode(pGraphNode, graph, pDependencies, NULL, numDependencies, nodeParams);
}

/* Returns the node that failed, and a log. CUDA now writes its log elsewhere, so the buffer stays */
/* empty. */
static inline __host__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph,
                                                        cudaGraphNode_t* pErrorNode, char* pLogBuffer,
                                                        size_t bufferSize) {
  cudaGraphInstantiateParams params = {};
  const cudaError_t status = cudaGraphInstantiateWithParams(pGraphExec, graph, &params);
  if (pErrorNode && status != cudaSuccess) *pErrorNode = params.errNode_out;
  if (pLogBuffer && bufferSize > 0) pLogBuffer[0] = '\0';
  return status;
}

static inline __host__ cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec, cudaGraph_t hGraph,
                                                       cudaGraphNode_t* hErrorNode_out,
                                                       enum cudaGraphExecUpdateResult* updateResult_out) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t status = cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out) *hErrorNode_out = info.errorNode;
  if (updateResult_out) *updateResult_out = info.result;
  return status;
}

#endif

#endif /* REPRISE_API_EARLIER_FORMS_H */
