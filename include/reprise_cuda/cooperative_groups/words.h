// Moves values of any type between threads, word by word.
#pragma once

#include <type_traits>

namespace cooperative_groups {
inline namespace __v1 {
namespace __reprise {

template <class T, class MoveWord>
__device__ __forceinline__ T move_in_words(const T& value, MoveWord move) {
  static_assert(std::is_trivially_copyable<T>::value, "a shuffled value is copied as bytes");
  constexpr unsigned count = (sizeof(T) + 3) / 4;
  unsigned words[count] = {};
  __builtin_memcpy(words, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < count; ++i) words[i] = move(words[i]);
  alignas(T) unsigned char moved[sizeof(T)];
  __builtin_memcpy(moved, words, sizeof(T));
  return reinterpret_cast<const T&>(moved);
}

template <class T>
struct decayed {
  using type = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
};

}  // namespace __reprise
}  // namespace __v1
}  // namespace cooperative_groups
