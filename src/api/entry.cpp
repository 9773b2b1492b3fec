#include "api/entry.h"

#include "diagnose/refuse.h"

namespace reprise::api {

cudaError_t failed(const char* name, cudaError_t status, const std::string& arguments) {
  diagnose::call_failed(name, arguments, status);
  return record_error(status);
}

}  // namespace reprise::api
