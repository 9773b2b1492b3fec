// A step of a plan: a record that has everything needed to run a node, decoded. The records lie one after the other in
// the plan's memory, in topological order.
//
// Thread safety: constant while a replay runs, with two exceptions. A sequential replay sets which kernels are small,
// and the workspace of their launches, before it runs them. Device code may change steps by updatable_node.h.
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
  void (*destroy)(Step& step);  // null if there is nothing to destroy
  Handle node;                  // the node that it was made from
  int16_t device = 0;
  Kind kind = Kind::other;
  bool may_block = false;  // it may wait for something that is not part of the replay
  bool overlaps = false;   // a kernel that may run at the same time as one that it depends on, or that depends on it
  bool enabled = true;     // a disabled step does nothing
  int8_t priority = 0;     // lower numbers run first
};

// The step of a kernel node. A small kernel is run by one call of its code for all blocks. The arguments lie behind the
// step, aligned as kernels need them, and are copied in whole words of that alignment.
struct alignas(op::ParameterBlock::alignment) KernelStep : Step {
  bool small;
  bool cooperative;
  reprise_thunk thunk;
  char* params;
  reprise_launch launch;  // for all blocks
  const kernel::Function* function;
  uint32_t shared_bytes;  // at the start of the workspace; the scratch memory follows
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
  // The run time of all blocks on one core, estimated from earlier runs; 0 if it is not known.
  double ns_on_one_core() const;
  // Sets `small` from what is known of the run time.
  void choose_size();
};

}  // namespace reprise_runtime::graph
