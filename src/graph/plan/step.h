// A node of a plan: a record with everything decoded that its run needs. Records lie one after the other in the plan's
// memory, in an order in which they may run.
//
// Thread safety: constant while a replay runs, except what the thread that replays the plan alone sets before it runs
// them: which kernels are small, and the workspace in their launch; and except what device code may change
// (updatable_node.h).
#pragma once

#include <cstdint>

#include "base/handle.h"
#include "kernel/function.h"
#include "kernel/kernel_abi.h"
#include "kernel/launch_shape.h"
#include "op/parameter_block.h"

namespace reprise_runtime::graph {

struct Replay;

struct Step {
  enum class Kind : uint8_t { empty, kernel, event_wait, conditional, other };

  void (*run)(Step& step, Replay& replay);
  void (*destroy)(Step& step);  // null: nothing to do
  Handle node;                  // of the graph that the plan was made from
  int16_t device = 0;
  Kind kind = Kind::other;
  bool may_block = false;  // for something that this replay does not do
  // A kernel that another may overlap with, or that may overlap with another.
  bool overlaps = false;
  bool enabled = true;  // else it does nothing when its turn comes
  int8_t priority = 0;  // of several that could run, the lowest number first
};

// Small kernels are run by one call of their code for all blocks, one kernel after the other. Its arguments lie behind
// it, aligned as kernels want them, and are copied in whole words of that alignment.
struct alignas(op::ParameterBlock::alignment) KernelStep : Step {
  bool small;
  bool cooperative;
  reprise_thunk thunk;
  char* params;
  reprise_launch launch;  // of all blocks
  const kernel::Function* function;
  uint32_t shared_bytes;  // of the workspace; the scratch follows
  uint32_t workspace_bytes;

  // Whether it can be run in a batch of kernels under one fault guard.
  bool batchable() const { return small && !overlaps; }
  uint64_t blocks() const { return launch.block_end; }
  kernel::LaunchShape shape() const {
    return {dim3(launch.grid[0], launch.grid[1], launch.grid[2]),
            dim3(launch.block[0], launch.block[1], launch.block[2]), launch.dynamic_shared, cooperative};
  }
  void use_workspace(reprise_launch& here, char* memory) const {
    here.shared = memory;
    here.scratch = memory + shared_bytes;
  }
  // What all its blocks take on one core, as far as it is known; 0 if it is not.
  double ns_on_one_core() const;
  // Whether to call it for all blocks at once, by what is known now.
  void choose_size();
};

}  // namespace reprise_runtime::graph
