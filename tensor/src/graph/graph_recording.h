// A capture of a CUDAGraph, from capture_begin to capture_end.
#pragma once

#include <memory>
#include <optional>
#include <thread>

#include "capture/capture_context.h"
#include "graph/captured_graph.h"

namespace reprise {

// Destroyed before end(), it leaves pool, generators, streams and the thread as they were.
class GraphRecording {
 public:
  GraphRecording(PoolHandle pool, CaptureMode mode);
  ~GraphRecording();

  // Throws where end() may not be called: by another thread, or with another current stream. It goes on then: what the
  // thread does next would otherwise go to a stream that is gone.
  void check_can_end() const;
  // Afterwards it is over, also where it throws.
  std::shared_ptr<CapturedGraph> end();

 private:
  void close() noexcept;
  static void throw_away(CaptureResult& result) noexcept;
  void leave(StreamRef own_stream) noexcept;

  const std::thread::id thread_ = std::this_thread::get_id();
  const StreamRef stream_before_ = current_stream();
  // Goes last: memory of the capture names it.
  std::optional<Stream> own_stream_;
  std::unique_ptr<StreamGuard> guard_;
  std::shared_ptr<Pool> pool_;
  PoolStatistics before_;
  std::optional<LivePeak> peak_;
  std::optional<Capture> capture_;
  std::shared_ptr<CaptureContext> context_;
};

}  // namespace reprise
