// Executable graphs.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;

namespace {

cudaError_t instantiate_with(CUgraphExec* out, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters,
                             CUstream default_stream) {
  if (!parameters) return refuse(cudaErrorInvalidValue, "the parameters are null");
  cudaGraphInstantiateParams made{parameters->flags, parameters->hUploadStream, nullptr, cudaGraphInstantiateSuccess};
  if (!made.uploadStream) made.uploadStream = default_stream;
  const cudaError_t status = cudaGraphInstantiateWithParams(out, graph, &made);
  parameters->hErrNode_out = made.errNode_out;
  parameters->result_out = static_cast<CUgraphInstantiateResult>(made.result_out);
  return status;
}

cudaError_t update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return cudaGraphExecUpdate(exec, graph, as_runtime(info));
}

}  // namespace

extern "C" {

CUresult cuGraphInstantiateWithFlags(CUgraphExec* phGraphExec, CUgraph hGraph, unsigned long long flags) {
  return driver::entry([&] { return cudaGraphInstantiateWithFlags(phGraphExec, hGraph, flags); },
                       ARGUMENTS(phGraphExec, hGraph, flags));
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* phGraphExec, CUgraph hGraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  return driver::entry([&] { return instantiate_with(phGraphExec, hGraph, instantiateParams, nullptr); },
                       ARGUMENTS(phGraphExec, hGraph, instantiateParams));
}

REPRISE_EXPORT CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* phGraphExec, CUgraph hGraph,
                                                          CUDA_GRAPH_INSTANTIATE_PARAMS* instantiateParams) {
  return driver::entry([&] { return instantiate_with(phGraphExec, hGraph, instantiateParams, CU_STREAM_PER_THREAD); },
                       ARGUMENTS(phGraphExec, hGraph, instantiateParams));
}

CUresult cuGraphExecGetFlags(CUgraphExec hGraphExec, cuuint64_t* flags) {
  return driver::entry_initialised([&] { return cudaGraphExecGetFlags(hGraphExec, as_runtime(flags)); },
                                   ARGUMENTS(hGraphExec, flags));
}

CUresult cuGraphExecDestroy(CUgraphExec hGraphExec) {
  return driver::entry_initialised([&] { return cudaGraphExecDestroy(hGraphExec); }, ARGUMENTS(hGraphExec));
}

CUresult cuGraphExecUpdate(CUgraphExec hGraphExec, CUgraph hGraph, CUgraphExecUpdateResultInfo* resultInfo) {
  return driver::entry([&] { return update(hGraphExec, hGraph, resultInfo); },
                       ARGUMENTS(hGraphExec, hGraph, resultInfo));
}

CALL_PTSZ(cuGraphLaunch, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream),
          cudaGraphLaunch(hGraphExec, hStream))
CALL_PTSZ(cuGraphUpload, (CUgraphExec hGraphExec, CUstream hStream), (hGraphExec, hStream),
          cudaGraphUpload(hGraphExec, hStream))
}
