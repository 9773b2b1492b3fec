#include "api/entry.h"

#include "diagnose/refuse.h"

namespace reprise::api {

cudaError_t failed(const char* name, cudaError_t status) {
  // An answer, not a mistake: CUDA does not keep it either.
  if (status == cudaErrorNotReady) return status;
  diagnose::call_failed(name, status);
  return record_error(status);
}

}  // namespace reprise::api
