#include "memory/copy/fill_pattern.h"

#include <cstring>

namespace reprise_runtime::memory {
namespace {

typedef std::uint32_t Wide __attribute__((vector_size(32)));

constexpr std::size_t step = 4 * sizeof(Wide);

// Whole steps; returns how many bytes were filled. Inlined twice: for every processor, and for those with wide stores.
[[gnu::always_inline]] inline std::size_t fill_steps(char* to, std::size_t bytes, std::uint32_t pattern) {
  const Wide wide = {pattern, pattern, pattern, pattern, pattern, pattern, pattern, pattern};
  std::size_t at = 0;
  for (; at + step <= bytes; at += step) {
    std::memcpy(to + at, &wide, sizeof wide);
    std::memcpy(to + at + sizeof wide, &wide, sizeof wide);
    std::memcpy(to + at + 2 * sizeof wide, &wide, sizeof wide);
    std::memcpy(to + at + 3 * sizeof wide, &wide, sizeof wide);
  }
  return at;
}

std::size_t fill_anywhere(char* to, std::size_t bytes, std::uint32_t pattern) { return fill_steps(to, bytes, pattern); }

#if defined(__x86_64__)
[[gnu::target("avx2")]] std::size_t fill_avx2(char* to, std::size_t bytes, std::uint32_t pattern) {
  return fill_steps(to, bytes, pattern);
}
bool has_avx2() {
  static const bool yes = __builtin_cpu_supports("avx2");
  return yes;
}
#else
constexpr auto fill_avx2 = fill_anywhere;
constexpr bool has_avx2() { return false; }
#endif

}  // namespace

void fill_pattern(char* to, std::size_t bytes, std::uint32_t pattern) {
  std::size_t at = 0;
  if (bytes >= step) at = has_avx2() ? fill_avx2(to, bytes, pattern) : fill_anywhere(to, bytes, pattern);
  for (; at + sizeof pattern <= bytes; at += sizeof pattern) std::memcpy(to + at, &pattern, sizeof pattern);
  std::memcpy(to + at, &pattern, bytes - at);
}

}  // namespace reprise_runtime::memory
