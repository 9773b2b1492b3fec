// Allocates and frees device, pinned and managed memory of each device.
// Thread safety: all calls may be made from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "memory/address/span.h"
#include "memory/allocate/capacity.h"

namespace reprise_runtime::memory {

// `kind` is device, pinned or managed; lookups return `flags` (8 bits). 0 bytes give a null pointer, and so does a lack
// of memory.
cudaError_t allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags, void** address);

// Allocates `depth` slices of `height` rows of `width` bytes; each row starts at a multiple of 512.
cudaError_t allocate_pitched(int device, std::size_t width, std::size_t height, std::size_t depth, void** address,
                             std::size_t* pitch);

// cudaFree, for device and managed memory; and cudaFreeHost. Both accept null.
cudaError_t free_device(void* address);
cudaError_t free_pinned(void* address);

// The capacity that memory of the kind is charged to.
Capacity& capacity_of(MemoryKind kind, int device);

struct MemoryInfo {
  std::size_t free, total;
};
MemoryInfo memory_info(int device);

// Frees all memory of a device, which is idle.
void free_all(int device);

}  // namespace reprise_runtime::memory
