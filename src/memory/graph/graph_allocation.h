// Graph memory: stretches of addresses, each of one graph, and the allocations in them.
//
// Thread safety: any thread with a reference may read constant members; GraphMemory's mutex guards the rest.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/handle.h"
#include "base/ref.h"
#include "exec/progress.h"
#include "memory/address/span.h"

namespace reprise_runtime::memory {

// Addresses of one graph, in pages as large as a frame. The frames behind them may change from launch to launch; before
// the first launch there are none.
class GraphStretch : public Counted<GraphStretch> {
 public:
  std::uintptr_t base() const { return base_; }
  std::size_t bytes() const { return bytes_; }
  int device() const { return device_; }

 private:
  friend Counted<GraphStretch>;
  friend class GraphMemory;
  GraphStretch(Span& span, std::size_t bytes, int device);
  ~GraphStretch();

  Span& span_;
  const std::uintptr_t base_;
  const std::size_t bytes_;
  const int device_;

  std::size_t extent_ = 0;                  // allocations end here
  std::vector<std::uint32_t> frames_;       // behind each page, from the next launch on
  std::vector<exec::Marker> in_use_until_;  // launches and frees after which no work uses the addresses
};

// The memory of an allocation node, at the same address in every launch.
class GraphAllocation : public Counted<GraphAllocation> {
 public:
  GraphAllocation(Ref<GraphStretch> stretch, std::uintptr_t address, std::size_t bytes, std::size_t asked, Handle graph,
                  std::uint64_t graph_id);

  // Constant.
  const Ref<GraphStretch> stretch;
  const std::uintptr_t address;
  const std::size_t bytes;  // the reserved size
  const std::size_t asked;
  const Handle graph;  // the graph of the node
  const std::uint64_t graph_id;
  void* pointer() const { return reinterpret_cast<void*>(address); }
  int device() const { return stretch->device(); }

  // Set when the node is added; constant after that.
  Handle node;
  std::uint32_t slot = 0;  // among the allocations of the graph

  // With REPRISE_CHECK=memory: makes its pages accessible, or inaccessible.
  void open() const;
  void close() const;
  // What ended its last lifetime: one of these, or the node that freed it.
  enum : std::uint64_t { by_nothing, is_live, by_a_call };
  std::atomic<std::uint64_t> ended_by{by_nothing};

 private:
  friend Counted<GraphAllocation>;
  friend class GraphMemory;
  ~GraphAllocation();

  bool live_ = false;             // after a launch, until it is freed
  std::vector<Handle> freed_in_;  // graphs that have or had a node that frees it
};

}  // namespace reprise_runtime::memory
