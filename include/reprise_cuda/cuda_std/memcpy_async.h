// The common part of copies with cuda::barrier and cuda::pipeline. Copies are synchronous.
#pragma once

#include <host_defines.h>

#include <cstddef>
#include <cstring>

namespace cuda {

// A number of bytes. It and the addresses it is used with must be multiples of Alignment.
template <::std::size_t Alignment>
struct aligned_size_t {
  static constexpr ::std::size_t align = Alignment;
  ::std::size_t value;
  __host__ __device__ constexpr explicit aligned_size_t(::std::size_t size) : value(size) {}
  __host__ __device__ constexpr operator ::std::size_t() const { return value; }
};

enum class async_contract_fulfillment { none, async };

namespace __reprise {

struct lone_thread {
  static constexpr __host__ __device__ unsigned thread_rank() { return 0; }
  static constexpr __host__ __device__ unsigned size() { return 1; }
};

template <::std::size_t Bytes>
struct alignas(Bytes) copied_word {
  unsigned char bytes[Bytes];
};

// Each thread of the group copies every group.size()-th word.
template <::std::size_t Width, class Group>
__host__ __device__ void copy_words(const Group& group, void* destination, const void* source, ::std::size_t bytes) {
  using word = copied_word<Width>;
  word* to = static_cast<word*>(destination);
  const word* from = static_cast<const word*>(source);
  const ::std::size_t words = bytes / Width, step = group.size();
  for (::std::size_t i = group.thread_rank(); i < words; i += step) memcpy(&to[i], &from[i], Width);
}

template <class Group>
__host__ __device__ async_contract_fulfillment copy_now(const Group& group, void* destination, const void* source,
                                                        ::std::size_t bytes) {
  const auto all = reinterpret_cast<::std::size_t>(destination) | reinterpret_cast<::std::size_t>(source) | bytes;
  if (all % 16 == 0)
    copy_words<16>(group, destination, source, bytes);
  else if (all % 4 == 0)
    copy_words<4>(group, destination, source, bytes);
  else
    copy_words<1>(group, destination, source, bytes);
  return async_contract_fulfillment::none;
}

}  // namespace __reprise
}  // namespace cuda
