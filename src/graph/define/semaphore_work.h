// The work of semaphore nodes, with the parameters as the user gave them.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/status.h"
#include "op/semaphore_signal.h"
#include "op/semaphore_wait.h"

namespace reprise_runtime::graph {

// `NodeParameters` is CUDA's structure for the node, `Parameters` the one for each semaphore in it.
template <class Op, class NodeParameters, class Parameters>
struct SemaphoreWork {
  Op op;
  std::vector<cudaExternalSemaphore_t> handles;
  std::vector<Parameters> parameters;

  static Result<SemaphoreWork> build(const NodeParameters& given) {
    if (given.numExtSems == 0) return SemaphoreWork{};  // valid in a graph, unlike in a stream
    Result<op::SemaphoreList> found = op::find_semaphores(given.extSemArray, given.paramsArray, given.numExtSems);
    if (!found.ok()) return found.status();
    SemaphoreWork work;
    work.op.semaphores = std::move(*found);
    work.handles.assign(given.extSemArray, given.extSemArray + given.numExtSems);
    work.parameters.assign(given.paramsArray, given.paramsArray + given.numExtSems);
    return work;
  }

  // The arrays in the result are this object's.
  NodeParameters user_params() { return {handles.data(), parameters.data(), static_cast<unsigned>(handles.size())}; }
};

using SignalWork =
    SemaphoreWork<op::SemaphoreSignal, cudaExternalSemaphoreSignalNodeParams, cudaExternalSemaphoreSignalParams>;
using WaitWork = SemaphoreWork<op::SemaphoreWait, cudaExternalSemaphoreWaitNodeParams, cudaExternalSemaphoreWaitParams>;

}  // namespace reprise_runtime::graph
