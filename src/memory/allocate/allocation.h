// Allocating and freeing what CUDA programs see: device, pinned and managed memory of each device.
// Thread safety: all calls, from anywhere.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "memory/address/span.h"
#include "memory/allocate/capacity.h"

namespace reprise_runtime::memory {

// `kind` is device, pinned or managed; `flags` (8 bits) come back from lookups. Nothing asked for is a null pointer.
// Where there is not enough, a null pointer too.
cudaError_t allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags, void** address);

// Rows of `width` bytes, each starting on a multiple of 512, `height` of them in each of `depth` slices.
cudaError_t allocate_pitched(int device, std::size_t width, std::size_t height, std::size_t depth, void** address,
                             std::size_t* pitch);

// What cudaFree takes: device and managed memory. And what cudaFreeHost takes. Null is fine.
cudaError_t free_device(void* address);
cudaError_t free_pinned(void* address);

// What memory of the kind is charged to.
Capacity& capacity_of(MemoryKind kind, int device);

struct MemoryInfo {
  std::size_t free, total;
};
MemoryInfo memory_info(int device);

// Frees everything that belongs to a device, which is idle.
void free_all(int device);

}  // namespace reprise_runtime::memory
