// The arguments of a call that was refused, as the log tells them: "size=4096, stream 3, flags=cudaMemAttachHost".
//
//   return entry([&] { return stream::wait(stream, event, flags); }, ARGUMENTS(stream, event, flags));
//
// Nothing is made of them while the call succeeds. Pointers may be anything, so what is behind them is read with care.
#pragma once

#include <driver_types.h>
#include <vector_types.h>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace reprise_runtime::api {

struct ArgumentText {
  std::string text;
  bool named = true;     // false: says itself what it is
  bool integer = false;  // then `number` is it, for flags to be named
  uint64_t number = 0;

  template <class Integer>
    requires std::integral<Integer> || std::is_enum_v<Integer>
  ArgumentText(Integer value)
      : text(std::to_string(static_cast<std::int64_t>(value))), integer(true), number(static_cast<uint64_t>(value)) {}
  template <class... A>
  ArgumentText(void (*function)(A...)) : ArgumentText(reinterpret_cast<const void*>(function)) {}
  ArgumentText(const void* pointer);
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
  // Structures behind pointers, as far as they can be read: structure_text.cpp.
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
[[gnu::cold, gnu::noinline]] cudaError_t failed(const char* call, cudaError_t status,
                                                const std::string& arguments = {});

// The same. Apart and by value, so that the entry point needs no more room and no more registers for it.
template <class... Values>
[[gnu::cold, gnu::noinline]] cudaError_t failed_with(const char* call, cudaError_t status, const char* names,
                                                     Values... values) {
  return failed(call, status, list_arguments(call, names, {values...}));
}

// What is done with the arguments when the call has failed.
template <class Fail>
struct Arguments {
  Fail fail;
};
struct NoArguments {
  cudaError_t operator()(const char* call, cudaError_t status) const { return failed(call, status); }
};

}  // namespace reprise_runtime::api

#define ARGUMENTS(...)                                                                     \
  reprise_runtime::api::Arguments {                                                        \
    [&](const char* call_, cudaError_t status_) {                                          \
      return reprise_runtime::api::failed_with(call_, status_, #__VA_ARGS__, __VA_ARGS__); \
    }                                                                                      \
  }
