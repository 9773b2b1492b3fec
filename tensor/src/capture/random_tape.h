// A record of the random numbers that a function drew, to draw the same ones when it runs again.
#pragma once

#include <reprise/philox.h>

#include <cstdint>
#include <vector>

namespace reprise {

class RandomTape {
 public:
  // Within its scope, records the draws of this thread.
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
  // Within its scope, this thread draws the recorded numbers in order.
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

  // The next recorded draw if a tape is playing, otherwise null. `graph` is the id of the graph being captured, or 0.
  static const PhiloxState* play(std::uint64_t graph);
  // Records a draw if a tape is recording.
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
