// The order of replays of graphs that share a pool, and the validity of their tensors.
//
// Captures reuse memory that earlier captures in the pool freed. A replay may therefore overwrite results of another
// graph, and a graph that reads another graph's results needs a replay of that graph first. To detect misuse, every
// capture records the addresses it allocated (its graph writes them) and the tensors of other graphs that it used.
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

// The validity of a tensor that a capture allocated.
class Contents {
 public:
  Contents(std::uint64_t graph, Range range) : graph_(graph), range_(range) {}

  std::uint64_t graph() const { return graph_; }
  Range range() const { return range_; }
  // The number of the last replay that wrote it, counted from 1; 0 if none did.
  std::uint64_t replay() const { return replay_.load(std::memory_order_acquire); }
  // The graph that has overwritten it since, or 0 if none has.
  std::uint64_t overwritten_by() const { return overwritten_by_.load(std::memory_order_acquire); }
  // Whether it has the values that the last replay of its graph computed.
  bool is_readable() const { return replay() != 0 && overwritten_by() == 0; }
  // Throws unless is_readable(). `reader` begins the message.
  void check_readable(const char* reader) const;

  // Declares that no replay will compute it any more, because the capture was discarded or the graph destroyed. It
  // becomes readable once something else writes it.
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

// The memory of a graph. All but `overwrites` is constant once it is in a ReplayOrder.
struct GraphMemory {
  std::uint64_t graph = 0;
  RangeSet allocated;                            // addresses that the capture allocated
  std::vector<std::weak_ptr<Contents>> tensors;  // tensors that the capture allocated
  std::vector<std::shared_ptr<Contents>> read;   // tensors of other graphs that it uses
  std::vector<std::weak_ptr<Contents>> overwrites;

  // Abandons all tensors that no replay has computed.
  void abandon();
};

// Thread safety: every member may be called from any thread; replays of graphs of one pool are submitted one at a time.
class ReplayOrder {
 public:
  void add(GraphMemory& graph);
  void remove(GraphMemory& graph);

  // Checks that the inputs of the graph are readable and calls launch(). The replay runs after the previous replay of
  // any graph of the pool, even on another stream.
  void replay(GraphMemory& graph, StreamRef stream, const std::function<void()>& launch);

  // Makes `stream` wait for all replays so far. Does nothing if it is capturing.
  void wait_for_replays(StreamRef stream);

  // Called before `stream` is captured, after which an event recorded on it would no longer mark its replays.
  void before_capture(cudaStream_t stream);
  // Called before `stream` is destroyed, after its work is done.
  void forget(cudaStream_t stream);

 private:
  void set_prior_work_last(StreamRef stream);
  static void note_overwriting(GraphMemory& writer, const GraphMemory& other);

  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<GraphMemory*> graphs_;
  bool replayed_ = false;
  cudaStream_t last_stream_ = nullptr;  // of the last replay
  bool recorded_ = false;               // whether last_ was recorded after it
  Event last_;
};

}  // namespace reprise
