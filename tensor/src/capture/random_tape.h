// The random numbers that a piece of work drew, to be drawn again when it is repeated.
#pragma once

#include <reprise/philox.h>

#include <cstdint>
#include <vector>

namespace reprise {

class RandomTape {
 public:
  // While it lives, this thread's draws are noted on the tape.
  class Recording {
   public:
    explicit Recording(RandomTape& tape);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    RandomTape* before_;
    bool before_playing_;
  };
  // While it lives, this thread draws what is on the tape, in that order.
  class Playing {
   public:
    explicit Playing(RandomTape& tape);
    ~Playing();
    Playing(const Playing&) = delete;
    Playing& operator=(const Playing&) = delete;

   private:
    RandomTape* before_;
    bool before_playing_;
  };

  // What this thread draws next, if a tape is playing; `graph` is the one being captured, or 0.
  static const PhiloxState* play(std::uint64_t graph);
  // Notes a draw where one is recording.
  static void note(const PhiloxState& state, std::uint64_t graph);

 private:
  struct Draw {
    PhiloxState state;
    std::uint64_t graph;
  };
  std::vector<Draw> draws_;
  std::size_t next_ = 0;
};

}  // namespace reprise
