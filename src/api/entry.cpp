#include "api/entry.h"

#include <new>

#include "diagnose/refuse.h"

namespace reprise_runtime::api {

cudaError_t failed(const char* name, cudaError_t status, const std::string& arguments) {
  try {
    diagnose::call_failed(name, arguments, status);
  } catch (const std::bad_alloc&) {
    // There is no memory to say it in; the error is told all the same.
  }
  return record_error(status);
}

}  // namespace reprise_runtime::api
