// A value for each of the two dimensions of an image, or one for both.
#pragma once

#include <cstdint>
#include <ostream>

namespace reprise {

struct IntPair {
  std::int64_t height, width;

  constexpr IntPair(std::int64_t both) : height(both), width(both) {}
  constexpr IntPair(std::int64_t height, std::int64_t width) : height(height), width(width) {}
  constexpr bool is_same() const { return height == width; }
  friend constexpr bool operator==(const IntPair& a, const IntPair& b) {
    return a.height == b.height && a.width == b.width;
  }
};

inline std::ostream& operator<<(std::ostream& out, const IntPair& pair) {
  if (pair.is_same()) return out << pair.height;
  return out << '[' << pair.height << ", " << pair.width << ']';
}

}  // namespace reprise
