#pragma once

#include <cstdint>
#include <mutex>

namespace reprise {

// The seed and offset of a generator.
class GeneratorState {
 public:
  struct Position {
    std::uint64_t seed = 0;
    std::uint64_t offset = 0;
    friend bool operator==(const Position& a, const Position& b) { return a.seed == b.seed && a.offset == b.offset; }
  };

  explicit GeneratorState(std::uint64_t seed) : position_{seed, 0} {}

  Position position() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return position_;
  }
  void set(Position position) {
    std::lock_guard<std::mutex> lock(mutex_);
    position_ = position;
  }
  // Returns the previous position.
  Position advance(std::uint64_t draws) {
    std::lock_guard<std::mutex> lock(mutex_);
    Position before = position_;
    position_.offset += draws;
    return before;
  }

 private:
  mutable std::mutex mutex_;
  Position position_;  // guarded by mutex_
};

}  // namespace reprise
