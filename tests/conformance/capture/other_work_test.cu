// Captures beside other work: events of finished captures, busy streams, the legacy stream, other threads.
#include "capture/capture_support.h"

// A captured stream is not ordered with the work before and after the capture.
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

// Work already in the stream when it joins a capture is not part of the capture.
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

// Work after a capture runs after the work before it.
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

// A blocking stream that joins a capture is ordered with the legacy stream.
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

// Two captures of blocking streams: which of them the legacy stream invalidates.
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

// Four threads capture at the same time, each in its own mode.
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
