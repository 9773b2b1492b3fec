// The capture of a CUDAGraph, from capture_begin() to capture_end(). See capture/capture_context.h for a picture.
#pragma once

#include <memory>
#include <optional>
#include <thread>

#include "capture/capture_context.h"
#include "graph/captured_graph.h"

namespace reprise {

// If it is destroyed before end(), it restores the pool, generators, streams and thread state.
class GraphRecording {
 public:
  GraphRecording(PoolHandle pool, CaptureMode mode);
  ~GraphRecording();

  // Throws if end() must not be called: on another thread, or with another current stream. The capture then continues,
  // since its thread may still submit work to the captured stream.
  void check_can_end() const;
  // The capture is over afterwards, even if this throws.
  std::shared_ptr<CapturedGraph> end();

 private:
  void close() noexcept;
  static void discard(CaptureResult& result) noexcept;
  void leave(StreamRef own_stream) noexcept;

  const std::thread::id thread_ = std::this_thread::get_id();
  const StreamRef stream_before_ = current_stream();
  // Destroyed last, since memory of the capture refers to it.
  std::optional<Stream> own_stream_;
  std::unique_ptr<StreamGuard> guard_;
  std::shared_ptr<Pool> pool_;
  PoolStatistics before_;
  std::optional<LivePeak> peak_;
  std::optional<Capture> capture_;
  std::shared_ptr<CaptureContext> context_;
};

}  // namespace reprise
