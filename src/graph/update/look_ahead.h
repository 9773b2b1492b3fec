// Has what a walk over nodes will look at come from memory meanwhile: in graphs of thousands of nodes most of the time
// is such waiting. Nodes mostly lie one after the other, in one direction or the other, so the next ones are where the
// last step leads to. A wrong guess costs no more than the fetch.
#pragma once

#include <cstdint>

namespace reprise_runtime::graph {

class Node;

class LookAhead {
 public:
  static constexpr uint32_t distance = 8;

  // `lines` of 64 bytes of the node that is so far ahead.
  void step(const Node* node, uint32_t lines) {
    const uintptr_t here = reinterpret_cast<uintptr_t>(node);
    if (last_) {
      const uintptr_t guess = here + distance * (here - last_);
      for (uint32_t i = 0; i < lines; ++i) __builtin_prefetch(reinterpret_cast<const void*>(guess + 64 * i));
    }
    last_ = here;
  }

 private:
  uintptr_t last_ = 0;
};

}  // namespace reprise_runtime::graph
