// The rules of what may change about a node of an executable graph. CUDA lets most of a node change, but not the kind
// of a copy, nor the shape of a copy or set of several rows.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "graph/define/work.h"
#include "graph/plan/exec_index.h"
#include "kernel/cluster.h"

namespace reprise_runtime::graph {

// Names of what cannot change about a node, for the log: "the ... cannot change in an executable graph".
namespace field {
inline constexpr char device[] = "device";
inline constexpr char kind[] = "kind of the copy";
inline constexpr char copy_box[] = "box of a copy of more than one row";
inline constexpr char destination_owner[] = "owning device or pool of the destination";
inline constexpr char source_owner[] = "owning device or pool of the source";
inline constexpr char pageable_on_device[] = "memory, to ordinary host memory in a graph that device code launches,";
inline constexpr char memory_owner[] = "owning device of the memory";
inline constexpr char graph_memory[] = "memory, to what the new graph allocates and frees,";
inline constexpr char set_height[] = "height";
inline constexpr char set_width[] = "width of a set of more than one row";
inline constexpr char set_pitch[] = "pitch of a set of more than one row";
inline constexpr char set_element[] = "element size of a set of more than one row";
inline constexpr char dead_event[] = "event, to one that was destroyed,";
inline constexpr char semaphores[] = "number of semaphores";
inline constexpr char memory_operations[] = "number or type of the memory operations";
inline constexpr char operation_address[] = "address of a memory operation, to one that is not memory,";
inline constexpr char function_device[] = "device of the function";
inline constexpr char function_changes_nodes[] = "function to one that changes nodes";
inline constexpr char function_launches_graphs[] = "function to one that launches graphs";
inline constexpr char cooperative[] = "attribute cooperative";
inline constexpr char links[] = "attribute for the use of links";
inline constexpr char priority[] = "attribute priority";
inline constexpr char cluster[] = "attribute cluster dimension";
inline constexpr char condition_type[] = "type of condition";
inline constexpr char bodies[] = "number of bodies";
inline constexpr char condition_place[] = "place of its condition among those of the graph";
inline constexpr const char* all[] = {device,
                                      kind,
                                      copy_box,
                                      destination_owner,
                                      source_owner,
                                      pageable_on_device,
                                      memory_owner,
                                      graph_memory,
                                      set_height,
                                      set_width,
                                      set_pitch,
                                      set_element,
                                      dead_event,
                                      semaphores,
                                      memory_operations,
                                      operation_address,
                                      function_device,
                                      function_changes_nodes,
                                      function_launches_graphs,
                                      cooperative,
                                      links,
                                      priority,
                                      cluster,
                                      condition_type,
                                      bodies,
                                      condition_place};
}  // namespace field

// The first field that prevents a change, with the result for cudaGraphExecUpdate. Success if none does.
struct Obstacle {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  const char* field = "";

  explicit operator bool() const { return result != cudaGraphExecUpdateSuccess; }
};

// Whether the node of an entry may do `work` on `device` instead of what it does now.
[[gnu::cold]] Obstacle find_device_call_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, uint32_t flags);
inline Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const KernelWork& work,
                              int device) {
  if (entry.device != device) return {cudaGraphExecUpdateErrorUnsupportedFunctionChange, field::function_device};
  const uint32_t flags = work.op.function->code()->flags;
  if (flags & (reprise_kernel_launches_graphs | reprise_kernel_changes_nodes)) [[unlikely]] {
    return find_device_call_obstacle(index, entry, flags);
  }
  return {};
}
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const MemcpyWork& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const MemsetWork& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const op::EventRecord& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const op::EventWait& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const SignalWork& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const WaitWork& work, int device);
Obstacle find_obstacle(const ExecIndex& index, const ExecIndex::Entry& entry, const op::BatchMemOp& work, int device);
template <class T>
Obstacle find_obstacle(const ExecIndex&, const ExecIndex::Entry&, const T&, int) {
  return {};
}

// The same for a kernel's attributes, which only an update of the whole graph compares. Priorities count if the graph
// was instantiated to use them.
[[gnu::noinline]] Obstacle find_hint_obstacle(const ExecIndex::Entry& entry, const KernelWork& work,
                                              bool priorities_count);
[[gnu::always_inline]] inline Obstacle find_attribute_obstacle(const ExecIndex::Entry& entry, const KernelWork& work,
                                                               bool priorities_count) {
  if (work.op.shape.cooperative != entry.cooperative) {
    return {cudaGraphExecUpdateErrorAttributesChanged, field::cooperative};
  }
  if (priorities_count || entry.link_centric || !work.op.attributes.empty()) [[unlikely]] {
    if (Obstacle obstacle = find_hint_obstacle(entry, work, priorities_count)) return obstacle;
  }
  // Instantiation refuses clusters too, since launches do not support them.
  if (kernel::check_cluster(*work.op.function, work.op.attributes) != cudaSuccess) {
    return {cudaGraphExecUpdateErrorNotSupported, field::cluster};
  }
  return {};
}

}  // namespace reprise_runtime::graph
