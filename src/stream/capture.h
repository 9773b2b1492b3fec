// A capture: streams whose work becomes nodes of a graph instead of being done.
//
// Thread safety: all of it, and the CapturePart of a stream, belongs to whoever holds capture_mutex(), but for what is
// said to be constant. The order of locks is capture_mutex(), then a graph's, then an event's.
//
// Invariants
//  1. A stream's part is one of the parts of exactly one capture that has not ended. The first is the origin's.
//  2. A part's dependencies are the nodes that its stream's next node will depend on, none twice.
//  3. The legacy stream of a device with blocking streams that capture has a part that is no capture's.
//  4. `open_` has the captured nodes that no captured node depends on, but for those that somebody dropped.
//  5. The graph of a capture that has not ended has graph::Graph::capturing() set: no node leaves it.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/ref.h"
#include "base/status.h"
#include "event/event.h"
#include "graph/define/graph.h"

namespace reprise_runtime::stream {

class Stream;
class Capture;

// Nodes, and how what follows depends on each.
struct Dependencies {
  std::vector<cudaGraphNode_t> nodes;
  std::vector<cudaGraphEdgeData> data;  // of the same length

  void set(cudaGraphNode_t node);
  void add(cudaGraphNode_t node, const cudaGraphEdgeData& edge);
  void add(const Dependencies& more);
};

// A stream in a capture. It stays when the stream is destroyed: its nodes must be joined all the same.
struct CapturePart {
  Capture* capture;  // null: the legacy stream, which cannot be used meanwhile
  Stream* stream;    // null: destroyed
  uint64_t stream_id;
  int device;
  bool blocking;
  Dependencies next;
};

// What an event stands for that was recorded in a capture.
struct CapturedRecord : event::CapturedRecord {
  Ref<Capture> capture;
  Dependencies nodes;
};

struct CaptureBegin {
  cudaStreamCaptureMode mode;
  const void* caller;  // the instruction behind the call
};

class Capture : public Counted<Capture> {
 public:
  // Into a graph of its own, or into one that is there.
  [[nodiscard]] static cudaError_t begin(cudaStream_t stream, const CaptureBegin& begin);
  [[nodiscard]] static cudaError_t begin_to_graph(cudaStream_t stream, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* data,
                                                  size_t count, const CaptureBegin& begin);
  [[nodiscard]] static cudaError_t end(cudaStream_t stream, cudaGraph_t* graph);

  // Constant.
  uint64_t id() const { return id_; }
  cudaStreamCaptureMode mode() const { return begin_.mode; }
  const void* begun_at() const { return begin_.caller; }
  uint64_t thread() const { return thread_; }
  int system_thread() const { return system_thread_; }

  cudaStreamCaptureStatus status() const { return status_; }
  bool active() const { return status_ == cudaStreamCaptureStatusActive; }
  void invalidate() { status_ = cudaStreamCaptureStatusInvalidated; }
  // The call that invalidated it, for explanations; empty while that is not known.
  const std::string& invalidated_by() const { return invalidated_by_; }
  void blame(const std::string& call) {
    if (invalidated_by_.empty()) invalidated_by_ = call;
  }

  // Null when it has ended.
  graph::Graph* graph() const { return graph_.get(); }
  const CapturePart& origin() const { return *parts_.front(); }
  const std::vector<std::unique_ptr<CapturePart>>& parts() const { return parts_; }

  // The stream enters, and its next node depends on these.
  void enter(Stream& stream, const Dependencies& after);
  // The stream goes. With the origin the capture ends, and nobody gets the graph.
  void leave(CapturePart& part);

  // A node after what the part's stream has captured, by edges as they are. The stream's next node will follow it.
  // `What` is graph::Work or op::Kernel.
  template <class What>
  Result<graph::Node*> append(CapturePart& part, What&& what);
  // The part's next node depends on these and no longer on what it did; nobody need wait for what it drops.
  void replace_dependencies(CapturePart& part, Dependencies&& dependencies);

  // A captured node that the origin does not wait for.
  struct Open {
    cudaGraphNode_t node;
    uint64_t stream_id;  // which captured it
  };
  const Open* unjoined() const;

  // All that have not ended, oldest first.
  static const std::vector<Capture*>& all();

 private:
  friend Counted<Capture>;
  Capture(const CaptureBegin& begin, Ref<graph::Graph> graph);
  ~Capture();
  static cudaError_t start(cudaStream_t stream, const CaptureBegin& begin, Ref<graph::Graph> graph,
                           const Dependencies& after);
  // All streams leave. Gives the graph; it is destroyed if `keep_graph` is not set, also one that was there before.
  Ref<graph::Graph> finish(bool keep_graph);

  const uint64_t id_;
  const CaptureBegin begin_;
  const uint64_t thread_;
  const int system_thread_;

  Ref<graph::Graph> graph_;
  cudaStreamCaptureStatus status_ = cudaStreamCaptureStatusActive;
  std::vector<std::unique_ptr<CapturePart>> parts_;
  std::vector<Open> open_;
  std::string invalidated_by_;
};

// How many captures have not ended: nobody looks further while it is 0.
inline std::atomic<uint32_t> capture_count{0};
inline bool any_capture() { return capture_count.load(std::memory_order_relaxed) != 0; }

// A number for the calling thread that no other has.
uint64_t this_thread();

}  // namespace reprise_runtime::stream
