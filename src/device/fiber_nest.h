// The blocks that a processor thread runs as fibers, innermost last: a fiber that waits for the whole grid may find
// itself running another kernel meanwhile. Kept for use again, with their stacks.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "device/fiber_block.h"

namespace reprise::device {

struct FiberNest {
  struct Level {
    FiberStacks stacks;
    FiberBlock block{stacks};
  };
  std::vector<std::unique_ptr<Level>> levels;
  std::size_t depth = 0;

  // A kernel that traps leaves by a jump and never unwinds its level. Whoever enters is on the stacks of the levels
  // that still live, so those that do not hold the caller's stack are over.
  FiberBlock& enter(const void* stack_address) {
    while (depth > 0 && !levels[depth - 1]->block.holds(stack_address)) --depth;
    if (depth == levels.size()) levels.push_back(std::make_unique<Level>());
    return levels[depth++]->block;
  }
  void leave() { --depth; }
};

// From now on the calling thread runs its fibers in `nest` (null: its own). Returns the one before. For those who keep
// several blocks alive on one thread, each on a stack of its own.
FiberNest* exchange_fiber_nest(FiberNest* nest);

}  // namespace reprise::device
