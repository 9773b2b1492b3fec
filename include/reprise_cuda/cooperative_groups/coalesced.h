// A group of any lanes of a warp: those that run together, or those that a partition has grouped.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {

struct coalesced_group {
  __device__ explicit coalesced_group(unsigned mask, unsigned meta_rank = 0, unsigned meta_size = 1)
      : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}
  template <unsigned Size, class Parent>
  __device__ coalesced_group(const thread_block_tile<Size, Parent>& tile)
      : mask_(tile.mask()), meta_rank_(tile.meta_group_rank()), meta_size_(tile.meta_group_size()) {}

  __device__ void sync() const { __syncwarp(mask_); }
  __device__ unsigned num_threads() const { return __popc(mask_); }
  __device__ unsigned size() const { return num_threads(); }
  __device__ unsigned thread_rank() const { return __popc(mask_ & ((1u << __reprise_laneid()) - 1)); }
  __device__ unsigned meta_group_rank() const { return meta_rank_; }
  __device__ unsigned meta_group_size() const { return meta_size_; }

  // Ranks count the lanes of the group. A rank outside the group returns the caller's own value.
  template <class T>
  __device__ T shfl(T value, int rank) const {
    return from_lane(value, lane_of(static_cast<unsigned>(rank)));
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_lane(value, rank >= delta ? lane_of(rank - delta) : __reprise_laneid());
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return from_lane(value, rank + delta < num_threads() ? lane_of(rank + delta) : __reprise_laneid());
  }

  __device__ int any(int predicate) const { return __any_sync(mask_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask_, predicate); }
  __device__ unsigned ballot(int predicate) const { return in_ranks(__ballot_sync(mask_, predicate)); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return in_ranks(__match_any_sync(mask_, value));
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all_equal) const {
    return in_ranks(__match_all_sync(mask_, value, &all_equal));
  }

  __device__ unsigned mask() const { return mask_; }

 private:
  template <class T>
  __device__ T from_lane(const T& value, unsigned lane) const {
    const unsigned mask = mask_;
    return __reprise::move_in_words(value, [=](unsigned word) { return __shfl_sync(mask, word, (int)lane); });
  }
  __device__ unsigned lane_of(unsigned rank) const {
    if (mask_ == 0xffffffffu) return rank;
    unsigned left = mask_;
    for (; rank > 0 && left != 0; --rank) left &= left - 1;
    return left == 0 ? __reprise_laneid() : __ffs((int)left) - 1;
  }
  // Converts a mask of lanes to a mask of ranks.
  __device__ unsigned in_ranks(unsigned lanes) const {
    if (mask_ == 0xffffffffu) return lanes;
    unsigned ranks = 0, rank = 0;
    for (unsigned left = mask_; left != 0; left &= left - 1, ++rank)
      if (lanes & left & (0u - left)) ranks |= 1u << rank;
    return ranks;
  }

  unsigned mask_, meta_rank_, meta_size_;
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

}  // namespace __v1
}  // namespace cooperative_groups
