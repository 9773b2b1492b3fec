// Capture modes of threads, and invalidated captures.
#include "capture/capture_support.h"

namespace {

// Exchanges the thread's mode and returns the previous one.
std::string exchange(cudaStreamCaptureMode mode) {
  const cudaError_t answer = cudaThreadExchangeStreamCaptureMode(&mode);
  return answer == cudaSuccess ? brief(mode) : brief(answer);
}

}  // namespace

TEST_F(Captures, UnsafeCallWithTwoOfOneThread) {
  Stream other(cudaStreamNonBlocking);
  for (auto mode : capture_modes) {
    for (auto mode_of_other : capture_modes) {
      const std::string what = " [" + brief(mode) + ", " + brief(mode_of_other) + "]";
      MUST(cudaStreamBeginCapture(stream, mode));
      MUST(cudaStreamBeginCapture(other, mode_of_other));
      void* address = nullptr;
      const bool one = mode != relaxed, two = mode_of_other != relaxed;
      ASK_FACT("cudaMalloc" + what, std::string(one || two ? "StreamCaptureUnsupported" : "Success"),
               brief(cudaMalloc(&address, 4096)));
      (void)cudaGetLastError();
      ASK_FACT("first" + what, std::string(one ? "invalidated" : "active"), status_of(stream));
      ASK_FACT("second" + what, std::string(two ? "invalidated" : "active"), status_of(other));
      (void)end_capture(stream);
      (void)end_capture(other);
      ASK(cudaSuccess, cudaFree(address));
    }
  }
}

// Every call on an invalidated capture's stream.
TEST_F(Captures, InvalidatedCaptureRefusesEverything) {
  Event captured, event;
  DeviceArray<int> memory(16);
  PinnedArray<int> host(16);
  Graph graph;
  graph.empty();
  Exec exec(graph);
  Stream other(cudaStreamNonBlocking);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(captured, stream));
  MUST(cudaStreamWaitEvent(other, captured, 0));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK(cudaErrorStreamCaptureInvalidated, launch_mark(2, stream));
  ASK(cudaErrorStreamCaptureInvalidated, launch_mark(2, other));
  ASK(cudaErrorStreamCaptureInvalidated, cudaMemcpyAsync(memory.get(), host.get(), 64, cudaMemcpyDefault, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(memory.get(), 0, 64, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  ASK(cudaErrorStreamCaptureInvalidated, cudaEventRecord(event, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, captured, 0));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, event, 0));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
  ASK(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(exec, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(other));
  ASK(cudaErrorIllegalState, cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  ASK(cudaErrorInvalidValue, cudaEventQuery(captured));
  ASK(cudaErrorInvalidValue, cudaEventSynchronize(captured));
  Stream third(cudaStreamNonBlocking);
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(third, captured, 0));
  ASK_VALUE(std::string("none"), status_of(third));
  ASK(cudaSuccess, launch_mark(1, third));
  ASK(cudaErrorStreamCaptureUnsupported,
      cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  ASK_VALUE(std::string("StreamCaptureUnmatched null"), end_capture(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
  // The event marks no work that a stream could wait for.
  ASK(cudaErrorInvalidValue, cudaEventQuery(captured));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, captured, 0));
  ASK(cudaSuccess, cudaEventRecord(captured, stream));
  ASK(cudaSuccess, cudaEventSynchronize(captured));
}

// An unsafe call while the thread's only capture is invalidated already.
TEST_F(Captures, UnsafeCallsWhenInvalidated) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("StreamCaptureUnsupported"), brief(elsewhere([&] { return cudaMalloc(&address, 4096); })));
  (void)end_capture(stream);
}

TEST_F(Captures, ThreadModes) {
  ASK_VALUE(std::string("global"), exchange(relaxed));
  ASK_VALUE(std::string("relaxed"), exchange(local));
  ASK_VALUE(std::string("local"), exchange(local));
  ASK_VALUE(std::string("global"), elsewhere([] { return exchange(relaxed); }));
  ASK_VALUE(std::string("local"), exchange(global));
  // An invalid mode is stored all the same.
  cudaStreamCaptureMode wrong = static_cast<cudaStreamCaptureMode>(5);
  ASK(cudaSuccess, cudaThreadExchangeStreamCaptureMode(&wrong));
  ASK_VALUE(cudaStreamCaptureModeGlobal, wrong);
  wrong = global;
  ASK(cudaSuccess, cudaThreadExchangeStreamCaptureMode(&wrong));
  ASK_VALUE(5, static_cast<int>(wrong));
}

TEST_F(Captures, NoModeToExchange) {
  CRASHES_ON_NVIDIA("a null mode");
  ASK(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(nullptr));
}

// A thread with an invalid mode.
TEST_F(Captures, WrongModeOfAThread) {
  MUST(cudaStreamBeginCapture(stream, global));
  cudaStreamCaptureMode wrong = static_cast<cudaStreamCaptureMode>(5);
  MUST(cudaThreadExchangeStreamCaptureMode(&wrong));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  wrong = global;
  MUST(cudaThreadExchangeStreamCaptureMode(&wrong));
  (void)end_capture(stream);
}

TEST_F(Captures, ModeOfAThreadIsLookedAtWhenItCalls) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK_VALUE(std::string("global"), exchange(relaxed));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("relaxed"), exchange(global));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK_VALUE(std::string("Success 0"), end_capture(stream));
  ASK(cudaSuccess, cudaFree(address));
}
