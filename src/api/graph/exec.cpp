// Executable graphs: instantiation, launch, upload.
#include "graph/plan/exec.h"

#include "api/entry/default_stream.h"
#include "api/graph/graph_entry.h"
#include "stream/capture_rules.h"
#include "stream/graph_launch.h"

using namespace reprise_runtime;

namespace {

cudaError_t check_instantiating() { return stream::check_unsafe({"instantiate graphs before or after the capture"}); }

cudaError_t instantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  if (cudaError_t refused = api::check_output(out); refused != cudaSuccess) return refused;
  // Only the parameters name a stream for the upload.
  if (flags & cudaGraphInstantiateFlagUpload) {
    return diagnose::refuse(cudaErrorInvalidValue,
                            "cudaGraphInstantiateFlagUpload needs cudaGraphInstantiateWithParams");
  }
  if (cudaError_t refused = check_instantiating(); refused != cudaSuccess) return refused;
  graph::Instantiated made = graph::instantiate(graph, flags);
  if (made.exec) *out = made.exec->handle().as<cudaGraphExec_t>();
  return made.status;
}

cudaError_t instantiate_with(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphInstantiateParams& parameters) {
  parameters.result_out = cudaGraphInstantiateError;
  parameters.errNode_out = nullptr;
  if (cudaError_t refused = api::check_output(out); refused != cudaSuccess) return refused;
  if (cudaError_t refused = check_instantiating(); refused != cudaSuccess) return refused;
  graph::Instantiated made = graph::instantiate(graph, parameters.flags);
  parameters.result_out = made.result;
  parameters.errNode_out = made.error_node;
  if (made.exec) *out = made.exec->handle().as<cudaGraphExec_t>();
  return made.status;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  return api::entry([&] { return instantiate(out, graph, flags); }, ARGUMENTS(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
  return api::entry([&] { return instantiate(out, graph, flags); }, ARGUMENTS(out, graph, flags));
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  return api::entry(
      [&] {
        if (!parameters) return diagnose::refuse(cudaErrorInvalidValue, "the parameters are null");
        return instantiate_with(out, graph, *parameters);
      },
      ARGUMENTS(out, graph, parameters));
}
REPRISE_EXPORT __attribute__((alias("cudaGraphInstantiateWithParams"))) cudaError_t
cudaGraphInstantiateWithParams_ptsz(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphInstantiateParams* parameters);

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return api::graph_entry_with(
      flags,
      [&](unsigned long long& out) {
        Ref<graph::GraphExec> found = graph::find_exec(exec);
        if (!found) return graph::no_such_exec(exec);
        out = found->flags();
        return cudaSuccess;
      },
      ARGUMENTS(exec, flags));
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return api::entry_always(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"destroy executable graphs after the capture"});
        return refused != cudaSuccess ? refused : graph::destroy_exec(exec);
      },
      ARGUMENTS(exec));
}

WITH_STREAM(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream),
            stream::launch_graph(exec, stream))

WITH_STREAM(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), (exec, stream),
            stream::upload_graph(exec, stream))
}
