// Semaphores of other processes and APIs.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using driver::as_runtime;

extern "C" {

CUresult cuImportExternalSemaphore(CUexternalSemaphore* extSem_out,
                                   const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* semHandleDesc) {
  return driver::entry([&] { return cudaImportExternalSemaphore(as_runtime(extSem_out), as_runtime(semHandleDesc)); },
                       ARGUMENTS(extSem_out, semHandleDesc));
}

CUresult cuDestroyExternalSemaphore(CUexternalSemaphore extSem) {
  return driver::entry([&] { return cudaDestroyExternalSemaphore(as_runtime(extSem)); }, ARGUMENTS(extSem));
}

CALL_PTSZ(cuSignalExternalSemaphoresAsync,
          (const CUexternalSemaphore* extSemArray, const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS* paramsArray,
           unsigned int numExtSems, CUstream hStream),
          (extSemArray, paramsArray, numExtSems, hStream),
          cudaSignalExternalSemaphoresAsync(as_runtime(extSemArray), as_runtime(paramsArray), numExtSems, hStream))
CALL_PTSZ(cuWaitExternalSemaphoresAsync,
          (const CUexternalSemaphore* extSemArray, const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS* paramsArray,
           unsigned int numExtSems, CUstream hStream),
          (extSemArray, paramsArray, numExtSems, hStream),
          cudaWaitExternalSemaphoresAsync(as_runtime(extSemArray), as_runtime(paramsArray), numExtSems, hStream))
}
