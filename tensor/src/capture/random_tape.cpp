#include "capture/random_tape.h"

#include <reprise/error.h>

namespace reprise {
namespace {

thread_local RandomTape* tape = nullptr;
thread_local bool playing = false;

}  // namespace

RandomTape::Recording::Recording(RandomTape& own) : before_(tape), before_playing_(playing) {
  tape = &own;
  playing = false;
}
RandomTape::Recording::~Recording() {
  tape = before_;
  playing = before_playing_;
}

RandomTape::Playing::Playing(RandomTape& own) : before_(tape), before_playing_(playing) {
  own.next_ = 0;
  tape = &own;
  playing = true;
}
RandomTape::Playing::~Playing() {
  tape = before_;
  playing = before_playing_;
}

const PhiloxState* RandomTape::play(std::uint64_t graph) {
  if (!tape || !playing) return nullptr;
  check(tape->next_ < tape->draws_.size(), "the function of a checkpoint drew random numbers ", tape->draws_.size(),
        " times at first and more often in backward: it must do the same both times");
  const Draw& draw = tape->draws_[tape->next_++];
  check(draw.graph == graph, "the function of a checkpoint drew random numbers in ",
        draw.graph ? "the capture of a graph" : "eager work", " and runs again for its gradients in ",
        graph ? "another capture" : "eager work", ", where the numbers differ: capture both in one graph, or neither");
  return &draw.state;
}

void RandomTape::note(const PhiloxState& state, std::uint64_t graph) {
  if (tape && !playing) tape->draws_.push_back({state, graph});
}

}  // namespace reprise
