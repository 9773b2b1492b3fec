// The object that reprise_launch::grid_state points to: runtime state of a launch that device services need.
#pragma once

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {

struct GridState {
  enum class Kind { plain, cooperative, programmatic };
  const Kind kind;
  void* const graph = nullptr;  // the launch of a graph that this one is part of; see graph/plan/launch_scope.h

  // The launch's state if it has this kind, else null.
  template <class State>
  static State* of(const reprise_launch* launch, Kind kind) {
    auto* state = static_cast<GridState*>(launch->grid_state);
    return state && state->kind == kind ? static_cast<State*>(state) : nullptr;
  }
  static void* graph_of(const reprise_launch* launch) {
    auto* state = static_cast<GridState*>(launch->grid_state);
    return state ? state->graph : nullptr;
  }
};

}  // namespace reprise_runtime::kernel
