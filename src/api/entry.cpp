#include "api/entry.h"

#include "diagnose/refuse.h"

namespace reprise::api {

cudaError_t failed(const char* name, cudaError_t status) {
  // "Not ready" is an answer, not a mistake; CUDA keeps it as the last error all the same.
  if (status != cudaErrorNotReady) diagnose::call_failed(name, status);
  return record_error(status);
}

}  // namespace reprise::api
