// Signalling and waiting for external semaphores in a stream.
#include <cuda_runtime_api.h>

#include "api/entry/default_stream.h"
#include "op/semaphore_signal.h"
#include "op/semaphore_wait.h"
#include "stream/working_stream.h"

using namespace reprise_runtime;

namespace {

template <class Work>
cudaError_t submit(cudaStream_t handle, Result<op::SemaphoreList> semaphores) {
  if (!semaphores.ok()) return semaphores.status();
  Result<Ref<stream::Stream>> stream = stream::find_working(handle);
  if (!stream.ok()) return stream.status();
  return (*stream)->submit(Work{std::move(*semaphores)});
}

}  // namespace

extern "C" {

WITH_STREAM(cudaSignalExternalSemaphoresAsync,
            (const cudaExternalSemaphore_t* extSemArray, const cudaExternalSemaphoreSignalParams* paramsArray,
             unsigned int numExtSems, cudaStream_t stream),
            (extSemArray, paramsArray, numExtSems, stream),
            submit<op::SemaphoreSignal>(stream, op::find_semaphores(extSemArray, paramsArray, numExtSems)))

WITH_STREAM(cudaWaitExternalSemaphoresAsync,
            (const cudaExternalSemaphore_t* extSemArray, const cudaExternalSemaphoreWaitParams* paramsArray,
             unsigned int numExtSems, cudaStream_t stream),
            (extSemArray, paramsArray, numExtSems, stream),
            submit<op::SemaphoreWait>(stream, op::find_semaphores(extSemArray, paramsArray, numExtSems)))
}
