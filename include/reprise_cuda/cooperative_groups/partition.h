// Partitions of groups: tiles of equal size, or groups by label.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

template <unsigned Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent& parent) {
  return thread_block_tile<Size, Parent>(parent);
}

// Tiles of a size known only at run time: consecutive lanes of the block, or consecutive ranks of the group.
__device__ inline coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned mask = 0, rank = 0;
  for (unsigned left = parent.mask(); left != 0; left &= left - 1, ++rank)
    if (rank >= first && rank < first + size) mask |= left & (0u - left);
  return coalesced_group(mask, first / size, (parent.num_threads() + size - 1) / size);
}
__device__ inline thread_group tiled_partition(const thread_block& parent, unsigned size) {
  const unsigned first = __reprise_laneid() & ~(size - 1) & 31;
  const unsigned lanes = size == 32 ? 0xffffffffu : ((1u << size) - 1) << first;
  return coalesced_group(lanes, parent.thread_rank() / size, (parent.num_threads() + size - 1) / size);
}
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.within_warp()) return tiled_partition(parent.lanes(), size);
  return tiled_partition(this_thread_block(), size);
}

// Groups lanes with equal labels. The groups are numbered in the order of their first lanes.
template <class Label>
__device__ inline coalesced_group labeled_partition(const coalesced_group& parent, Label label) {
  const unsigned together = __match_any_sync(parent.mask(), label);
  const unsigned first_lane = __ffs((int)together) - 1;
  const unsigned leaders = __ballot_sync(parent.mask(), __reprise_laneid() == first_lane);
  return coalesced_group(together, __popc(leaders & ((1u << first_lane) - 1)), __popc(leaders));
}
template <unsigned Size, class Parent, class Label>
__device__ inline coalesced_group labeled_partition(const thread_block_tile<Size, Parent>& parent, Label label) {
  return labeled_partition(coalesced_group(parent), label);
}

// Two groups: number 0 has the threads for which the predicate holds, number 1 the others.
__device__ inline coalesced_group binary_partition(const coalesced_group& parent, bool predicate) {
  const unsigned held = __ballot_sync(parent.mask(), predicate);
  return predicate ? coalesced_group(held, 0, 2) : coalesced_group(parent.mask() & ~held, 1, 2);
}
template <unsigned Size, class Parent>
__device__ inline coalesced_group binary_partition(const thread_block_tile<Size, Parent>& parent, bool predicate) {
  return binary_partition(coalesced_group(parent), predicate);
}

}  // namespace __v1
}  // namespace cooperative_groups
