// Tiles of a block: the common part of tiles within a warp and wider ones.
#pragma once

#include <type_traits>

namespace cooperative_groups {
inline namespace __v1 {

template <unsigned Size, class Parent = void>
struct thread_block_tile;

namespace __reprise {

// Position of a tile among the tiles of its parent. A tile without a parent type keeps it too.
template <unsigned Size, class Parent>
struct place_in_parent {
  unsigned rank, count;
  __device__ explicit place_in_parent(const Parent& parent)
      : rank(parent.thread_rank() / Size), count((parent.num_threads() + Size - 1) / Size) {}
  __device__ place_in_parent(unsigned r, unsigned c) : rank(r), count(c) {}
};

}  // namespace __reprise

template <unsigned Size, class Parent>
struct thread_block_tile
    : std::conditional<(Size <= 32), __reprise::warp_tile<(Size <= 32 ? Size : 32)>, __reprise::wide_tile<Size>>::type {
  __device__ explicit thread_block_tile(const Parent& parent) : place_(parent) {}
  __device__ thread_block_tile(const thread_block_tile<Size, void>& tile)
      : place_(tile.meta_group_rank(), tile.meta_group_size()) {}
  __device__ unsigned meta_group_rank() const { return place_.rank; }
  __device__ unsigned meta_group_size() const { return place_.count; }

 private:
  __reprise::place_in_parent<Size, Parent> place_;
};

template <unsigned Size>
struct thread_block_tile<Size, void>
    : std::conditional<(Size <= 32), __reprise::warp_tile<(Size <= 32 ? Size : 32)>, __reprise::wide_tile<Size>>::type {
  template <class Parent>
  __device__ thread_block_tile(const thread_block_tile<Size, Parent>& tile)
      : rank_(tile.meta_group_rank()), count_(tile.meta_group_size()) {}
  __device__ thread_block_tile(unsigned rank, unsigned count) : rank_(rank), count_(count) {}
  __device__ unsigned meta_group_rank() const { return rank_; }
  __device__ unsigned meta_group_size() const { return count_; }

 private:
  unsigned rank_, count_;
};

__device__ inline thread_block_tile<1> this_thread() { return {0, 1}; }

}  // namespace __v1
}  // namespace cooperative_groups
