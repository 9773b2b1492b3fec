// The context of a capture under way: what the allocator, the generators and autograd look up by stream.
//
// One capture involves these classes (graph/ has all but the first two):
//
//   CUDAGraph                      public handle: capture_begin, capture_end, replay, reset
//    |
//    |-- GraphRecording            from capture_begin() to capture_end(), owned by the capturing thread
//    |    |-- Capture              the CUDA capture itself (cudaStreamBeginCapture ... cudaStreamEndCapture)
//    |    `-- CaptureContext       the part other code sees: capture_context_of(stream) finds it
//    |         |-- CaptureContext  one more for each body of a conditional node, with this one as its parent
//    |         `-- CaptureResult   what the context has collected so far
//    |
//    `-- CapturedGraph             after capture_end(): Graph, GraphExec and the CaptureResult; replay() launches it
//
// Thread safety: capture_context_of() and all members may be called from any thread, since other threads may take part
// in a capture through streams that joined it. Lock order: a context, then a pool, then the table of contexts. No lock
// is held during a call of CUDA that waits.
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

// A generator within a graph: where the kernels read their beginning, and how much a replay uses up.
struct CapturedGenerator {
  std::shared_ptr<GeneratorState> generator;
  std::shared_ptr<Memory> position;  // seed, offset
  std::uint64_t draws = 0;
  GeneratorState::Position on_device;  // what `position` holds once the replays so far are done
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
  // `graph` numbers the graph that is being made. With a parent it is the body of a conditional node.
  CaptureContext(std::uint64_t graph, unsigned long long capture, StreamRef stream, std::shared_ptr<Pool> pool,
                 std::shared_ptr<CaptureContext> parent = nullptr);

  std::uint64_t graph() const { return graph_; }
  unsigned long long capture() const { return capture_; }
  StreamRef stream() const { return stream_; }
  const std::shared_ptr<Pool>& pool() const { return pool_; }
  const std::shared_ptr<CaptureContext>& parent() const { return parent_; }
  CaptureContext& root() { return parent_ ? parent_->root() : *this; }

  // Memory that the capture uses and did not allocate: stays until the graph goes, or the body ends.
  void keep(std::shared_ptr<const Memory> memory);
  // Anything else that must live as long as the graph.
  void keep_alive(std::shared_ptr<const void> thing);
  // Called if the capture is thrown away: see undo.h.
  void undo_later(const void* what, std::function<void()> undo);
  // Host memory whose owner sees to it.
  void promise(Range range);
  void promise(const RangeSet& ranges);
  // The graph becomes part of this one: what it writes and makes, this one does.
  void adopt(const GraphMemory& part);
  // Memory that the capture was given.
  void add_contents(const std::shared_ptr<Contents>& contents);
  PhiloxState next(const std::shared_ptr<GeneratorState>& generator, std::uint64_t draws);
  // Of a body: random numbers of the default generator are drawn from there.
  void use_random_numbers_at(std::shared_ptr<Memory> position);
  std::uint64_t draws();
  // A body that has ended, recorded in `graph`, whose memory this capture now has.
  void add_body(CaptureContext& body, GraphRef graph);
  // Whether memory allocated in `capture` is this capture's.
  bool owns(unsigned long long capture);
  // Memory that the body of a conditional node used: kept unless it is this capture's own.
  void keep_outside(std::shared_ptr<const Memory> memory);
  // Eager work submitted meanwhile, which must be done before the graph runs.
  void add_outside(Event event);

  // What eager work beside the capture must come after: all that the thread had submitted before.
  void come_after(Event before, std::optional<StreamRef> stream);
  void wait_for_earlier_work(StreamRef stream);

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
  std::unordered_set<unsigned long long> bodies_;  // captures of bodies that have ended, and of theirs
  std::shared_ptr<Memory> random_;                 // of a body
  std::uint64_t draws_ = 0;
  std::optional<Event> before_;
  std::optional<StreamRef> before_stream_;  // the thread's, where the capture is on another
  CaptureResult result_;
};

// Between these the context is found by capture_context_of(), and the pool knows of the capture.
void begin_capture_context(const std::shared_ptr<CaptureContext>& context);
void end_capture_context(const std::shared_ptr<CaptureContext>& context);

// The context whose capture `stream` takes part in, or none.
std::shared_ptr<CaptureContext> capture_context_of(StreamRef stream);

}  // namespace reprise
