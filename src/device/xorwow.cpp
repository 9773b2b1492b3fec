// Skipping ahead in XORWOW: a step of its five words is linear in their bits, so many steps are a power of one matrix.
#include <array>
#include <cstdint>
#include <memory>

#include "base/export.h"

namespace reprise_runtime::device {
namespace {

using Words = std::array<uint32_t, 5>;

// A 160 x 160 matrix over bits: row i is the image of bit i.
struct Matrix {
  std::array<Words, 160> of_bit;

  Words operator*(const Words& words) const {
    Words result{};
    for (unsigned w = 0; w < 5; ++w)
      for (uint32_t left = words[w]; left != 0; left &= left - 1) {
        const Words& column = of_bit[w * 32 + static_cast<unsigned>(__builtin_ctz(left))];
        for (unsigned i = 0; i < 5; ++i) result[i] ^= column[i];
      }
    return result;
  }
};

Words step(const Words& v) {
  const uint32_t first = v[0] ^ (v[0] >> 2);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (first ^ (first << 1))};
}

// Of 2^i steps, each from the one before. The highest is a subsequence's length times the highest bit of their number.
class Powers {
 public:
  static constexpr unsigned count = 67 + 64;

  Powers() : matrices_(std::make_unique<std::array<Matrix, count>>()) {
    std::array<Matrix, count>& m = *matrices_;
    for (unsigned bit = 0; bit < 160; ++bit) {
      Words alone{};
      alone[bit / 32] = 1u << bit % 32;
      m[0].of_bit[bit] = step(alone);
    }
    for (unsigned i = 1; i < count; ++i)
      for (unsigned bit = 0; bit < 160; ++bit) m[i].of_bit[bit] = m[i - 1] * m[i - 1].of_bit[bit];
  }
  const Matrix& operator[](unsigned i) const { return (*matrices_)[i]; }

 private:
  std::unique_ptr<std::array<Matrix, count>> matrices_;
};

}  // namespace
}  // namespace reprise_runtime::device

extern "C" REPRISE_EXPORT void __reprise_xorwow_skip(uint32_t* words, unsigned long long times, unsigned level) {
  static const reprise_runtime::device::Powers powers;
  reprise_runtime::device::Words now;
  for (unsigned i = 0; i < 5; ++i) now[i] = words[i];
  for (; times != 0; times >>= 1, ++level)
    if (times & 1) now = powers[level] * now;
  for (unsigned i = 0; i < 5; ++i) words[i] = now[i];
}
