// Work submitted to streams: host functions, callbacks, and waits for events.
#include <cuda_runtime_api.h>

#include "api/entry/entry.h"
#include "base/host_function_scope.h"
#include "diagnose/refuse.h"
#include "event/event.h"
#include "exec/blocking.h"
#include "stream/capture_rules.h"
#include "stream/event_work.h"

using namespace reprise_runtime;
using diagnose::refuse;

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* user_data) {
  return api::entry(
      [&] {
        Result<stream::Stream*> stream = stream::borrow(handle);
        if (!stream.ok()) return stream.status();
        Result<op::HostFunction> built = op::HostFunction::build(function, user_data);
        return built.ok() ? (*stream)->submit(*built) : built.status();
      },
      ARGUMENTS(handle, function, user_data));
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t callback, void* user_data, unsigned flags) {
  return api::entry(
      [&] {
        if (!callback) return refuse(cudaErrorInvalidValue, "the callback is null");
        if (flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", flags);
        Result<stream::Stream*> stream = stream::borrow(handle);
        if (!stream.ok()) return stream.status();
        constexpr stream::RefusedCall call = {"use cudaLaunchHostFunc, which becomes a node"};
        if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
        int device = (*stream)->device();
        // Unlike a host function it is also called after a fault, and gets the error.
        (*stream)->submit_task([=](exec::Lane& lane) {
          exec::BlockingScope blocking;
          HostFunctionScope scope;
          try {
            callback(handle, sticky_error(device), user_data);
          } catch (...) {
            lane.note_failure(cudaErrorLaunchFailure);
          }
        });
        return cudaSuccess;
      },
      ARGUMENTS(handle, callback, user_data, flags));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned flags) {
  return api::entry(
      [&] {
        if (flags & ~static_cast<unsigned>(cudaEventWaitExternal)) {
          return refuse(cudaErrorInvalidValue, "flags must be cudaEventWaitDefault or cudaEventWaitExternal, not 0x%x",
                        flags);
        }
        Result<stream::Stream*> stream = stream::borrow(handle);
        if (!stream.ok()) return stream.status();
        Result<Ref<event::Event>> event = event::find(event_handle);
        if (!event.ok()) return event.status();
        return stream::wait_event(**stream, *event, flags & cudaEventWaitExternal);
      },
      ARGUMENTS(handle, event_handle, flags));
}
