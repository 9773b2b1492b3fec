// Tiles of a warp: 1, 2, 4, 8, 16 or 32 consecutive threads.
#pragma once

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

template <unsigned Size>
struct warp_tile {
  static_assert(Size > 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile's size is a power of two up to 1024");
  using arrival_token = __reprise::arrival_token;

  __device__ static void sync() { __syncwarp(mask()); }
  __device__ static arrival_token barrier_arrive() { return {}; }
  __device__ static void barrier_wait(arrival_token&&) { sync(); }

  __device__ static unsigned thread_rank() { return __reprise_laneid() & (Size - 1); }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }

  template <class T>
  __device__ typename decayed<T>::type shfl(T&& value, int rank) const {
    return move(static_cast<T&&>(value), [=](unsigned word) { return __shfl_sync(mask(), word, rank, Size); });
  }
  template <class T>
  __device__ typename decayed<T>::type shfl_up(T&& value, unsigned delta) const {
    return move(static_cast<T&&>(value), [=](unsigned word) { return __shfl_up_sync(mask(), word, delta, Size); });
  }
  template <class T>
  __device__ typename decayed<T>::type shfl_down(T&& value, unsigned delta) const {
    return move(static_cast<T&&>(value), [=](unsigned word) { return __shfl_down_sync(mask(), word, delta, Size); });
  }
  template <class T>
  __device__ typename decayed<T>::type shfl_xor(T&& value, unsigned lanes) const {
    return move(static_cast<T&&>(value), [=](unsigned word) { return __shfl_xor_sync(mask(), word, lanes, Size); });
  }

  __device__ int any(int predicate) const { return __any_sync(mask(), predicate); }
  __device__ int all(int predicate) const { return __all_sync(mask(), predicate); }
  __device__ unsigned ballot(int predicate) const { return __ballot_sync(mask(), predicate) >> first_lane(); }
  template <class T>
  __device__ unsigned match_any(T value) const {
    return __match_any_sync(mask(), value) >> first_lane();
  }
  template <class T>
  __device__ unsigned match_all(T value, int& all_equal) const {
    return __match_all_sync(mask(), value, &all_equal) >> first_lane();
  }

  __device__ static unsigned first_lane() { return __reprise_laneid() & ~(Size - 1) & 31; }
  __device__ static unsigned mask() { return Size == 32 ? 0xffffffffu : ((1u << (Size & 31)) - 1) << first_lane(); }

 private:
  template <class T, class MoveWord>
  __device__ static __forceinline__ T move(const T& value, MoveWord move_word) {
    return move_in_words(value, move_word);
  }
};

}  // namespace __reprise

}  // namespace __v1
}  // namespace cooperative_groups
