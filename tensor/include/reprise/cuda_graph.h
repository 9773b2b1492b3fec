// CUDAGraph, as in PyTorch and Paddle: tensor work captured once and replayed any number of times.
//
//   CUDAGraph graph;
//   graph.capture([&] { loss = step(x, y); });        // warms up, undoes the effects of that, captures
//   for (...) { x.copy_(batch); graph.replay(); }
//
// or explicitly, as in those frameworks:
//
//   graph.capture_begin();                            { GraphCapture capture(graph, pool);
//   loss = step(x, y);                                  loss = step(x, y); }
//   graph.capture_end();
//
// A capture computes nothing: its result tensors can be read after the first replay. They keep their addresses until
// they are destroyed, and may outlive the graph. The graph keeps the memory of its input tensors alive. If the current
// stream is the default stream, the graph captures on a stream of its own.
//
// Thread safety: only one thread at a time may use a CUDAGraph. Any number of threads may capture and replay different
// graphs at the same time, even if the graphs share a pool, while others run eager work and allocate tensors, in every
// mode. In the mode "global", which is not the default, a direct call of cudaMalloc by another thread invalidates the
// capture, as CUDA specifies.
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

// Memory use of a capture, in bytes.
struct GraphStatistics {
  PoolStatistics before;  // of its pool
  PoolStatistics after;
  std::size_t peak_live = 0;  // the maximum in use, including tensors of other graphs in the pool
  std::size_t own = 0;        // memory that the capture allocated
  std::size_t inputs = 0;     // memory of other tensors that the graph keeps alive
};

// Callbacks that run after the operations they are named after.
struct GraphHooks {
  std::function<void()> capture_end;
  std::function<void()> instantiate;
  std::function<void()> replay;  // after submission, not completion
  std::function<void()> reset;
};

struct CaptureOptions {
  PoolHandle pool;
  std::optional<CaptureMode> mode = {};  // by default that of the graph
  // The number of runs before the capture, which let libraries and tensors initialise themselves. Their changes to
  // existing device memory, generators and grads are undone.
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
  // Replays in progress still complete.
  ~CUDAGraph();

  // Captures the work that `work` submits. If it throws, the capture is discarded and everything is as before.
  void capture(const std::function<void()>& work, const CaptureOptions& options = {});

  // Captures work submitted to the current stream until capture_end(). Memory comes from `pool`, by default a new one.
  void capture_begin(PoolHandle pool = {}, std::optional<CaptureMode> mode = {});
  // Must be called by the thread that called capture_begin(), with the same current stream; otherwise it throws and the
  // capture continues. After any other failure, pool, generators and stream are as before the capture.
  void capture_end();
  // Discards the capture in progress, if any. Must be called by the thread that called capture_begin().
  void capture_abort() noexcept;
  bool is_capturing() const { return recording_ != nullptr; }
  bool is_captured() const { return captured_ != nullptr; }

  // Instantiates the graph now instead of at the first replay.
  void instantiate();
  // Launches the graph on the current stream. If that stream is capturing, the graph becomes part of that capture.
  void replay();
  // Makes the current stream wait for all replays so far, on any stream, of this graph and of others in its pool. Call
  // it before writing inputs on another stream than that of the replay.
  void wait_for_replays();
  // Destroys the captured graph and releases its pool. Memory that is no longer used returns to the device.
  void reset();

  PoolHandle pool() const;
  GraphStatistics statistics() const;
  std::size_t node_count() const;
  std::uint64_t id() const;       // as in error messages; 0 if nothing is captured
  std::uint64_t replays() const;  // number of replays since the capture
  GraphRef raw_graph() const;
  // For launching the graph directly. The caller is then responsible for random numbers and for the order of graphs in
  // the pool; results of the graph count as computed from now on.
  GraphExecRef raw_exec();

  // Writes the graph as a Graphviz file.
  void debug_dump(const std::string& path) const;

  GraphHooks hooks;

 private:
  CapturedGraph& captured(const char* asked) const;

  CaptureMode mode_ = CaptureMode::thread_local_;
  std::unique_ptr<GraphRecording> recording_;
  std::shared_ptr<CapturedGraph> captured_;  // shared with graphs that this one became part of
};

// Captures into `graph` within its scope, optionally on `stream`. An exception that leaves the scope discards the
// capture.
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

// Sets the function that receives warnings, for example about an empty graph. The default prints to standard error.
void set_warning_handler(std::function<void(const std::string&)> handler);

}  // namespace reprise
