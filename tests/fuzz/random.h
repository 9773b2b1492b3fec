// The only source of random numbers: one seed, one sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace fuzz {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 2 + 1) {}

  // If set, every other call has valid arguments: live handles, real memory, sensible numbers. Otherwise code after
  // the argument checks of calls with many parameters hardly ever runs.
  void begin_call() { right_ = meant_well && one_in(2); }
  bool meant_well = false;
  bool right() const { return right_; }

  uint64_t bits() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_;
  }
  size_t below(size_t end) { return end ? bits() % end : 0; }
  bool one_in(size_t n) { return below(n) == 0; }
  template <class T>
  T pick(std::initializer_list<T> list) {
    return *std::next(list.begin(), static_cast<ptrdiff_t>(below(list.size())));
  }

 private:
  uint64_t state_;
  bool right_ = false;
};

}  // namespace fuzz
