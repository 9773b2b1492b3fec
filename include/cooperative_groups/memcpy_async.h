// memcpy_async: the threads of a group copy together; wait() makes the copy visible to all of them.
#pragma once

#include <cooperative_groups.h>

#ifdef __CUDA__

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

template <class Group>
__device__ inline void copy_bytes(const Group& group, void* to, const void* from, size_t bytes) {
  char* destination = static_cast<char*>(to);
  const char* source = static_cast<const char*>(from);
  const size_t rank = group.thread_rank(), count = group.num_threads();
  const size_t alignment = reinterpret_cast<size_t>(to) | reinterpret_cast<size_t>(from);
  size_t copied = 0;
  if (alignment % 16 == 0) {
    copied = bytes / 16 * 16;
    for (size_t i = rank * 16; i < copied; i += count * 16)
      *reinterpret_cast<int4*>(destination + i) = *reinterpret_cast<const int4*>(source + i);
  } else if (alignment % 4 == 0) {
    copied = bytes / 4 * 4;
    for (size_t i = rank * 4; i < copied; i += count * 4)
      *reinterpret_cast<int*>(destination + i) = *reinterpret_cast<const int*>(source + i);
  }
  for (size_t i = copied + rank; i < bytes; i += count) destination[i] = source[i];
}

}  // namespace __reprise

template <class Group, class T, class Shape>
__device__ inline void memcpy_async(const Group& group, T* destination, const void* source, const Shape& bytes) {
  __reprise::copy_bytes(group, destination, source, static_cast<size_t>(bytes));
}
// Sizes are in elements. Copies no more than fit into the destination.
template <class Group, class T, class DestinationLayout, class SourceLayout>
__device__ inline void memcpy_async(const Group& group, T* destination, const DestinationLayout& destination_count,
                                    const T* source, const SourceLayout& source_count) {
  const size_t room = static_cast<size_t>(destination_count), elements = static_cast<size_t>(source_count);
  __reprise::copy_bytes(group, destination, source, (elements < room ? elements : room) * sizeof(T));
}

template <class Group>
__device__ inline void wait(const Group& group) {
  group.sync();
}
template <unsigned Stage, class Group>
__device__ inline void wait_prior(const Group& group) {
  group.sync();
}

}  // namespace __v1
}  // namespace cooperative_groups
#endif
