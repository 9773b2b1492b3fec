// Graph memory: its addresses, which of it is live outside of launches, and its physical memory.
//
// An address is reserved when an allocation node is added, and stays the same. A launch of the graph maps frames behind
// it. A launch gets its previous frames if it runs after all work that has used them since: then nothing is mapped, and
// graphs launched in one stream share frames. Otherwise it gets other frames.
//
//   graph 1's addresses   | page   | page   |            graph 2's   | page   |        graph 3's   | page   |
//                              \        \_______            ________/                               /
//   frames                    | 0: used by 1, then 2 in stream a |  1: used by 1  |    2: held by what 3 allocated
//
// Memory is live if a launch has allocated and not freed it, from the call of that launch to the call that frees it.
//
// Thread safety: all calls may be made from any thread. One lock, and within it a second one for address lookups: a
// fault may be reported while its launch is still being queued under the first. Invariants:
//  1. Live allocations do not overlap, and the frames behind them are held.
//  2. No two launches that may run concurrently share a frame, and no launch uses a frame that another holds.
//  3. A failed launch changes nothing.
#pragma once

#include <driver_types.h>

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/devices.h"
#include "base/mutex.h"
#include "base/status.h"
#include "memory/address/span_owner.h"
#include "memory/graph/graph_allocation.h"
#include "memory/graph/graph_frames.h"

namespace reprise_runtime::memory {

// How an executable graph uses graph memory.
struct GraphMemoryUse {
  struct Part {
    Ref<GraphStretch> stretch;
    std::uint32_t pages;  // from its start
  };
  std::vector<Part> parts;
  std::vector<Ref<GraphAllocation>> kept;   // allocations that its launches leave live
  std::vector<Ref<GraphAllocation>> freed;  // allocations of other graphs
  bool auto_free = false;                   // the next launch frees the live ones of `kept`
};

// A page that gets another frame before the launch begins.
struct GraphMapping {
  std::uintptr_t address;
  std::size_t offset;
  int device;
};
using GraphMappings = std::vector<GraphMapping>;

class GraphMemory final : public SpanOwner {
 public:
  static GraphMemory& instance();

  // ---- addresses ----------------------------------------------------------------------------------------------

  // Reserves at least `bytes`; null if there are no more addresses.
  Ref<GraphStretch> reserve(std::size_t bytes, int device) REPRISE_EXCLUDES(mutex_);
  Ref<GraphAllocation> allocate(const Ref<GraphStretch>& stretch, std::size_t offset, std::size_t bytes,
                                std::size_t asked, Handle graph, std::uint64_t graph_id) REPRISE_EXCLUDES(mutex_);
  // The latest allocation that starts at the address, or null.
  Ref<GraphAllocation> starting_at(const void* address) REPRISE_EXCLUDES(latest_mutex_);
  // Records that a node of `graph` frees the allocation, if allowed(graphs that have or had such a node) is
  // cudaSuccess.
  template <class Allowed>
  [[nodiscard]] cudaError_t claim_free(GraphAllocation& allocation, Handle graph, Allowed&& allowed)
      REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (cudaError_t refused = allowed(allocation.freed_in_); refused != cudaSuccess) return refused;
    allocation.freed_in_.push_back(graph);
    return cudaSuccess;
  }
  // The latest allocation around an address, or null. Slow; for error reports.
  Ref<GraphAllocation> around(const void* address) REPRISE_EXCLUDES(latest_mutex_);

  // The kind tells whether the memory is live.
  Range find(std::uintptr_t address) override REPRISE_EXCLUDES(mutex_);
  cudaError_t free(void* address, const exec::Marker& in_use_until) override REPRISE_EXCLUDES(mutex_);
  bool is_live(const GraphAllocation& allocation) REPRISE_EXCLUDES(mutex_);

  // ---- launches -----------------------------------------------------------------------------------------------

  // Queues a launch in the lane: calls wait(marker) for each point that it must follow, then submit(GraphMappings),
  // which queues the launch itself and returns the marker of its end.
  template <class Wait, class Submit>
  Result<exec::Marker> launch(const GraphMemoryUse& use, exec::Lane& lane, Wait&& wait, Submit&& submit)
      REPRISE_EXCLUDES(mutex_) {
    Lives ended;  // released after the lock
    MutexLock lock(mutex_);
    if (cudaError_t refused = check(use); refused != cudaSuccess) return refused;
    if (use.auto_free) end_lives(use, ended);
    GraphMappings mappings;
    if (!stays(use, lane)) [[unlikely]] {
      if (cudaError_t refused = choose_frames(use, lane, mappings); refused != cudaSuccess) {
        for (Ref<GraphAllocation>& each : ended) begin_life(std::move(each));
        return refused;
      }
    }
    for (const GraphMemoryUse::Part& part : use.parts) {
      for (const exec::Marker& marker : part.stretch->in_use_until_) {
        if (!marker.reached()) wait(marker);
      }
    }
    const exec::Marker end = submit(std::move(mappings));
    launched(use, end);
    return end;
  }
  // Maps memory behind the addresses without launching.
  [[nodiscard]] cudaError_t upload(const GraphMemoryUse& use, exec::Lane& lane) REPRISE_EXCLUDES(mutex_);
  // The first step of a launch. Takes no lock: no other work uses the addresses then.
  static bool map(const GraphMappings& mappings);

  // ---- devices ------------------------------------------------------------------------------------------------

  [[nodiscard]] cudaError_t get_attribute(int device, cudaGraphMemAttributeType attribute, void* value)
      REPRISE_EXCLUDES(mutex_);
  // Only high-water marks can be set, and only to 0.
  [[nodiscard]] cudaError_t set_attribute(int device, cudaGraphMemAttributeType attribute, const void* value)
      REPRISE_EXCLUDES(mutex_);
  // Releases all unused memory.
  void trim(int device) REPRISE_EXCLUDES(mutex_);
  // Ends all lifetimes and releases all memory. For cudaDeviceReset, when the device is idle.
  void reset(int device) REPRISE_EXCLUDES(mutex_);

 private:
  friend class GraphStretch;
  friend class GraphAllocation;
  GraphMemory() = default;

  struct Retired {
    Span* span;
    std::vector<exec::Marker> in_use_until;
  };

  GraphFrames& frames(int device) REPRISE_REQUIRES(mutex_);
  cudaError_t check(const GraphMemoryUse& use) REPRISE_REQUIRES(mutex_);
  bool stays(const GraphMemoryUse& use, exec::Lane& lane) REPRISE_REQUIRES(mutex_);
  // Whether work submitted to the lane, after the waits that the launch needs anyway, follows the marker.
  bool follows(const GraphMemoryUse& use, exec::Lane& lane, const exec::Marker& marker) REPRISE_REQUIRES(mutex_);
  bool usable(const GraphFrame& frame, const GraphMemoryUse& use, exec::Lane& lane) REPRISE_REQUIRES(mutex_);
  cudaError_t choose_frames(const GraphMemoryUse& use, exec::Lane& lane, GraphMappings& mappings)
      REPRISE_REQUIRES(mutex_);
  cudaError_t map_now(const GraphMemoryUse& use, GraphMappings& mappings) REPRISE_REQUIRES(mutex_);
  static bool idle(const GraphMemoryUse& use);
  void launched(const GraphMemoryUse& use, const exec::Marker& end) REPRISE_REQUIRES(mutex_);
  using Lives = std::vector<Ref<GraphAllocation>>;
  using Life = std::map<std::uintptr_t, Ref<GraphAllocation>>::iterator;
  Life first_live(const GraphStretch& stretch) REPRISE_REQUIRES(mutex_) { return live_.lower_bound(stretch.base()); }
  void begin_life(Ref<GraphAllocation> allocation) REPRISE_REQUIRES(mutex_);
  // Its memory may be in use until the marker is reached. May return the last reference, which must not be dropped
  // here.
  Ref<GraphAllocation> end_life(GraphAllocation& allocation, const exec::Marker& in_use_until) REPRISE_REQUIRES(mutex_);
  void end_lives(const GraphMemoryUse& use, Lives& ended) REPRISE_REQUIRES(mutex_);
  // Calls use(GraphFrame&) for each frame behind the allocation.
  template <class Use>
  void for_each_frame(const GraphAllocation& allocation, Use&& use) REPRISE_REQUIRES(mutex_);
  void retire(GraphStretch& stretch) REPRISE_EXCLUDES(mutex_);
  void release_retired() REPRISE_REQUIRES(mutex_);
  void forget(GraphAllocation& allocation) REPRISE_EXCLUDES(latest_mutex_);

  Mutex mutex_;
  std::array<std::unique_ptr<GraphFrames>, max_devices> frames_ REPRISE_GUARDED_BY(mutex_);
  std::map<std::uintptr_t, GraphStretch*> stretches_ REPRISE_GUARDED_BY(mutex_);    // by start
  std::map<std::uintptr_t, Ref<GraphAllocation>> live_ REPRISE_GUARDED_BY(mutex_);  // by start
  std::vector<Retired> retired_ REPRISE_GUARDED_BY(mutex_);
  std::uint64_t launches_ REPRISE_GUARDED_BY(mutex_) = 0;

  Mutex latest_mutex_;
  std::unordered_map<std::uintptr_t, GraphAllocation*> latest_ REPRISE_GUARDED_BY(latest_mutex_);  // by start
};

}  // namespace reprise_runtime::memory
