// Random numbers that are right within graphs: each replay draws new ones, the same that eager work would have drawn.
//
// A Generator is a seed and an offset. An operation takes what it needs with next(). While the current stream is
// capturing, next() hands out a place in device memory instead, which the graph moves on by itself at the end of each
// replay; replay() sets it only if the generator was used or reseeded in between. So any mixture of eager operations
// and replays gives, bit by bit, what eager operations alone would have given.
//
// Thread safety: a Generator may be used by several threads; who gets which numbers is then a matter of luck.
#pragma once

#include <reprise/philox.h>

#include <cstdint>
#include <memory>

namespace reprise {

class GeneratorState;

// Copies of a Generator are the same generator.
class Generator {
 public:
  static constexpr std::uint64_t default_seed = 67280421310721;

  explicit Generator(std::uint64_t seed = default_seed);

  // Also for graphs that captured it: their next replay begins from the seed.
  void manual_seed(std::uint64_t seed);
  std::uint64_t seed() const;
  std::uint64_t offset() const;
  void set_offset(std::uint64_t offset);

  // The numbers of one operation, which makes `draws` draws for each group.
  PhiloxState next(std::uint64_t draws = 1) const;

  const std::shared_ptr<GeneratorState>& state() const { return state_; }

 private:
  PhiloxState next_eagerly(std::uint64_t draws) const;

  std::shared_ptr<GeneratorState> state_;
};

// What operations use that are given no generator.
Generator& default_generator();
void manual_seed(std::uint64_t seed);

}  // namespace reprise
