// Events: creation, recording, queries and elapsed time.
#include "support.h"

using Events = Runtime;

TEST_F(Events, AreMadeWithEachFlag) {
  for (unsigned flags :
       {cudaEventDefault, cudaEventBlockingSync, cudaEventDisableTiming, cudaEventBlockingSync | cudaEventDisableTiming,
        cudaEventInterprocess | cudaEventDisableTiming}) {
    cudaEvent_t event = nullptr;
    ASK(cudaSuccess, cudaEventCreateWithFlags(&event, flags));
    ASK(cudaSuccess, cudaEventRecord(event));
    ASK(cudaSuccess, cudaEventSynchronize(event));
    ASK(cudaSuccess, cudaEventQuery(event));
    ASK(cudaSuccess, cudaEventDestroy(event));
  }
}

TEST_F(Events, WrongFlagsAndOutputs) {
  cudaEvent_t event = nullptr;
  ASK(cudaErrorInvalidValue, cudaEventCreate(static_cast<cudaEvent_t*>(nullptr)));
  ASK(cudaErrorInvalidValue, cudaEventCreateWithFlags(nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, 8));
  ASK(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, ~0u));
  ASK(cudaErrorInvalidValue, cudaEventCreateWithFlags(&event, cudaEventInterprocess));
}

TEST_F(Events, ThatAreNull) {
  float ms = 0;
  Stream stream;
  ASK(cudaErrorInvalidResourceHandle, cudaEventRecord(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaEventQuery(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaEventSynchronize(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaEventDestroy(nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaStreamWaitEvent(stream, nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, nullptr, nullptr));
}

TEST_F(Events, NeverRecordedCountAsDone) {
  Event event;
  Stream stream;
  ASK(cudaSuccess, cudaEventQuery(event));
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(Events, AreReadyAfterTheWorkBeforeThem) {
  Gate gate;
  Event event;
  Stream stream;
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  gate.open();
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK(cudaSuccess, cudaEventQuery(event));
}

TEST_F(Events, DoNotWaitForTheWorkAfterThem) {
  Gate gate;
  Event event;
  Stream stream;
  MUST(cudaEventRecord(event, stream));
  gate.close(stream);
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
}

TEST_F(Events, RecordedAgainForgetTheFirstRecord) {
  Gate gate;
  Event event;
  Stream stream;
  MUST(cudaEventRecord(event, stream));
  MUST(cudaEventSynchronize(event));
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  gate.open();
}

TEST_F(Events, RecordFlagsAreChecked) {
  Event event;
  Stream stream;
  ASK(cudaSuccess, cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  ASK(cudaErrorIllegalState, cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ASK(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, stream, 2));
  ASK(cudaErrorInvalidValue, cudaEventRecordWithFlags(event, stream, ~0u));
  ASK(cudaSuccess, cudaEventRecord(event, nullptr));
  ASK(cudaSuccess, cudaEventRecord(event, cudaStreamPerThread));
}

TEST_F(Events, CanBeDestroyedBeforeTheyAreReached) {
  Gate gate;
  Stream stream, other;
  PinnedArray<int> done(1);
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event));
  store<<<1, 1, 0, other>>>(done.get(), 1);
  ASK(cudaSuccess, cudaEventDestroy(event));
  ASK_VALUE(0, *static_cast<volatile int*>(done.get()));
  gate.open();
  MUST(cudaStreamSynchronize(other));
  ASK_VALUE(1, done[0]);
}

using EventTime = Runtime;

TEST_F(EventTime, IsPositiveAndFiniteBetweenTwoRecords) {
  Event start, end;
  DeviceArray<int> cell(1);
  const auto before = std::chrono::steady_clock::now();
  MUST(cudaEventRecord(start));
  add_one<<<1, 1>>>(cell.get());
  MUST(cudaEventRecord(end));
  MUST(cudaEventSynchronize(end));
  const std::chrono::duration<float, std::milli> by_the_host = std::chrono::steady_clock::now() - before;
  float ms = -1;
  ASK(cudaSuccess, cudaEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 0.0f);
  EXPECT_LT(ms, 1.01f * by_the_host.count() + 1);
  float back = 1;
  ASK(cudaSuccess, cudaEventElapsedTime(&back, end, start));
  ASK_VALUE(-ms, back);
}

TEST_F(EventTime, CoversWhatRanBetween) {
  Event start, end;
  MUST(cudaEventRecord(start));
  MUST(cudaLaunchHostFunc(nullptr, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }, nullptr));
  MUST(cudaEventRecord(end));
  MUST(cudaEventSynchronize(end));
  float ms = 0;
  MUST(cudaEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 19.0f);
}

TEST_F(EventTime, OfOneEventIsZero) {
  Event event;
  MUST(cudaEventRecord(event));
  MUST(cudaEventSynchronize(event));
  float ms = 1;
  ASK(cudaSuccess, cudaEventElapsedTime(&ms, event, event));
  ASK_VALUE(0.0f, ms);
}

TEST_F(EventTime, NeedsBothRecorded) {
  Event recorded, never;
  MUST(cudaEventRecord(recorded));
  MUST(cudaEventSynchronize(recorded));
  float ms = 0;
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, never, recorded));
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, recorded, never));
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, never, never));
}

TEST_F(EventTime, NeedsBothDone) {
  Gate gate;
  Event start, end;
  Stream stream;
  MUST(cudaEventRecord(start, stream));
  gate.close(stream);
  MUST(cudaEventRecord(end, stream));
  float ms = 0;
  ASK(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, end));
  ASK(cudaErrorNotReady, cudaEventElapsedTime(&ms, end, start));
  ASK(cudaSuccess, cudaGetLastError());
  gate.open();
}

TEST_F(EventTime, NeedsBothTimed) {
  Event timed, untimed(cudaEventDisableTiming);
  MUST(cudaEventRecord(timed));
  MUST(cudaEventRecord(untimed));
  MUST(cudaDeviceSynchronize());
  float ms = 0;
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, timed, untimed));
  ASK(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, untimed, timed));
}

TEST_F(EventTime, NeedsAnOutput) {
  Event start, end;
  MUST(cudaEventRecord(start));
  MUST(cudaEventRecord(end));
  MUST(cudaDeviceSynchronize());
  ASK(cudaErrorInvalidValue, cudaEventElapsedTime(nullptr, start, end));
}

TEST_F(EventTime, AcrossStreams) {
  Event start, end;
  Stream first, second;
  MUST(cudaEventRecord(start, first));
  MUST(cudaStreamWaitEvent(second, start));
  MUST(cudaEventRecord(end, second));
  MUST(cudaDeviceSynchronize());
  float ms = -1;
  ASK(cudaSuccess, cudaEventElapsedTime(&ms, start, end));
  EXPECT_GE(ms, 0.0f);
}

using HazardEventHandle = Runtime;

TEST_F(HazardEventHandle, ADestroyedEventIsRefusedByQuery) {
  UNDEFINED_ON_NVIDIA("use of a destroyed event crashes");
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  MUST(cudaEventDestroy(event));
  ASK(cudaErrorContextIsDestroyed, cudaEventQuery(event));
}

TEST_F(HazardEventHandle, ADestroyedEventIsRefusedByRecord) {
  UNDEFINED_ON_NVIDIA("use of a destroyed event crashes");
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  MUST(cudaEventDestroy(event));
  ASK(cudaErrorContextIsDestroyed, cudaEventRecord(event));
}

TEST_F(HazardEventHandle, DestroyingTwiceIsRefused) {
  UNDEFINED_ON_NVIDIA("use of a destroyed event crashes");
  cudaEvent_t event = nullptr;
  MUST(cudaEventCreate(&event));
  MUST(cudaEventDestroy(event));
  ASK(cudaErrorContextIsDestroyed, cudaEventDestroy(event));
}

TEST_F(HazardEventHandle, AnInventedEventIsRefused) {
  UNDEFINED_ON_NVIDIA("an invented event crashes");
  ASK(cudaErrorInvalidResourceHandle, cudaEventQuery(reinterpret_cast<cudaEvent_t>(0x1234)));
}

TEST_F(HazardEventHandle, AStreamIsNoEvent) {
  UNDEFINED_ON_NVIDIA("a stream where an event belongs");
  Stream stream;
  cudaStream_t handle = stream;
  ASK(cudaErrorInvalidResourceHandle, cudaEventQuery(reinterpret_cast<cudaEvent_t>(handle)));
}
