// Events: creating, recording, waiting for, timing, and sharing between processes.
#include "event/event.h"

#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "device/printf_buffer.h"
#include "memory/pool/pools.h"
#include "stream/capture_rules.h"
#include "stream/event_work.h"

using namespace reprise_runtime;
using api::check_output;
using diagnose::refuse;

namespace {

cudaError_t create(cudaEvent_t* out, unsigned flags) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  Result<Ref<event::Event>> made = event::create(flags, current_device());
  if (made.ok()) *out = (*made)->handle().as<cudaEvent_t>();
  return made.status();
}

cudaError_t record(cudaEvent_t event_handle, cudaStream_t stream_handle, unsigned flags) {
  if (flags & ~static_cast<unsigned>(cudaEventRecordExternal)) {
    return refuse(cudaErrorInvalidValue, "flags must be cudaEventRecordDefault or cudaEventRecordExternal, not 0x%x",
                  flags);
  }
  Result<Ref<event::Event>> event = event::find(event_handle);
  if (!event.ok()) return event.status();
  Result<stream::Stream*> stream = stream::borrow(stream_handle);
  if (!stream.ok()) return stream.status();
  if ((*event)->device() != (*stream)->device()) {
    return refuse(cudaErrorInvalidResourceHandle, "the event belongs to device %d and the stream to device %d",
                  (*event)->device(), (*stream)->device());
  }
  return stream::record_event(**stream, *event, flags & cudaEventRecordExternal);
}

// Checks that no capture forbids waiting for the event or querying it.
cudaError_t check_waiting(event::Event& event) {
  if (cudaError_t refused = stream::check_event_outside_capture(event); refused != cudaSuccess) return refused;
  return stream::check_unsafe({"call it after the capture"});
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* out) {
  return api::entry([&] { return create(out, cudaEventDefault); }, ARGUMENTS(out));
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return api::entry([&] { return create(out, flags); }, ARGUMENTS(out, flags));
}

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return api::entry([&] { return event::destroy(handle); }, ARGUMENTS(handle));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return api::entry([&] { return record(event, stream, cudaEventRecordDefault); }, ARGUMENTS(event, stream));
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  return api::entry([&] { return record(event, stream, flags); }, ARGUMENTS(event, stream, flags));
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return api::entry(
      [&] {
        Result<Ref<event::Event>> event = event::find(handle);
        if (!event.ok()) return event.status();
        if (cudaError_t refused = check_waiting(**event); refused != cudaSuccess) return refused;
        if (!(*event)->poll()) return cudaErrorNotReady;
        device::flush_printf();
        return sticky_error((*event)->device());
      },
      ARGUMENTS(handle));
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return api::entry(
      [&] {
        Result<Ref<event::Event>> event = event::find(handle);
        if (!event.ok()) return event.status();
        if (cudaError_t refused = check_waiting(**event); refused != cudaSuccess) return refused;
        (*event)->point().wait((*event)->wait_policy());
        memory::after_synchronization();
        return sticky_error((*event)->device());
      },
      ARGUMENTS(handle));
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start_handle, cudaEvent_t end_handle) {
  return api::entry(
      [&] {
        if (cudaError_t status = check_output(milliseconds); status != cudaSuccess) return status;
        Result<Ref<event::Event>> start = event::find(start_handle);
        if (!start.ok()) return start.status();
        Result<Ref<event::Event>> end = event::find(end_handle);
        if (!end.ok()) return end.status();
        for (event::Event* event : {start->get(), end->get()}) {
          const cudaError_t refused = stream::check_event_outside_capture(*event, false);
          if (refused != cudaSuccess) return refused;
        }
        Result<float> elapsed = event::elapsed(**start, **end);
        if (elapsed.ok()) *milliseconds = *elapsed;
        return elapsed.status();
      },
      ARGUMENTS(milliseconds, start_handle, end_handle));
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* out, cudaEvent_t handle) {
  return api::entry(
      [&] {
        if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
        if (!handle) return refuse(cudaErrorInvalidValue, "the event is null");
        Result<Ref<event::Event>> event = event::find(handle);
        if (!event.ok()) return event.status();
        if (!(*event)->shared()) {
          return refuse(cudaErrorInvalidResourceHandle, "the event was created without cudaEventInterprocess");
        }
        *out = (*event)->shared()->handle();
        return cudaSuccess;
      },
      ARGUMENTS(out, handle));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* out, cudaIpcEventHandle_t handle) {
  return api::entry(
      [&] {
        if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
        Result<Ref<event::Event>> opened = event::open(handle, current_device());
        if (opened.ok()) *out = (*opened)->handle().as<cudaEvent_t>();
        return opened.status();
      },
      ARGUMENTS(out, handle));
}
