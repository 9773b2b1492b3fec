// What graphs that share a pool do to each other's memory.
//
// Memory that one graph's capture freed is reused by the captures after it. So a replay may overwrite what another
// graph left, and a graph that reads what another wrote needs it replayed before. Here that is known: every capture
// notes which addresses it was given (it writes them) and which tensors of other graphs it used.
#pragma once

#include <reprise/event.h>
#include <reprise/stream.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "memory/range.h"

namespace reprise {

// What a tensor made by a capture holds, which replays decide.
class Contents {
 public:
  Contents(std::uint64_t graph, Range range) : graph_(graph), range_(range) {}

  std::uint64_t graph() const { return graph_; }
  Range range() const { return range_; }
  // The replay that wrote it last, counted from 1; 0: none yet.
  std::uint64_t replay() const { return replay_.load(std::memory_order_acquire); }
  // The graph that has overwritten it since, or 0.
  std::uint64_t overwritten_by() const { return overwritten_by_.load(std::memory_order_acquire); }
  // Whether it holds what its graph's last replay computed.
  bool is_readable() const { return replay() != 0 && overwritten_by() == 0; }
  // Throws unless it does. `reader` begins the text.
  void check_readable(const char* reader) const;

  // No replay will ever compute it: the capture was thrown away, or the graph is gone. From then on it is what is
  // written there.
  void abandon() { abandoned_.store(true, std::memory_order_release); }
  bool is_abandoned() const { return abandoned_.load(std::memory_order_acquire); }

  void written() {
    overwritten_by_.store(0, std::memory_order_release);
    replay_.fetch_add(1, std::memory_order_acq_rel);
  }
  void overwritten(std::uint64_t graph) { overwritten_by_.store(graph, std::memory_order_release); }

 private:
  const std::uint64_t graph_;
  const Range range_;
  std::atomic<std::uint64_t> replay_{0};
  std::atomic<std::uint64_t> overwritten_by_{0};
  std::atomic<bool> abandoned_{false};
};

// A graph, as far as memory is concerned. All but `overwrites` is constant once it is in a ReplayOrder.
struct GraphMemory {
  std::uint64_t graph = 0;
  RangeSet given;                               // addresses that the capture was given
  std::vector<std::weak_ptr<Contents>> made;    // its own tensors
  std::vector<std::shared_ptr<Contents>> read;  // tensors of other graphs that it uses
  std::vector<std::weak_ptr<Contents>> overwrites;

  // What no replay has computed so far, none will.
  void abandon();
};

// Thread safety: every member may be called from any thread; replays of one pool's graphs are submitted one at a time.
class ReplayOrder {
 public:
  void add(GraphMemory& graph);
  void remove(GraphMemory& graph);

  // Calls launch(), if what the graph reads is there. The replay runs after the one before it, of whichever graph, on
  // whatever streams they are.
  void replay(GraphMemory& graph, StreamRef stream, const std::function<void()>& launch);

  // What `stream` is given from now on comes after the replays so far. Nothing if it is capturing.
  void wait_for_replays(StreamRef stream);

  // `stream` is about to be captured: events recorded on it would no longer be about its replays.
  void before_capture(cudaStream_t stream);
  // `stream` is about to be destroyed, and its work is done.
  void forget(cudaStream_t stream);

 private:
  void come_after_last(StreamRef stream);
  static void note_overwriting(GraphMemory& writer, const GraphMemory& other);

  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<GraphMemory*> graphs_;
  bool replayed_ = false;
  cudaStream_t last_stream_ = nullptr;  // of the last replay
  bool recorded_ = false;               // last_ is after it
  Event last_;
};

}  // namespace reprise
