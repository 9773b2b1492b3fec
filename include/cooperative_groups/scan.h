// inclusive_scan and exclusive_scan: each thread gets the combination of the values up to, or before, its own rank.
#pragma once

#include <cooperative_groups.h>

#ifdef __CUDA__
#include <reprise_cuda/cooperative_groups/operators.h>

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

template <class Group, class T, class Operator>
__device__ inline T scan_ranks(const Group& group, T value, Operator& combine) {
  const unsigned rank = group.thread_rank(), count = group.num_threads();
  for (unsigned distance = 1; distance < count; distance *= 2) {
    const T before = group.shfl_up(value, distance);
    if (rank >= distance) value = combine(before, value);
  }
  return value;
}

}  // namespace __reprise

template <class Group, class T, class Operator>
__device__ inline auto inclusive_scan(const Group& group, T&& value, Operator&& combine) ->
    typename __reprise::decayed<T>::type {
  return __reprise::scan_ranks(group, typename __reprise::decayed<T>::type(value), combine);
}
template <class Group, class T>
__device__ inline auto inclusive_scan(const Group& group, T&& value) -> typename __reprise::decayed<T>::type {
  return inclusive_scan(group, value, plus<typename __reprise::decayed<T>::type>());
}

// The first thread gets a value-initialised result.
template <class Group, class T, class Operator>
__device__ inline auto exclusive_scan(const Group& group, T&& value, Operator&& combine) ->
    typename __reprise::decayed<T>::type {
  using Value = typename __reprise::decayed<T>::type;
  const Value before = group.shfl_up(inclusive_scan(group, value, combine), 1);
  return group.thread_rank() == 0 ? Value{} : before;
}
template <class Group, class T>
__device__ inline auto exclusive_scan(const Group& group, T&& value) -> typename __reprise::decayed<T>::type {
  return exclusive_scan(group, value, plus<typename __reprise::decayed<T>::type>());
}

}  // namespace __v1
}  // namespace cooperative_groups
#endif
