// What may change about a node of an executable graph. CUDA lets most of a node change, but not the kind of a copy, nor
// the shape of a copy or set of more than one row.
#pragma once

#include <driver_types.h>

#include "base/status.h"
#include "graph/outline.h"
#include "graph/work.h"

namespace reprise::graph {

// Why a node cannot become something else: the field that stands in the way. Success: it can.
struct Obstacle {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  const char* field = "";

  explicit operator bool() const { return result != cudaGraphExecUpdateSuccess; }
};

// As it was asked for, whatever is possible.
int priority_of(const KernelWork& work);
// 0 of a node that is no kernel.
int priority_of(const Node& node);

// What limits later changes of a node with this work.
Outline::Limits limits_of(const Work& work);

// Whether the node of an entry may do `work` on `device` instead of what it does now.
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const KernelWork& work, int device);
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const MemcpyWork& work, int device);
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const MemsetWork& work, int device);
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const SignalWork& work, int device);
Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const WaitWork& work, int device);
template <class T>
Obstacle find_obstacle(const Outline&, const Outline::Entry&, const T&, int) {
  return {};
}
inline Obstacle find_obstacle(const Outline& outline, const Outline::Entry& entry, const Work& work, int device) {
  return std::visit([&](const auto& given) { return find_obstacle(outline, entry, given, device); }, work);
}

// Of a kernel's attributes, which a whole update takes too. Priorities count if the graph was instantiated to use them.
Obstacle find_attribute_obstacle(const Outline::Entry& entry, const KernelWork& work, bool priorities_count);

}  // namespace reprise::graph
