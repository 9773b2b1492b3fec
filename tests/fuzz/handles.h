// Handles to pass, of each type: handles that calls returned, live or destroyed, and invented ones.
#pragma once

#include <cuda_runtime_api.h>

#include <type_traits>
#include <vector>

#include "random.h"

namespace fuzz {

// A pointer to an incomplete type is a handle.
template <class T>
concept Complete = requires { sizeof(T); };
template <class T>
concept Opaque = std::is_pointer_v<T> && !std::is_void_v<std::remove_pointer_t<T>> &&
                 !std::is_function_v<std::remove_pointer_t<T>> && !Complete<std::remove_pointer_t<T>>;

inline void destroy(cudaStream_t stream) { static_cast<void>(cudaStreamDestroy(stream)); }
inline void destroy(cudaEvent_t event) { static_cast<void>(cudaEventDestroy(event)); }
inline void destroy(cudaExternalSemaphore_t semaphore) { static_cast<void>(cudaDestroyExternalSemaphore(semaphore)); }
inline void destroy(cudaLogsCallbackHandle callback) { static_cast<void>(cudaLogsUnregisterCallback(callback)); }
inline void destroy(cudaAsyncCallbackHandle_t callback) {
  static_cast<void>(cudaDeviceUnregisterAsyncNotification(0, callback));
}
inline void destroy(cudaLibrary_t library) { static_cast<void>(cudaLibraryUnload(library)); }
inline void destroy(cudaUserObject_t object) {
  while (cudaUserObjectRelease(object, 1) == cudaSuccess) {
  }
}
inline void destroy(cudaMemPool_t pool) { static_cast<void>(cudaMemPoolDestroy(pool)); }  // not a device's own
inline void destroy(cudaGraph_t graph) { static_cast<void>(cudaGraphDestroy(graph)); }
inline void destroy(cudaGraphExec_t exec) { static_cast<void>(cudaGraphExecDestroy(exec)); }
inline void destroy(const void*) {}  // nothing to destroy, or not made yet

// How many handles of a type are kept. Few graphs with many nodes: otherwise a graph, its nodes and its executable
// graph would rarely meet in one call.
template <class H>
constexpr size_t most_kept = 24;
template <>
inline constexpr size_t most_kept<cudaGraph_t> = 4;
template <>
inline constexpr size_t most_kept<cudaGraphExec_t> = 4;
template <>
inline constexpr size_t most_kept<cudaGraphNode_t> = 64;

template <Opaque H>
class Handles {
 public:
  static H pick(Random& random) {
    if (random.right() && !known_.empty()) return known_[random.below(known_.size())];
    switch (random.below(8)) {
      case 0:
        return nullptr;
      case 1:
        return reinterpret_cast<H>(random.bits() >> random.below(64));
      case 2:
        return reinterpret_cast<H>(random.below(4));  // the default streams' handles are among these
      default:
        return known_.empty() ? nullptr : known_[random.below(known_.size())];
    }
  }
  static void keep(Random& random, H handle) {
    if (!handle) return;
    known_.push_back(handle);
    if (known_.size() <= most_kept<H>) return;
    std::swap(known_[random.below(known_.size())], known_.back());
    destroy(known_.back());
    known_.pop_back();
  }
  static void destroy_all() {
    for (H handle : known_) destroy(handle);
    known_.clear();
  }

 private:
  static inline std::vector<H> known_;
};

}  // namespace fuzz
