// A short list of integers stored inline: the sizes or strides of a tensor, or a list of dimensions. Never allocates.
#pragma once

#include <reprise/error.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <vector>

namespace reprise {

class Sizes {
 public:
  static constexpr int capacity = 8;

  Sizes() = default;
  Sizes(std::initializer_list<std::int64_t> values) : Sizes(values.begin(), values.end()) {}
  Sizes(const std::vector<std::int64_t>& values) : Sizes(values.data(), values.data() + values.size()) {}
  Sizes(const std::int64_t* begin, const std::int64_t* end) {
    for (; begin != end; ++begin) push_back(*begin);
  }
  // `count` copies of one value.
  static Sizes filled(int count, std::int64_t value) {
    Sizes all;
    for (int i = 0; i < count; ++i) all.push_back(value);
    return all;
  }

  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::int64_t& operator[](int i) { return values_[i]; }
  std::int64_t operator[](int i) const { return values_[i]; }
  std::int64_t back() const { return values_[size_ - 1]; }
  const std::int64_t* begin() const { return values_; }
  const std::int64_t* end() const { return values_ + size_; }
  std::int64_t* begin() { return values_; }
  std::int64_t* end() { return values_ + size_; }

  void push_back(std::int64_t value) {
    if (size_ == capacity) fail("a tensor has at most ", capacity, " dimensions");
    values_[size_++] = value;
  }
  void insert(int at, std::int64_t value) {
    push_back(value);
    std::rotate(values_ + at, values_ + size_ - 1, values_ + size_);
  }
  void erase(int at) {
    std::copy(values_ + at + 1, values_ + size_, values_ + at);
    --size_;
  }

  std::vector<std::int64_t> vector() const { return {begin(), end()}; }

  friend bool operator==(const Sizes& a, const Sizes& b) { return std::equal(a.begin(), a.end(), b.begin(), b.end()); }
  friend bool operator!=(const Sizes& a, const Sizes& b) { return !(a == b); }

 private:
  std::int64_t values_[capacity] = {};
  int size_ = 0;
};

// Prints as [2, 3].
std::ostream& operator<<(std::ostream& out, const Sizes& sizes);

inline std::int64_t product(const Sizes& sizes) {
  std::int64_t all = 1;
  for (std::int64_t size : sizes) all *= size;
  return all;
}

// Whether all sizes are non-negative and the byte count, for elements of any type, fits in 64 bits.
inline bool is_countable(const Sizes& sizes) {
  std::int64_t all = 8;
  bool fits = true, none = false;
  for (std::int64_t size : sizes) {
    if (size < 0) return false;
    none = none || size == 0;
    fits = !__builtin_mul_overflow(all, size, &all) && fits;
  }
  return fits || none;
}

// The strides, in elements, of a contiguous tensor of these sizes.
Sizes contiguous_strides(const Sizes& sizes);

// The broadcast sizes of `a` and `b`. Throws, naming `operation`, if they do not broadcast.
Sizes broadcast(const Sizes& a, const Sizes& b, const char* operation);

// Resolves a dimension that may be negative (-1 is the last) for a tensor of these sizes plus `more` dimensions.
int wrap_dimension(std::int64_t dim, const Sizes& sizes, const char* operation, int more = 0);

}  // namespace reprise
