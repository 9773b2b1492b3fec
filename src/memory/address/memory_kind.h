// The kinds of memory that CUDA distinguishes.
#pragma once

#include <cstdint>

namespace reprise_runtime::memory {

enum class MemoryKind : std::uint8_t {
  pageable,    // unknown to the runtime: plain host memory, or no memory at all
  device,      // cudaMalloc
  pinned,      // cudaMallocHost, cudaHostAlloc
  managed,     // cudaMallocManaged
  registered,  // cudaHostRegister
  variable,    // a __device__ or __constant__ variable
  imported,    // cudaIpcOpenMemHandle
  graph,       // reserved for an allocation node, and not live outside of launches
  dead,        // in the runtime's address window, but not (or no longer) allocated
};

// "pinned host memory", for the log.
constexpr const char* describe(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::pageable:
      return "ordinary host memory";
    case MemoryKind::device:
      return "device memory";
    case MemoryKind::pinned:
      return "pinned host memory";
    case MemoryKind::managed:
      return "managed memory";
    case MemoryKind::registered:
      return "registered host memory";
    case MemoryKind::variable:
      return "a device variable";
    case MemoryKind::imported:
      return "device memory of another process";
    case MemoryKind::graph:
      return "graph memory that is not live: its graph was not launched, or it was freed";
    case MemoryKind::dead:
      return "not allocated: freed already, past an end, or never was";
  }
  return "unknown memory";
}

}  // namespace reprise_runtime::memory
