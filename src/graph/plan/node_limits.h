// What a node was when its graph was instantiated, as far as that limits what an update may make of it.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/define/work.h"

namespace reprise_runtime::graph {

// The owner of memory: the device that was current when it was allocated, whatever kind of memory it is (to CUDA, its
// context), and whether a pool or a graph allocated it.
struct MemoryOwner {
  enum class Allocator : uint8_t { other, pool, graph };

  int16_t device = no_device;
  Allocator allocator = Allocator::other;

  // Of memory that all devices share, and where there is only one device.
  static constexpr int16_t no_device = -1;

  static MemoryOwner of(const void* address);
  bool on_other_device_than(const MemoryOwner& other) const {
    return device != no_device && other.device != no_device && device != other.device;
  }
};

// A copy of several rows, as the user described it.
struct CopyShape {
  memory::BoxCopy box;
  size_t from_height, to_height;
  bool placed;  // the positions are known; those of a captured copy are not
  cudaPos from, to;

  static CopyShape of(const MemcpyWork& work);
  // An H200 compares descriptions: the same bytes described otherwise are another copy.
  bool same_as(const CopyShape& other) const;
};

struct NodeLimits {
  static constexpr uint32_t no_shape = ~uint32_t{0};

  bool flat = true;                         // a copy or set of one row
  MemoryOwner to_owner, from_owner;         // of the memory that a copy or set writes, or reads
  cudaMemcpyKind kind = cudaMemcpyDefault;  // of a copy
  uint32_t shape = no_shape;                // of a copy that is not flat: its place among the shapes
  unsigned element_bytes = 0;               // of a set, like width, height and pitch
  size_t width = 0, height = 0, pitch = 0;
  uint32_t semaphores = 0;  // how many a semaphore node signals or waits for
  uint32_t condition = 0;   // of a conditional node: the place of its condition among those of the outermost graph
};

inline bool is_flat(const memory::Extent& extent) { return extent.height == 1 && extent.depth == 1; }

// Whether nodes of this type have limits beside those that their entry in the index shows.
bool has_limits(cudaGraphNodeType type);
// A copy of several rows adds its shape to `shapes`.
NodeLimits limits_of(const Work& work, std::vector<CopyShape>& shapes);

}  // namespace reprise_runtime::graph
