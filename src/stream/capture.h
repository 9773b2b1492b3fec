// A capture: streams whose work becomes nodes of a graph instead of being run.
//
// Thread safety: capture_mutex() guards all of it, including the CapturePart of a stream, except for members marked
// constant. Locks are taken in the order capture_mutex(), a graph's mutex, an event's mutex.
//
// Invariants
//  1. A stream's part is one of the parts of exactly one capture that has not ended. The first is the origin's.
//  2. A part's dependencies are the nodes that its stream's next node will depend on, none twice.
//  3. The legacy stream of a device with capturing blocking streams has a part that belongs to no capture.
//  4. `open_` holds the captured nodes that no captured node depends on, except for those that
//     cudaStreamUpdateCaptureDependencies has dropped.
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

// Nodes, and the kind of edge by which the next node depends on each.
struct Dependencies {
  std::vector<cudaGraphNode_t> nodes;
  std::vector<cudaGraphEdgeData> data;  // of the same length

  void set(cudaGraphNode_t node);
  void add(cudaGraphNode_t node, const cudaGraphEdgeData& edge);
  void add(const Dependencies& more);
};

// A stream in a capture. It outlives the stream: the nodes of a destroyed stream must be joined as well.
struct CapturePart {
  Capture* capture;  // null: the legacy stream, which cannot be used while blocking streams capture
  Stream* stream;    // null: destroyed
  uint64_t stream_id;
  int device;
  bool blocking;
  Dependencies next;
};

// The nodes that an event recorded in a capture stands for.
struct CapturedRecord : event::CapturedRecord {
  Ref<Capture> capture;
  Dependencies nodes;
};

struct CaptureBegin {
  cudaStreamCaptureMode mode;
  const void* caller;  // return address of the call
};

class Capture : public Counted<Capture> {
 public:
  // Into a new graph, or into an existing one.
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
  // The call that invalidated the capture, for explanations; empty while it is not known.
  const std::string& invalidated_by() const { return invalidated_by_; }
  void set_invalidated_by(const std::string& call) {
    if (invalidated_by_.empty()) invalidated_by_ = call;
  }

  // Null after the capture has ended.
  graph::Graph* graph() const { return graph_.get(); }
  const CapturePart& origin() const { return *parts_.front(); }
  const std::vector<std::unique_ptr<CapturePart>>& parts() const { return parts_; }

  // Adds a stream, whose next node depends on `after`.
  void enter(Stream& stream, const Dependencies& after);
  // Removes a destroyed stream. If it is the origin, the capture ends and its graph is discarded.
  void leave(CapturePart& part);

  // Appends a node that depends on part.next; the stream's next node will depend on it.
  // `What` is graph::Work or op::Kernel.
  template <class What>
  Result<graph::Node*> append(CapturePart& part, What&& what);
  // Replaces the dependencies of the part's next node. The dropped nodes need not be joined.
  void replace_dependencies(CapturePart& part, Dependencies&& dependencies);

  // A captured node that no other captured node depends on.
  struct Open {
    cudaGraphNode_t node;
    uint64_t stream_id;  // of the stream that captured it
  };
  // An open node that the origin does not wait for, or null.
  const Open* unjoined() const;

  // All captures that have not ended, oldest first.
  static const std::vector<Capture*>& all();

 private:
  friend Counted<Capture>;
  Capture(const CaptureBegin& begin, Ref<graph::Graph> graph);
  ~Capture();
  static cudaError_t start(cudaStream_t stream, const CaptureBegin& begin, Ref<graph::Graph> graph,
                           const Dependencies& after);
  // Removes all streams and returns the graph. Without `keep_graph` the graph is destroyed, even if it existed before.
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

// Number of captures that have not ended. While it is 0, no call checks further.
inline std::atomic<uint32_t> capture_count{0};
inline bool any_capture() { return capture_count.load(std::memory_order_relaxed) != 0; }

// A unique number of the calling thread.
uint64_t this_thread();

}  // namespace reprise_runtime::stream
