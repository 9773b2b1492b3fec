// Streams: creating, querying, waiting for, and their attributes.
#include "stream/stream.h"

#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "device/printf_buffer.h"
#include "stream/capture_rules.h"
#include "stream/device_streams.h"

using namespace reprise_runtime;
using api::check_output;
using diagnose::refuse;

namespace {

constexpr stream::RefusedCall asked = {"call it before the capture, and keep the result"};

// Calls `use(stream)` with the stream of the handle. The legacy stream cannot be used while a blocking stream captures.
template <class Use>
cudaError_t with_stream(cudaStream_t handle, Use&& use) {
  Result<stream::Stream*> found = stream::borrow(handle);
  if (!found.ok()) return found.status();
  if ((*found)->kind() == stream::Kind::legacy) {
    if (cudaError_t refused = check_outside_capture(**found, asked); refused != cudaSuccess) return refused;
  }
  return use(**found);
}

cudaError_t create(cudaStream_t* out, unsigned flags, int priority) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  Result<Ref<stream::Stream>> made = stream::create(flags, priority, current_device());
  if (made.ok()) *out = (*made)->handle().as<cudaStream_t>();
  return made.status();
}

// Stores the result of `get(stream)`.
template <class T, class Get>
cudaError_t query(cudaStream_t handle, T* out, Get&& get) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  return with_stream(handle, [&](stream::Stream& stream) {
    *out = get(stream);
    return cudaSuccess;
  });
}

// The same, refused while the stream captures, as NVIDIA's runtime does.
template <class T, class Get>
cudaError_t query_apart(cudaStream_t handle, T* out, Get&& get) {
  if (cudaError_t status = check_output(out); status != cudaSuccess) return status;
  return with_stream(handle, [&](stream::Stream& stream) {
    if (cudaError_t refused = check_outside_capture(stream, asked); refused != cudaSuccess) return refused;
    *out = get(stream);
    return cudaSuccess;
  });
}

// Checks that no capture forbids waiting for the stream or querying it.
cudaError_t check_waiting(stream::Stream& stream) {
  constexpr stream::RefusedCall call = {
      "wait after cudaStreamEndCapture, for the launch of the graph; a library that waits needs its own stream"};
  if (cudaError_t refused = check_outside_capture(stream, call); refused != cudaSuccess) return refused;
  return check_unsafe(call);
}

}  // namespace

cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return api::entry([&] { return create(out, cudaStreamDefault, 0); }, ARGUMENTS(out));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return api::entry([&] { return create(out, flags, 0); }, ARGUMENTS(out, flags));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return api::entry([&] { return create(out, flags, priority); }, ARGUMENTS(out, flags, priority));
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return api::entry([&] { return stream::destroy(handle); }, ARGUMENTS(handle));
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
  return api::entry([&] { return query(handle, priority, [](auto& stream) { return stream.priority(); }); },
                    ARGUMENTS(handle, priority));
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
  return api::entry([&] { return query_apart(handle, flags, [](auto& stream) { return stream.flags(); }); },
                    ARGUMENTS(handle, flags));
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
  return api::entry([&] { return query_apart(handle, id, [](auto& stream) { return stream.id(); }); },
                    ARGUMENTS(handle, id));
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
  return api::entry([&] { return query_apart(handle, device, [](auto& stream) { return stream.device(); }); },
                    ARGUMENTS(handle, device));
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return api::entry(
      [&] {
        return with_stream(handle, [](stream::Stream& stream) {
          if (cudaError_t refused = check_waiting(stream); refused != cudaSuccess) return refused;
          stream.synchronize();
          return stream.take_error();
        });
      },
      ARGUMENTS(handle));
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return api::entry(
      [&] {
        return with_stream(handle, [](stream::Stream& stream) {
          if (cudaError_t refused = check_waiting(stream); refused != cudaSuccess) return refused;
          if (!stream.idle()) return cudaErrorNotReady;
          device::flush_printf();
          return stream.take_error();
        });
      },
      ARGUMENTS(handle));
}

cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID id,
                                   const cudaLaunchAttributeValue* value) {
  return api::entry(
      [&] {
        if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
        return with_stream(handle, [&](stream::Stream& stream) { return stream.set_attribute(id, *value); });
      },
      ARGUMENTS(handle, id, value));
}

cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  return api::entry(
      [&] {
        if (!value) return refuse(cudaErrorInvalidValue, "the value is null");
        return with_stream(handle, [&](stream::Stream& stream) { return stream.get_attribute(id, value); });
      },
      ARGUMENTS(handle, id, value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return api::entry(
      [&] {
        Result<Ref<stream::Stream>> source = stream::find(from);
        if (!source.ok()) return source.status();
        Result<Ref<stream::Stream>> target = stream::find(to);
        if (!target.ok()) return target.status();
        (*target)->copy_attributes(**source);
        return cudaSuccess;
      },
      ARGUMENTS(to, from));
}
