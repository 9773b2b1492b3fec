// What reprise_launch::grid_state points to, when a launch has something to say to its grid.
#pragma once

#include "kernel/kernel_abi.h"

namespace reprise::kernel {

struct GridState {
  enum class Kind { cooperative, programmatic };
  const Kind kind;

  // The launch's state if it is of that kind, else null.
  template <class State>
  static State* of(const reprise_launch* launch, Kind kind) {
    auto* state = static_cast<GridState*>(launch->grid_state);
    return state && state->kind == kind ? static_cast<State*>(state) : nullptr;
  }
};

}  // namespace reprise::kernel
