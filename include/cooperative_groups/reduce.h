// reduce(group, value, operator): every thread of the group gets the combination of all values.
#pragma once

#include <cooperative_groups.h>

#ifdef __CUDA__
#include <reprise_cuda/cooperative_groups/operators.h>

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

// Combines the values in rank order, so operators need not commute. Works for any number of threads.
template <class Group, class T, class Operator>
__device__ inline T reduce_ranks(const Group& group, T value, Operator& combine) {
  const unsigned rank = group.thread_rank(), count = group.num_threads();
  for (unsigned distance = 1; distance < count; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < count) value = combine(value, other);
  }
  return group.shfl(value, 0);
}

template <class Group, class T, class Operator>
__device__ inline T reduce_lanes(const Group& group, T value, Operator& combine) {
  using plain_operator = typename decayed<Operator>::type;
  if constexpr (one_step<T, plain_operator>::operation >= 0)
    return static_cast<T>(
        __reprise_reduce32(one_step<T, plain_operator>::operation, group.mask(), static_cast<unsigned>(value)));
  else
    return reduce_ranks(group, value, combine);
}

// Combines the values of each warp, then the results of the warps.
template <unsigned Size, class Tile, class T, class Operator>
__device__ inline T reduce_wide(const Tile& tile, T value, Operator& combine) {
  const T of_warp = reduce_lanes(thread_block_tile<32>(0, 1), value, combine);
  T total = tile.shfl(of_warp, 0);
  for (unsigned warp = 1; warp < Size / 32; ++warp) total = combine(total, tile.shfl(of_warp, warp * 32));
  return total;
}

}  // namespace __reprise

template <unsigned Size, class Parent, class T, class Operator>
__device__ inline auto reduce(const thread_block_tile<Size, Parent>& tile, T&& value, Operator&& combine) ->
    typename __reprise::decayed<T>::type {
  using Value = typename __reprise::decayed<T>::type;
  if constexpr (Size > 32)
    return __reprise::reduce_wide<Size>(tile, Value(value), combine);
  else
    return __reprise::reduce_lanes(tile, Value(value), combine);
}
template <class T, class Operator>
__device__ inline auto reduce(const coalesced_group& group, T&& value, Operator&& combine) ->
    typename __reprise::decayed<T>::type {
  return __reprise::reduce_lanes(group, typename __reprise::decayed<T>::type(value), combine);
}

}  // namespace __v1
}  // namespace cooperative_groups
#endif
