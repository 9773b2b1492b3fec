// Beginning and ending a capture, and the end of its stream, its thread or its device.
#include "capture/capture_support.h"

namespace {

// A reset of the device; runs in a process of its own.
using StickyCaptures = Captures;

}  // namespace

TEST_F(Captures, NothingCaptured) {
  for (auto mode : capture_modes) {
    ASK(cudaSuccess, cudaStreamBeginCapture(stream, mode));
    ASK_VALUE(std::string("active"), status_of(stream));
    ASK_VALUE(std::string(""), next_after(stream));
    ASK_VALUE(std::string("Success :"), end_drawn(stream));
    ASK_VALUE(std::string("none"), status_of(stream));
  }
}

TEST_F(Captures, AnEmptyGraphRuns) {
  MUST(cudaStreamBeginCapture(stream, global));
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  Graph graph(captured);
  Exec exec(graph);
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(Captures, BeginOnWrongStreams) {
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, relaxed));
  Graph graph;
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCaptureToGraph(nullptr, graph, nullptr, nullptr, 0, global));
}

TEST_F(Captures, BeginInWrongModes) {
  for (int mode : {3, 4, -1, 100}) {
    ASK(cudaErrorInvalidValue, cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
    ASK_VALUE(std::string("none"), status_of(stream));
  }
}

TEST_F(Captures, PerThreadStream) {
  for (auto mode : capture_modes) {
    ASK(cudaSuccess, cudaStreamBeginCapture(cudaStreamPerThread, mode));
    ASK(cudaSuccess, launch_mark(1, cudaStreamPerThread));
    ASK_VALUE(std::string("active"), status_of(cudaStreamPerThread));
    ASK_VALUE(std::string("StreamCaptureImplicit"), status_of(cudaStreamLegacy));
    ASK_VALUE(std::string("Success 1:"), end_drawn(cudaStreamPerThread));
    ASK_VALUE(std::string("Success"), usable(cudaStreamPerThread));
  }
}

TEST_F(Captures, EndWithoutBegin) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(0x10);
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  ASK_VALUE(true, graph == nullptr);
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(cudaStreamPerThread, &graph));
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(nullptr, &graph));
}

TEST_F(Captures, EndTwice) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK_VALUE(std::string("Success 0"), end_capture(stream));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
}

TEST_F(Captures, EndWithNowhereToPutTheGraph) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  // The graph's handle is known from this query.
  cudaGraph_t graph = info_of(stream).graph;
  ASK(cudaSuccess, end_in(stream, nullptr));
  ASK_VALUE(std::string("1:"), drawn(graph));
  ASK(cudaSuccess, cudaGraphDestroy(graph));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
}

TEST_F(Captures, EndInAnotherThread) {
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    MUST(launch_mark(1, stream));
    const std::string refused = "StreamCaptureWrongThread null";
    ASK_FACT("end elsewhere [" + brief(mode) + "]", mode == relaxed ? "Success 1" : refused,
             elsewhere([&] { return end_capture(stream); }));
    ASK_FACT("status after [" + brief(mode) + "]", std::string("none"), status_of(stream));
    ASK_FACT("end here after [" + brief(mode) + "]", std::string("IllegalState null"), end_capture(stream));
    ASK_FACT("after [" + brief(mode) + "]", std::string("Success"), usable(stream));
  }
}

TEST_F(Captures, WorkFromAnotherThreadIsCaptured) {
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    MUST(launch_mark(1, stream));
    ASK_FACT("launch elsewhere [" + brief(mode) + "]", std::string("Success"),
             brief(elsewhere([&] { return launch_mark(2, stream); })));
    ASK_FACT("end [" + brief(mode) + "]", std::string("Success 1 2: 1>2"), end_drawn(stream));
  }
}

TEST_F(Captures, TwoOfOneThread) {
  Stream other(cudaStreamNonBlocking);
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    ASK_FACT("second begin [" + brief(mode) + "]", cudaSuccess, cudaStreamBeginCapture(other, mode));
    MUST(launch_mark(1, stream));
    ASK(cudaSuccess, launch_mark(2, other));
    ASK_FACT("ids differ", true, info_of(stream).id != info_of(other).id);
    ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
    ASK_VALUE(std::string("Success 2:"), end_drawn(other));
  }
}

TEST_F(Captures, IdsAreUnique) {
  std::set<unsigned long long> ids;
  for (int i = 0; i < 3; ++i) {
    MUST(cudaStreamBeginCapture(stream, global));
    const unsigned long long id = info_of(stream).id;
    TELL("id", id);
    EXPECT_TRUE(ids.insert(id).second);
    MUST(launch_mark(1, stream));
    EXPECT_EQ(id, info_of(stream).id);
    (void)end_capture(stream);
  }
}

// Destroying the origin stream ends the capture; the other streams return to normal.
TEST_F(Captures, OriginDestroyed) {
  cudaStream_t origin = nullptr;
  MUST(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  Event event;
  MUST(cudaStreamBeginCapture(origin, global));
  MUST(launch_mark(1, origin));
  MUST(cudaEventRecord(event, origin));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK(cudaSuccess, cudaStreamDestroy(origin));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
  ASK_VALUE(std::string("Success"), usable(stream));
  MUST(cudaFree(address));
}

TEST_F(Captures, OtherStreamDestroyed) {
  for (bool works : {false, true}) {
    cudaStream_t other = nullptr;
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    Event event;
    MUST(cudaStreamBeginCapture(stream, global));
    MUST(launch_mark(1, stream));
    MUST(cudaEventRecord(event, stream));
    MUST(cudaStreamWaitEvent(other, event, 0));
    if (works) MUST(launch_mark(2, other));
    ASK(cudaSuccess, cudaStreamDestroy(other));
    ASK_VALUE(std::string("active"), status_of(stream));
    MUST(launch_mark(3, stream));
    ASK_VALUE(std::string(works ? "StreamCaptureUnjoined null" : "Success 1 3: 1>3"), end_drawn(stream));
    ASK_VALUE(std::string("Success"), usable(stream));
  }
}

TEST_F(Captures, ThreadEndsWhileItCaptures) {
  MUST(elsewhere([&] { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); }));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK(cudaSuccess, launch_mark(1, stream));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 64));
  // The invalidation is reported before the wrong thread.
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
}

// A per-thread stream is destroyed with its thread, and the capture with the stream.
TEST_F(Captures, ThreadOfItsOwnStreamEnds) {
  MUST(elsewhere([&] { return cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal); }));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
  ASK(cudaSuccess, cudaFree(address));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK(cudaSuccess, launch_mark(1, cudaStreamLegacy));
}

TEST_F(StickyCaptures, DeviceReset) {
  cudaStream_t own = nullptr;
  MUST(cudaStreamCreate(&own));
  MUST(cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal));
  ASK(cudaSuccess, cudaDeviceReset());
  ASK(cudaSuccess, cudaDeviceSynchronize());
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
}
