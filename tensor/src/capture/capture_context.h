// The context of a capture in progress. The allocator, the generators and autograd look it up by stream.
//
// One capture involves these classes (graph/ has those that are not in this header):
//
//   CUDAGraph                      public handle: capture_begin, capture_end, replay, reset
//    |
//    |-- GraphRecording            from capture_begin() to capture_end(), owned by the capturing thread
//    |    |-- Capture              the CUDA capture itself (cudaStreamBeginCapture ... cudaStreamEndCapture)
//    |    `-- CaptureContext       the part that other code sees, through capture_context_of(stream)
//    |         |-- CaptureContext  a child context for each body of a conditional node
//    |         `-- CaptureResult   collected so far: memory, inputs, generators, host objects
//    |
//    `-- CapturedGraph             after capture_end(): Graph, GraphExec and the CaptureResult; replay() launches it
//
// Thread safety: capture_context_of() and all members may be called from any thread, since other threads may take part
// in a capture through streams that joined it. Lock order: a context, then a pool, then the table of contexts. No lock
// is held during a CUDA call that waits.
#pragma once

#include <reprise/capture.h>
#include <reprise/event.h>
#include <reprise/memory.h>
#include <reprise/philox.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "capture/generator_state.h"
#include "memory/pool.h"
#include "memory/replay_order.h"

namespace reprise {

// A generator used in a graph: where kernels read its position, and how many draws a replay consumes.
struct CapturedGenerator {
  std::shared_ptr<GeneratorState> generator;
  std::shared_ptr<Memory> position;  // seed, offset
  std::uint64_t draws = 0;
  GeneratorState::Position on_device;  // the contents of `position` after the replays so far
  bool on_device_known = false;
};

// What a capture collects for its graph.
struct CaptureResult {
  GraphMemory memory;
  std::vector<std::shared_ptr<const Memory>> inputs;  // memory that the graph uses and did not allocate
  std::vector<std::shared_ptr<const void>> kept;      // other objects that must live as long as the graph
  std::vector<CapturedGenerator> generators;
  std::vector<Event> outside;  // eager work submitted during the capture, which the first replay waits for
  RangeSet promised;           // host memory that its owner keeps valid
  std::vector<std::function<void()>> undo;
  std::vector<GraphRef> bodies;  // of branches and loops, at any depth
};

class CaptureContext {
 public:
  // `graph` is the id of the graph. With a parent, this is the context of a conditional node's body.
  CaptureContext(std::uint64_t graph, unsigned long long capture, StreamRef stream, std::shared_ptr<Pool> pool,
                 std::shared_ptr<CaptureContext> parent = nullptr);

  std::uint64_t graph() const { return graph_; }
  unsigned long long capture() const { return capture_; }
  StreamRef stream() const { return stream_; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }
  const std::shared_ptr<CaptureContext>& parent() const { return parent_; }
  CaptureContext& root() { return parent_ ? parent_->root() : *this; }

  // Keeps memory that the capture uses but did not allocate, until the graph is destroyed or the body ends.
  void keep(std::shared_ptr<const Memory> memory);
  // Keeps another object as long as the graph.
  void keep_alive(std::shared_ptr<const void> thing);
  // Registers a function to call if the capture is discarded: see undo.h.
  void undo_later(const void* what, std::function<void()> undo);
  // Declares host memory that its owner keeps valid.
  void promise(Range range);
  void promise(const RangeSet& ranges);
  // Includes the memory of a graph that becomes a child of this one.
  void adopt(const GraphMemory& part);
  // Registers memory that the capture allocated.
  void add_contents(const std::shared_ptr<Contents>& contents);
  PhiloxState next(const std::shared_ptr<GeneratorState>& generator, std::uint64_t draws);
  // In a body: draws of the default generator start from `position`.
  void use_random_numbers_at(std::shared_ptr<Memory> position);
  std::uint64_t draws();
  // Takes over the memory of a body whose capture into `graph` has ended.
  void add_body(CaptureContext& body, GraphRef graph);
  // Whether memory allocated in `capture` belongs to this capture or to one of its bodies.
  bool owns(unsigned long long capture);
  // Keeps memory that the body of a conditional node used, unless it belongs to this capture.
  void keep_outside(std::shared_ptr<const Memory> memory);
  // Registers eager work submitted during the capture, which replays must wait for.
  void add_outside(Event event);

  // Work submitted before the capture, which eager work during the capture must wait for.
  void set_prior_work(Event before, std::optional<StreamRef> stream);
  void wait_for_prior_work(StreamRef stream);

  CaptureResult take_result();

 private:
  // Constant after construction.
  const std::uint64_t graph_;
  const unsigned long long capture_;
  const StreamRef stream_;
  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<CaptureContext> parent_;

  std::mutex mutex_;
  // Guarded by mutex_.
  std::unordered_set<const Memory*> seen_;
  std::unordered_set<const void*> undone_;
  std::unordered_set<unsigned long long> bodies_;  // captures of bodies that have ended, at any depth
  std::shared_ptr<Memory> random_;                 // of a body: the position of its random numbers
  std::uint64_t draws_ = 0;
  std::optional<Event> before_;
  std::optional<StreamRef> before_stream_;  // the thread's previous current stream, if the capture uses another
  CaptureResult result_;
};

// Register and unregister a context for capture_context_of(), and begin and end the capture in its pool.
void begin_capture_context(const std::shared_ptr<CaptureContext>& context);
void end_capture_context(const std::shared_ptr<CaptureContext>& context);

// The context of the capture that `stream` takes part in, or null.
std::shared_ptr<CaptureContext> capture_context_of(StreamRef stream);

}  // namespace reprise
