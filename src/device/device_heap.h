// malloc and free in device code: a heap with a limit of its own, as on a GPU.
#pragma once

#include <cstddef>

namespace reprise::device {

// cudaLimitMallocHeapSize: allocations beyond it give a null pointer.
void set_device_heap_limit(std::size_t bytes);
std::size_t device_heap_limit();

}  // namespace reprise::device
