// Random numbers that also work in graphs: each replay draws new ones, the same that eager work would have drawn.
//
// A Generator is a seed and an offset; an operation reserves its numbers with next(). While the current stream is
// capturing, next() returns an address in device memory instead. The graph advances the offset there at the end of each
// replay, and replay() writes it only if the generator was used or reseeded in between. Any mixture of eager operations
// and replays is bitwise equal to eager operations alone.
//
// Thread safety: several threads may share a Generator; which of them gets which numbers is then unspecified.
#pragma once

#include <reprise/philox.h>

#include <cstdint>
#include <memory>

namespace reprise {

class GeneratorState;

// Copies of a Generator share its state.
class Generator {
 public:
  static constexpr std::uint64_t default_seed = 67280421310721;

  explicit Generator(std::uint64_t seed = default_seed);

  // Affects captured graphs, too: their next replay starts from the new seed.
  void manual_seed(std::uint64_t seed);
  std::uint64_t seed() const;
  std::uint64_t offset() const;
  void set_offset(std::uint64_t offset);

  // Reserves the numbers of one operation that makes `draws` draws for each group.
  PhiloxState next(std::uint64_t draws = 1) const;

  const std::shared_ptr<GeneratorState>& state() const { return state_; }

 private:
  PhiloxState next_eagerly(std::uint64_t draws) const;

  std::shared_ptr<GeneratorState> state_;
};

// The generator of operations that are given none.
Generator& default_generator();
void manual_seed(std::uint64_t seed);

}  // namespace reprise
