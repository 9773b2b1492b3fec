// The arguments of a refused call, as the log shows them: "size=4096, stream 3, flags=cudaMemAttachHost".
//
//   return entry([&] { return stream::wait(stream, event, flags); }, ARGUMENTS(stream, event, flags));
//
// A call that succeeds does nothing with them. Pointers may be invalid, so structures behind them are read through the
// operating system, which reports a fault instead of raising one.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <new>
#include <string>
#include <type_traits>

#include "base/last_error.h"
#include "base/runtime_use.h"

namespace reprise_runtime::api {

struct ArgumentText {
  std::string text;
  bool named = true;     // false: the text says itself what it is
  bool integer = false;  // then `number` is the value, so that flags can be named
  uint64_t number = 0;

  template <class Integer>
    requires std::integral<Integer> || std::is_enum_v<Integer>
  ArgumentText(Integer value)
      : ArgumentText(static_cast<uint64_t>(value), std::is_signed_v<Integer> || std::is_enum_v<Integer>) {}
  ArgumentText(uint64_t value, bool is_signed);
  template <class... A>
  ArgumentText(void (*function)(A...)) : ArgumentText(reinterpret_cast<const void*>(function)) {}
  ArgumentText(const void* pointer);
  ArgumentText(const char* string);
  ArgumentText(char* buffer) : ArgumentText(static_cast<const void*>(buffer)) {}
  ArgumentText(size_t size);
  ArgumentText(cudaStream_t stream);
  ArgumentText(cudaEvent_t event);
  ArgumentText(cudaMemcpyKind kind);
  ArgumentText(cudaStreamCaptureMode mode);
  ArgumentText(cudaMemoryAdvise advice);
  ArgumentText(dim3 extent);
  ArgumentText(cudaExtent extent);
  ArgumentText(cudaPitchedPtr pointer);
  ArgumentText(cudaMemLocation location);
  ArgumentText(const cudaIpcEventHandle_t& handle);
  ArgumentText(const cudaIpcMemHandle_t& handle);
  // Structures behind pointers, as far as they can be read: structure_text.cpp. Structures that a call only writes are
  // shown as addresses.
  ArgumentText(const cudaKernelNodeParams* parameters);
  ArgumentText(cudaKernelNodeParams* output) : ArgumentText(static_cast<const void*>(output)) {}
  ArgumentText(const cudaMemsetParams* parameters);
  ArgumentText(cudaMemsetParams* output) : ArgumentText(static_cast<const void*>(output)) {}
  ArgumentText(const cudaHostNodeParams* parameters);
  ArgumentText(cudaHostNodeParams* output) : ArgumentText(static_cast<const void*>(output)) {}
  ArgumentText(cudaMemcpy3DParms* output) : ArgumentText(static_cast<const void*>(output)) {}
  ArgumentText(const cudaGraphNodeParams* parameters);
  ArgumentText(const cudaMemLocation* location);
  ArgumentText(const cudaMemcpy3DParms* parameters);
  ArgumentText(const cudaMemcpy3DPeerParms* parameters);
  ArgumentText(const cudaLaunchConfig_t* config);
  ArgumentText(const cudaGraphInstantiateParams* parameters);
  ArgumentText(const cudaMemPoolProps* properties);
  ArgumentText(const cudaMemAllocNodeParams* parameters);
};

// `names` are separated by ", ". A trailing _ptsz or _ptds of `call`'s name is no part of it.
[[gnu::cold, gnu::noinline]] std::string list_arguments(const char* call, const char* names,
                                                        std::initializer_list<ArgumentText> values);

// Keeps `status`, which is an error, as the thread's last one, logs it with the arguments, and returns it.
[[gnu::cold, gnu::noinline]] cudaError_t failed(const char* call, cudaError_t status, const char* names,
                                                std::initializer_list<ArgumentText> values);

// The same. A function of its own that takes the arguments by value, so that the entry point needs no more stack and
// no more registers for it. Where there is no memory for the text, the error is returned without a log entry.
template <class... Values>
[[gnu::cold, gnu::noinline]] cudaError_t failed_with(const char* call, cudaError_t status, const char* names,
                                                     Values... values) {
  if (thread_use().driver_call == DriverCall::running) return status;
  try {
    return failed(call, status, names, {ArgumentText(values)...});
  } catch (const std::bad_alloc&) {
    return record_error(status);
  }
}

// What is done with the arguments when the call has failed: fail(call, status).
template <class Fail>
struct Arguments {
  Fail fail;
};

}  // namespace reprise_runtime::api

#define ARGUMENTS(...)                                                                     \
  reprise_runtime::api::Arguments {                                                        \
    [&](const char* call_, cudaError_t status_) {                                          \
      return reprise_runtime::api::failed_with(call_, status_, #__VA_ARGS__, __VA_ARGS__); \
    }                                                                                      \
  }

// For calls without parameters.
#define NO_ARGUMENTS                                                                                             \
  reprise_runtime::api::Arguments {                                                                              \
    [](const char* call_, cudaError_t status_) { return reprise_runtime::api::failed_with(call_, status_, ""); } \
  }
