// A group whose kind is known only at run time, and functions that accept any group.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

struct thread_group {
  __device__ thread_group(const thread_block&) : kind_(of_block) {}
  __device__ thread_group(const grid_group&) : kind_(of_grid) {}
  __device__ thread_group(const coalesced_group& group)
      : kind_(of_lanes),
        mask_(group.mask()),
        meta_rank_(group.meta_group_rank()),
        meta_size_(group.meta_group_size()) {}
  template <unsigned Size, class Parent>
  __device__ thread_group(const thread_block_tile<Size, Parent>& tile) : thread_group(coalesced_group(tile)) {
    static_assert(Size <= 32, "only tiles within a warp become a thread_group");
  }

  __device__ void sync() const {
    if (kind_ == of_block) __syncthreads();
    if (kind_ == of_grid) __reprise_grid_barrier();
    if (kind_ == of_lanes) lanes().sync();
  }
  __device__ unsigned long long num_threads() const {
    return kind_ == of_block  ? thread_block::num_threads()
           : kind_ == of_grid ? grid_group::num_threads()
                              : lanes().num_threads();
  }
  __device__ unsigned long long size() const { return num_threads(); }
  __device__ unsigned long long thread_rank() const {
    return kind_ == of_block  ? thread_block::thread_rank()
           : kind_ == of_grid ? grid_group::thread_rank()
                              : lanes().thread_rank();
  }

  __device__ bool within_warp() const { return kind_ == of_lanes; }
  __device__ coalesced_group lanes() const { return coalesced_group(mask_, meta_rank_, meta_size_); }

 private:
  enum kind { of_block, of_grid, of_lanes };
  kind kind_;
  unsigned mask_ = 0, meta_rank_ = 0, meta_size_ = 1;
};

template <class Group>
__device__ inline void sync(const Group& group) {
  group.sync();
}
template <class Group>
__device__ inline auto thread_rank(const Group& group) -> decltype(group.thread_rank()) {
  return group.thread_rank();
}
template <class Group>
__device__ inline auto group_size(const Group& group) -> decltype(group.num_threads()) {
  return group.num_threads();
}

}  // namespace __v1
}  // namespace cooperative_groups
