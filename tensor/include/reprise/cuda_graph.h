// A step of work on tensors, captured once and replayed as often as one likes: what PyTorch and Paddle call CUDAGraph.
//
//   CUDAGraph graph;
//   graph.capture([&] { loss = step(x, y); });        // warms up, undoes what that changed, captures
//   for (...) { x.copy_(batch); graph.replay(); }
//
// or by hand, as those frameworks have it:
//
//   graph.capture_begin();                            { GraphCapture capture(graph, pool);
//   loss = step(x, y);                                  loss = step(x, y); }
//   graph.capture_end();
//
// A capture computes nothing: a tensor that it makes can be read after a replay. Such tensors stay where they are until
// they are dropped, also when the graph is gone; what the graph uses of other tensors' memory it keeps. The current
// stream may be the default one: the capture then goes on a stream of the graph's own.
//
// Thread safety: one CUDAGraph is one thread's at a time. Any number of threads may capture and replay graphs of their
// own at once, also graphs that share a pool, and others may go on with eager work and allocations in every mode. With
// "global", which is not the default, other threads' own calls of cudaMalloc and the like would end the capture, as
// CUDA has it.
#pragma once

#include <reprise/capture.h>
#include <reprise/graph.h>
#include <reprise/graph_exec.h>
#include <reprise/mem_pool.h>
#include <reprise/outside_capture.h>
#include <reprise/stream.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace reprise {

// What a capture took, in bytes.
struct GraphStatistics {
  PoolStatistics before;  // of its pool
  PoolStatistics after;
  std::size_t peak_live = 0;  // the most in use at once, other graphs' tensors in the pool included
  std::size_t own = 0;        // addresses that this graph writes to
  std::size_t inputs = 0;     // memory of other tensors that it keeps
};

// Each is called, if set, when that is done.
struct GraphHooks {
  std::function<void()> capture_end;
  std::function<void()> instantiate;
  std::function<void()> replay;  // submitted, that is
  std::function<void()> reset;
};

struct CaptureOptions {
  PoolHandle pool;
  std::optional<CaptureMode> mode;  // none: the graph's own
  // How often the work runs before it is captured, for what libraries and tensors set up when they are first used. What
  // these runs change in device memory that was there before, in generators and in grads, is put back.
  int warm_up = 1;
};

class CapturedGraph;
class GraphRecording;

class CUDAGraph {
 public:
  CUDAGraph();
  // `mode` applies to every capture that does not name another.
  explicit CUDAGraph(CaptureMode mode);
  CUDAGraph(CUDAGraph&& other) noexcept;
  CUDAGraph& operator=(CUDAGraph&& other) noexcept;
  // Replays under way still complete.
  ~CUDAGraph();

  // Captures what `work` does; if it throws, all is as before.
  void capture(const std::function<void()>& work, const CaptureOptions& options = {});

  // What this thread's current stream is given until capture_end() is recorded. Memory comes from `pool`, or from one
  // of the graph's own.
  void capture_begin(PoolHandle pool = {}, std::optional<CaptureMode> mode = {});
  // By the thread that began, with the same current stream: anything else is an error, and the capture goes on. If it
  // fails otherwise, pool, generators and stream are as before the capture.
  void capture_end();
  // Throws the capture under way away; nothing if there is none. By the thread that began.
  void capture_abort() noexcept;
  bool is_capturing() const { return recording_ != nullptr; }
  bool is_captured() const { return captured_ != nullptr; }

  // Done by the first replay, or here.
  void instantiate();
  // On the current stream. If that is capturing, the graph becomes part of what is captured.
  void replay();
  // What the current stream is given from now on comes after the replays so far, of this graph and of its pool's
  // others, whatever streams they are on: for inputs that are written on another stream than the replay's.
  void wait_for_replays();
  // Forgets what was captured and gives up the pool. Memory that is in no one's use goes back to the device.
  void reset();

  PoolHandle pool() const;
  GraphStatistics statistics() const;
  std::size_t node_count() const;
  std::uint64_t id() const;       // as errors name it; 0: nothing captured
  std::uint64_t replays() const;  // since the capture
  GraphRef raw_graph() const;
  // Who launches it sees to the order of its pool's graphs, and to random numbers, himself: from now on what the graph
  // makes counts as computed.
  GraphExecRef raw_exec();

  // A drawing for Graphviz.
  void debug_dump(const std::string& path) const;

  GraphHooks hooks;

 private:
  CapturedGraph& captured(const char* asked) const;

  CaptureMode mode_ = CaptureMode::thread_local_;
  std::unique_ptr<GraphRecording> recording_;
  std::shared_ptr<CapturedGraph> captured_;  // also kept by graphs that it became part of
};

// Captures into `graph` for as long as it lives; on a `stream` if given. An exception on the way throws the capture
// away.
class GraphCapture {
 public:
  explicit GraphCapture(CUDAGraph& graph, PoolHandle pool = {}, std::optional<CaptureMode> mode = {});
  GraphCapture(CUDAGraph& graph, PoolHandle pool, StreamRef stream, std::optional<CaptureMode> mode = {});
  ~GraphCapture() noexcept(false);
  GraphCapture(const GraphCapture&) = delete;
  GraphCapture& operator=(const GraphCapture&) = delete;

 private:
  CUDAGraph& graph_;
  std::unique_ptr<StreamGuard> stream_;
  int exceptions_;
};

inline bool is_current_stream_capturing() { return is_capturing(current_stream()); }

// Where warnings go: an empty graph, for one. By default to standard error.
void set_warning_handler(std::function<void(const std::string&)> handler);

}  // namespace reprise
