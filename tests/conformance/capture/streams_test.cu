// Captures of several streams: forks, joins, merges, and what events stand for.
#include "capture/capture_support.h"

namespace {

constexpr auto global = cudaStreamCaptureModeGlobal;
constexpr auto relaxed = cudaStreamCaptureModeRelaxed;

class CapturedStreams : public Captures {
 protected:
  cudaError_t fork(cudaStream_t to, cudaStream_t from, cudaEvent_t by) {
    const cudaError_t answer = cudaEventRecord(by, from);
    return answer == cudaSuccess ? cudaStreamWaitEvent(to, by, 0) : answer;
  }
  Stream other{cudaStreamNonBlocking}, third{cudaStreamNonBlocking};
  Event event{cudaEventDisableTiming}, join{cudaEventDisableTiming}, more{cudaEventDisableTiming};
};

}  // namespace

TEST_F(CapturedStreams, ForkAndJoin) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("active"), status_of(other));
  ASK_VALUE(std::string("1"), next_after(other));
  ASK_VALUE(true, info_of(stream).id == info_of(other).id);
  ASK_VALUE(true, info_of(stream).graph == info_of(other).graph);
  MUST(launch_mark(2, stream));
  MUST(launch_mark(3, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("2 3"), next_after(stream));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("Success 1 2 3 4: 1>2 1>3 2>4 3>4"), end_drawn(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(other));
}

TEST_F(CapturedStreams, JoinIsTheLastItem) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, WaitForWhatComesBeforeAnyway) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  MUST(launch_mark(2, stream));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  MUST(launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, OrderOfDependencies) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(cudaStreamWaitEvent(third, event, 0));
  MUST(launch_mark(2, other));
  MUST(launch_mark(3, third));
  MUST(fork(stream, third, join));
  MUST(fork(stream, other, more));
  std::string order;
  for (auto node : info_of(stream).dependencies) order += node_name(node) + " ";
  ASK_FACT("order", std::string("1 3 2 "), order);
  (void)end_capture(stream);
}

TEST_F(CapturedStreams, ForkBeforeTheFirstNode) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaSuccess, fork(other, stream, event));
  ASK_VALUE(std::string("active"), status_of(other));
  ASK_VALUE(std::string(""), next_after(other));
  MUST(launch_mark(1, stream));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2:"), end_drawn(stream));
}

TEST_F(CapturedStreams, Unjoined) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
}

// A stream that entered the capture and captured nothing need not be joined.
TEST_F(CapturedStreams, UnjoinedWithoutWork) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
  ASK_VALUE(std::string("none"), status_of(other));
}

TEST_F(CapturedStreams, UnjoinedBeforeTheFirstNode) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("Success :"), end_drawn(stream));
}

TEST_F(CapturedStreams, UnjoinedAfterTheJoin) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, other));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByAnotherStream) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(third, other, more));
  MUST(launch_mark(3, third));
  MUST(fork(stream, third, join));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByANodeThatIsNotTheLast) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, stream));
  MUST(launch_mark(4, stream));
  ASK_VALUE(std::string("Success 1 2 3 4: 1>2 1>3 2>3 3>4"), end_drawn(stream));
}

TEST_F(CapturedStreams, DroppedNodesAreNoUnjoinedStream) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(other, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, AddedByHandAndUnreachable) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  cudaGraphNode_t added = nullptr;
  MUST(cudaGraphAddEmptyNode(&added, info_of(stream).graph, nullptr, 0));
  ASK_VALUE(std::string("Success 1 empty:"), end_drawn(stream));
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(fork(other, stream, event));
  MUST(cudaGraphAddEmptyNode(&added, info_of(stream).graph, nullptr, 0));
  MUST(cudaStreamUpdateCaptureDependencies(other, &added, nullptr, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success empty:"), end_drawn(stream));
}

TEST_F(CapturedStreams, EdgesRemovedByHand) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, other));
  cudaGraphNode_t two = info_of(other).dependencies[0];
  MUST(fork(stream, other, join));
  MUST(launch_mark(3, stream));
  cudaGraphNode_t three = info_of(stream).dependencies[0];
  ASK(cudaSuccess, cudaGraphRemoveDependencies(info_of(stream).graph, &two, &three, nullptr, 1));
  // What is done to the graph by hand is no unjoined stream.
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, EndOnAStreamThatJoined) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK_VALUE(std::string("StreamCaptureUnmatched null"), end_capture(other));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
}

TEST_F(CapturedStreams, MergeByWaiting) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(cudaStreamBeginCapture(other, global));
  MUST(launch_mark(1, stream));
  MUST(launch_mark(2, other));
  MUST(cudaEventRecord(event, other));
  ASK(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(other));
}

// Capturing a stream takes it out of the order of the streams before and after.
TEST_F(CapturedStreams, EventOfAFinishedCapture) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  ASK_VALUE(std::string("Success 1"), end_capture(stream));
  ASK(cudaErrorInvalidValue, cudaEventQuery(event));
  ASK(cudaErrorInvalidValue, cudaEventSynchronize(event));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("none"), status_of(other));
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  MUST(cudaEventRecord(event, stream));
  ASK(cudaSuccess, cudaEventSynchronize(event));
}

TEST_F(CapturedStreams, TimedEventOfAFinishedCapture) {
  Event start, end;
  MUST(cudaEventRecord(end, stream));
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(cudaEventRecord(start, stream));
  (void)end_capture(stream);
  float milliseconds = 0;
  ASK(cudaErrorInvalidValue, cudaEventElapsedTime(&milliseconds, start, end));
}

TEST_F(CapturedStreams, EventRecordedAnewOutside) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  ASK(cudaSuccess, cudaEventRecord(event, other));
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
}

TEST_F(CapturedStreams, EventRecordedBeforeAndAnewInside) {
  MUST(cudaEventRecord(event, other));
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("active"), status_of(other));
  ASK_VALUE(std::string("Success 1"), end_capture(stream));
}

TEST_F(CapturedStreams, WaitForAnEventNeverRecorded) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
}

// Work that the stream still has when it enters a capture by waiting is outside.
TEST_F(CapturedStreams, BusyStreamEnters) {
  Gate gate;
  gate.close(other);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  ASK(cudaSuccess, fork(other, stream, event));
  ASK(cudaSuccess, launch_mark(2, other));
  ASK(cudaSuccess, fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
  gate.open();
}

TEST_F(CapturedStreams, BusyStreamBegins) {
  Gate gate;
  gate.close(stream);
  ASK(cudaSuccess, cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaSuccess, launch_mark(1, stream));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
}

// The item after a capture follows the one before it.
TEST_F(CapturedStreams, ItemsAroundACaptureStayInOrder) {
  DeviceArray<int> memory(1);
  Gate gate;
  gate.close(stream);
  store<<<1, 1, 0, stream>>>(memory.get(), 1);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  store<<<1, 1, 0, stream>>>(memory.get(), 2);
  (void)end_capture(stream);
  add_one<<<1, 1, 0, stream>>>(memory.get());
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(2, memory.read()[0]);
}

// A blocking stream brought in has the legacy stream wait.
TEST_F(CapturedStreams, BlockingStreamEnters) {
  Stream blocking;
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  ASK(cudaSuccess, launch_mark(9, cudaStreamLegacy));
  MUST(fork(blocking, stream, event));
  ASK_VALUE(std::string("StreamCaptureImplicit"), status_of(cudaStreamLegacy));
  ASK(cudaErrorStreamCaptureImplicit, launch_mark(9, cudaStreamLegacy));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(cudaStreamLegacy));
  ASK(cudaSuccess, launch_mark(9, cudaStreamLegacy));
}

TEST_F(CapturedStreams, LegacyStreamWaitsForACapturedEvent) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(event, stream));
  ASK(cudaErrorStreamCaptureImplicit, cudaStreamWaitEvent(cudaStreamLegacy, event, 0));
  ASK_VALUE(std::string("none"), status_of(cudaStreamLegacy));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
}

TEST_F(CapturedStreams, LegacyStreamOfInvalidatedCapture) {
  Stream blocking;
  MUST(cudaStreamBeginCapture(blocking, relaxed));
  ASK(cudaErrorStreamCaptureImplicit, launch_mark(9, cudaStreamLegacy));
  ASK_VALUE(std::string("invalidated"), status_of(blocking));
  ASK_VALUE(std::string("StreamCaptureImplicit"), status_of(cudaStreamLegacy));
  ASK(cudaErrorStreamCaptureImplicit, launch_mark(9, cudaStreamLegacy));
  ASK(cudaErrorStreamCaptureImplicit, cudaStreamSynchronize(cudaStreamLegacy));
  ASK(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  (void)end_capture(blocking);
  ASK(cudaSuccess, launch_mark(9, cudaStreamLegacy));
}

// Two captures of blocking streams: which of them does the legacy stream end?
TEST_F(CapturedStreams, LegacyStreamWithTwoCaptures) {
  Stream first, second;
  MUST(cudaStreamBeginCapture(first, relaxed));
  MUST(cudaStreamBeginCapture(second, relaxed));
  ASK(cudaErrorStreamCaptureImplicit, launch_mark(9, cudaStreamLegacy));
  ASK_VALUE(std::string("invalidated"), status_of(first));
  ASK_VALUE(std::string("invalidated"), status_of(second));
  (void)end_capture(first);
  (void)end_capture(second);
}

TEST_F(CapturedStreams, DeviceSynchronizeWithTwoCaptures) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(cudaStreamBeginCapture(other, relaxed));
  ASK(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  (void)end_capture(stream);
  (void)end_capture(other);
}

TEST_F(CapturedStreams, UnsafeCallWithTwoThreads) {
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    const std::string first = elsewhere([&] {
      (void)cudaStreamBeginCapture(other, cudaStreamCaptureModeThreadLocal);
      void* address = nullptr;
      std::string text = brief(cudaMalloc(&address, 4096));
      (void)cudaGetLastError();
      text += ", here " + status_of(other) + ", there " + status_of(stream);
      (void)end_capture(other);
      (void)cudaFree(address);
      (void)cudaGetLastError();
      return text;
    });
    const std::string there = mode == global ? "invalidated" : "active";
    ASK_FACT("cudaMalloc of a capturing thread beside one that captures [" + brief(mode) + "]",
             "StreamCaptureUnsupported, here invalidated, there " + there, first);
    (void)end_capture(stream);
  }
}

// Each thread its own: four threads capture at a time in their own modes.
TEST_F(CapturedStreams, FourThreads) {
  std::vector<std::string> results(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&results, i] {
      Stream own(cudaStreamNonBlocking);
      for (int round = 0; round < 20; ++round) {
        if (cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal) != cudaSuccess) return;
        for (int k = 0; k < 5; ++k) (void)launch_mark(k, own);
        results[i] = end_drawn(own);
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) ASK_VALUE(std::string("Success 0 1 2 3 4: 0>1 1>2 2>3 3>4"), result);
}

// Edges that do not wait for the end of the node before.
namespace {

cudaError_t launch_attributed(cudaStream_t stream, int id, cudaLaunchAttribute attribute) {
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, mark, id);
}
cudaLaunchAttribute serialization(int allowed = 1) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = allowed;
  return attribute;
}
cudaLaunchAttribute programmatic_event(cudaEvent_t event, int at_block_start, int flags = 0) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  attribute.val.programmaticEvent.event = event;
  attribute.val.programmaticEvent.triggerAtBlockStart = at_block_start;
  attribute.val.programmaticEvent.flags = flags;
  return attribute;
}
cudaLaunchAttribute completion_event(cudaEvent_t event, int flags = 0) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
  attribute.val.launchCompletionEvent.event = event;
  attribute.val.launchCompletionEvent.flags = flags;
  return attribute;
}

}  // namespace

TEST_F(CapturedStreams, ProgrammaticSerialization) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaSuccess, launch_attributed(stream, 1, serialization()));
  ASK(cudaSuccess, launch_attributed(stream, 2, serialization()));
  ASK(cudaSuccess, launch_attributed(stream, 3, serialization(0)));
  ASK_VALUE(std::string("3"), next_after(stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2[1,0,1] 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationAfterOtherNodes) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(cudaMemsetAsync(memory.get(), 0, 64, stream));
  ASK(cudaSuccess, launch_attributed(stream, 1, serialization()));
  MUST(launch_mark(2, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(3, stream));
  MUST(launch_mark(4, other));
  MUST(fork(stream, other, join));
  ASK(cudaSuccess, launch_attributed(stream, 5, serialization()));
  ASK_VALUE(std::string("Success 1 2 3 4 5 memset: 1>2 2>3 2>4 3>5[1,0,1] 4>5[1,0,1] memset>1"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationAfterAKernelAndAMemset) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  MUST(launch_mark(2, stream));
  MUST(cudaMemsetAsync(memory.get(), 0, 64, other));
  MUST(fork(stream, other, join));
  ASK(cudaSuccess, launch_attributed(stream, 3, serialization()));
  ASK_VALUE(std::string("Success 1 2 3 memset: 1>2 1>memset 2>3[1,0,1] memset>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticSerializationFirstInAStream) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, event));
  ASK(cudaSuccess, launch_attributed(other, 2, serialization()));
  MUST(fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2: 1>2[1,0,1]"), end_drawn(stream));
}

TEST_F(CapturedStreams, ProgrammaticEvents) {
  for (int at_start : {0, 1}) {
    MUST(cudaStreamBeginCapture(stream, relaxed));
    const std::string edge = at_start ? "[2,0,1]" : "[1,0,1]";
    ASK(cudaSuccess, launch_attributed(stream, 1, programmatic_event(event, at_start)));
    ASK_VALUE(std::string("1"), next_after(stream));
    ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
    ASK_VALUE("1" + edge, next_after(other));
    ASK(cudaSuccess, launch_mark(2, other));
    ASK(cudaSuccess, fork(stream, other, join));
    ASK_VALUE("Success 1 2: 1>2" + edge, end_drawn(stream));
  }
}

TEST_F(CapturedStreams, LaunchCompletionEvents) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaSuccess, launch_attributed(stream, 1, completion_event(event)));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("1[2,0,0]"), next_after(other));
  ASK(cudaSuccess, launch_mark(2, other));
  ASK(cudaSuccess, fork(stream, other, join));
  ASK_VALUE(std::string("Success 1 2: 1>2[2,0,0]"), end_drawn(stream));
}

TEST_F(CapturedStreams, ExternalEventsOfLaunches) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaErrorNotSupported, launch_attributed(stream, 1, programmatic_event(event, 0, cudaEventRecordExternal)));
  ASK(cudaErrorNotSupported, launch_attributed(stream, 2, completion_event(more, cudaEventRecordExternal)));
  ASK_VALUE(std::string("Success :"), end_drawn(stream));
}

// A stream that waited for no more than the beginning of a node, and then captured nothing.
TEST_F(CapturedStreams, EarlyEdgeAlone) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
}

// The last thing that the origin does is to wait for no more than the beginning of another stream's kernel.
TEST_F(CapturedStreams, JoinedByNoMoreThanAnEarlyWait) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2[1,0,1]"), next_after(stream));
  // Where the documentation says that this does not count as joined.
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

// First the beginning of a node, then all of it.
TEST_F(CapturedStreams, FullEdgeAfterAnEarlyOne) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaEventRecord(join, other));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  MUST(cudaStreamWaitEvent(stream, join, 0));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  MUST(launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3"), end_drawn(stream));
}

TEST_F(CapturedStreams, JoinedByAnEarlyEdgeAlone) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(fork(other, stream, more));
  MUST(launch_attributed(other, 2, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1 2[1,0,1]"), next_after(stream));
  ASK(cudaSuccess, launch_mark(3, stream));
  ASK_VALUE(std::string("Success 1 2 3: 1>2 1>3 2>3[1,0,1]"), end_drawn(stream));
}

TEST_F(CapturedStreams, EarlyEdgeAndFullEdgeToTheSameNode) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event, 0));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(CapturedStreams, NonKernelAfterAnEarlyEdge) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_attributed(stream, 1, programmatic_event(event, 0)));
  MUST(cudaStreamWaitEvent(other, event, 0));
  ASK(cudaSuccess, cudaMemsetAsync(memory.get(), 0, 64, other));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_drawn(stream));
}
