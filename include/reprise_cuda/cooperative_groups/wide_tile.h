// Tiles wider than a warp: 64, 128, 256, 512 or 1024 consecutive threads. Each has a named barrier of its own; values
// are exchanged through shared memory.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

// One word per thread of the block, shared by all wide tiles.
__device__ inline unsigned* tile_words() {
  __shared__ unsigned words[1024];
  return words;
}

template <unsigned Size>
struct wide_tile {
  static_assert(Size > 32 && Size <= 1024 && (Size & (Size - 1)) == 0, "a tile's size is a power of two up to 1024");
  using arrival_token = __reprise::arrival_token;

  // PTX has barriers 0 to 15; higher numbers belong to tiles.
  __device__ static void sync() { __reprise_named_barrier(16 + rank_in_block() / Size, Size); }
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait(arrival_token&&) { sync(); }

  __device__ static unsigned thread_rank() { return rank_in_block() & (Size - 1); }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }

  template <class T>
  __device__ T shfl(const T& value, unsigned rank) const {
    const unsigned first = rank_in_block() & ~(Size - 1);
    return move_in_words(value, [=](unsigned word) { return exchange(word, first + (rank & (Size - 1))); });
  }

  __device__ int any(int predicate) const { return count(predicate) != 0; }
  __device__ int all(int predicate) const { return count(predicate) == Size; }

 private:
  __device__ static unsigned exchange(unsigned word, unsigned from) {
    unsigned* words = tile_words();
    words[rank_in_block()] = word;
    sync();
    const unsigned moved = words[from];
    sync();
    return moved;
  }
  __device__ static unsigned count(int predicate) {
    const unsigned first = rank_in_block() & ~(Size - 1);
    const unsigned votes = __ballot_sync(0xffffffffu, predicate);
    unsigned* words = tile_words();
    words[rank_in_block()] = __popc(votes);
    sync();
    unsigned total = 0;
    for (unsigned warp = 0; warp < Size / 32; ++warp) total += words[first + warp * 32];
    sync();
    return total;
  }
};

}  // namespace __reprise
}  // namespace __v1
}  // namespace cooperative_groups
