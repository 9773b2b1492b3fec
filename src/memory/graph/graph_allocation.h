// What graph memory is made of: stretches of addresses, each of one graph, and the allocations in them.
//
// Thread safety: what is constant may be read by anybody who holds a reference; the rest belongs to whoever holds
// GraphMemory's mutex.
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

// Addresses that are a graph's own, in pages as large as a frame. Which frames are behind them may change from launch
// to launch; where nothing has been launched there is nothing behind them.
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
  std::vector<exec::Marker> in_use_until_;  // launches and frees after which nobody uses the addresses
};

// What an allocation node allocates, at the same address in every launch.
class GraphAllocation : public Counted<GraphAllocation> {
 public:
  GraphAllocation(Ref<GraphStretch> stretch, std::uintptr_t address, std::size_t bytes, std::size_t asked, Handle graph,
                  std::uint64_t graph_id);

  // Constant.
  const Ref<GraphStretch> stretch;
  const std::uintptr_t address;
  const std::size_t bytes;  // as much as is set aside
  const std::size_t asked;
  const Handle graph;  // in which the node is
  const std::uint64_t graph_id;
  void* pointer() const { return reinterpret_cast<void*>(address); }
  int device() const { return stretch->device(); }

  // Set when the node is added; constant then.
  Handle node;
  std::uint32_t slot = 0;  // among the allocations of the graph

  // While memory is checked: lets its pages be touched, or not.
  void open() const;
  void close() const;
  // And what ended its last life: one of these, or the node that freed it.
  enum : std::uint64_t { by_nothing, is_live, by_a_call };
  std::atomic<std::uint64_t> ended_by{by_nothing};

 private:
  friend Counted<GraphAllocation>;
  friend class GraphMemory;
  ~GraphAllocation();

  bool live_ = false;             // after a launch, until it is freed
  std::vector<Handle> freed_in_;  // graphs that have, or had, a node that frees it
};

}  // namespace reprise_runtime::memory
