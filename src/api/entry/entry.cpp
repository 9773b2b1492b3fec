#include "api/entry/entry.h"

#include "diagnose/error_text.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::api {
namespace {

using diagnose::refuse;

// The device whose fault the status reports: the current one, or another that the call waited for; -1 if there is none.
int faulted_device(cudaError_t status) {
  const int current = current_device();
  if (status == sticky_error(current)) return current;
  for (int device = 0; device < device_count(); ++device) {
    if (status == sticky_error(device)) return device;
  }
  return -1;
}

// Errors that any call may return, from wherever they were noticed.
void explain_common(cudaError_t status) {
  const int device = faulted_device(status);
  if (status == cudaErrorNotPermitted && in_host_function()) {
    refuse(status, "host functions and stream callbacks must not call the CUDA runtime");
  } else if (diagnose::has_reason(status)) {
    return;
  } else if (status == cudaErrorInitializationError && device >= 0) {
    refuse(status,
           "this process was forked after its parent had used the runtime, and has no worker threads; "
           "fork before the first call, or start the program anew (exec)");
  } else if (status == cudaErrorDevicesUnavailable && device >= 0) {
    refuse(status, "device %d was reset after a fault; only a new process can use it again", device);
  } else if (device >= 0) {
    refuse(status,
           "an earlier fault ended the use of device %d by this process; the log entry of that fault names "
           "its cause",
           device);
  } else if (status == cudaErrorLaunchFailure) {
    refuse(status, "a host function or a stream callback threw an exception");
  } else if (status == cudaErrorMemoryAllocation) {
    refuse(status, "the process is out of host memory");
  }
}

}  // namespace

cudaError_t failed(const char* name, cudaError_t status, const char* names,
                   std::initializer_list<ArgumentText> values) {
  explain_common(status);
  diagnose::call_failed(name, list_arguments(name, names, values), status);
  return thread_use().driver_call == DriverCall::none ? record_error(status) : status;
}

}  // namespace reprise_runtime::api
