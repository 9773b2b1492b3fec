// Streams that wait for events.
#include "support.h"

static int seen(const PinnedArray<int>& cell) { return *static_cast<volatile int*>(cell.get()); }

using WaitEvent = Runtime;

TEST_F(WaitEvent, HoldsBackWhatComesAfter) {
  Gate gate;
  PinnedArray<int> done(1);
  Event event;
  Stream first, second;
  gate.close(first);
  MUST(cudaEventRecord(event, first));
  ASK(cudaSuccess, cudaStreamWaitEvent(second, event));
  store<<<1, 1, 0, second>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(second));
  ASK_VALUE(0, seen(done));
  gate.open();
  MUST(cudaStreamSynchronize(second));
  ASK_VALUE(1, seen(done));
}

TEST_F(WaitEvent, DoesNotHoldBackWhatCameBefore) {
  Gate gate;
  PinnedArray<int> done(1);
  Event held, before;
  Stream first, second;
  gate.close(first);
  MUST(cudaEventRecord(held, first));
  store<<<1, 1, 0, second>>>(done.get(), 1);
  MUST(cudaEventRecord(before, second));
  MUST(cudaStreamWaitEvent(second, held));
  ASK(cudaSuccess, cudaEventSynchronize(before));
  ASK_VALUE(1, seen(done));
  gate.open();
}

TEST_F(WaitEvent, MeansTheRecordAtTheTimeOfTheCall) {
  Gate gate;
  PinnedArray<int> done(1);
  Event event;
  Stream first, second;
  MUST(cudaEventRecord(event, first));
  MUST(cudaStreamWaitEvent(second, event));
  gate.close(first);
  MUST(cudaEventRecord(event, first));
  store<<<1, 1, 0, second>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(second));
  ASK_VALUE(1, seen(done));
  gate.open();
}

TEST_F(WaitEvent, ForARecordThatComesLaterDoesNotWait) {
  Gate gate;
  Event event;
  Stream first, second;
  MUST(cudaStreamWaitEvent(second, event));
  gate.close(first);
  MUST(cudaEventRecord(event, first));
  ASK(cudaSuccess, cudaStreamSynchronize(second));
  gate.open();
}

TEST_F(WaitEvent, OnItsOwnStreamIsFine) {
  Event event;
  Stream stream;
  MUST(cudaEventRecord(event, stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(WaitEvent, FlagsAreChecked) {
  Event event;
  Stream stream;
  MUST(cudaEventRecord(event, stream));
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event, cudaEventWaitDefault));
  ASK(cudaErrorIllegalState, cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, 2));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, event, ~0u));
}

TEST_F(WaitEvent, JoinsSeveralStreams) {
  DeviceArray<int> cells(3);
  Stream a, b, c;
  Event fork, done_b, done_c;
  store<<<1, 1, 0, a>>>(cells.get(), 1);
  MUST(cudaEventRecord(fork, a));
  MUST(cudaStreamWaitEvent(b, fork));
  MUST(cudaStreamWaitEvent(c, fork));
  MUST(cudaMemcpyAsync(cells.get() + 1, cells.get(), 4, cudaMemcpyDeviceToDevice, b));
  MUST(cudaMemcpyAsync(cells.get() + 2, cells.get(), 4, cudaMemcpyDeviceToDevice, c));
  MUST(cudaEventRecord(done_b, b));
  MUST(cudaEventRecord(done_c, c));
  MUST(cudaStreamWaitEvent(a, done_b));
  MUST(cudaStreamWaitEvent(a, done_c));
  add_one<<<1, 1, 0, a>>>(cells.get() + 1);
  add_one<<<1, 1, 0, a>>>(cells.get() + 2);
  MUST(cudaStreamSynchronize(a));
  const auto values = cells.read();
  ASK_VALUE(2, values[1]);
  ASK_VALUE(2, values[2]);
}

TEST_F(WaitEvent, WorksWithTheDefaultStreams) {
  Gate gate;
  PinnedArray<int> done(1);
  Event event;
  Stream free(cudaStreamNonBlocking);
  gate.close(free);
  MUST(cudaEventRecord(event, free));
  ASK(cudaSuccess, cudaStreamWaitEvent(nullptr, event));
  store<<<1, 1>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
  MUST(cudaStreamSynchronize(nullptr));
  ASK_VALUE(1, seen(done));
}

TEST_F(WaitEvent, RecordedInTheLegacyStreamCoversBlockingStreams) {
  Gate gate;
  PinnedArray<int> done(1);
  Event event;
  Stream blocking, free(cudaStreamNonBlocking);
  gate.close(blocking);
  MUST(cudaEventRecord(event, nullptr));
  MUST(cudaStreamWaitEvent(free, event));
  store<<<1, 1, 0, free>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(free));
  gate.open();
  MUST(cudaStreamSynchronize(free));
  ASK_VALUE(1, seen(done));
}

TEST_F(WaitEvent, AnEventRecordedInADestroyedStreamStillWorks) {
  Gate gate;
  Event event;
  Stream other;
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamDestroy(stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  MUST(cudaStreamWaitEvent(other, event));
  ASK(cudaErrorNotReady, cudaStreamQuery(other));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK(cudaSuccess, cudaEventQuery(event));
}

TEST_F(WaitEvent, ManyRecordsAndWaitsInACircle) {
  const int rounds = 200;
  DeviceArray<int> cell(1);
  Stream streams[3];
  Event event;
  for (int i = 0; i < rounds; ++i) {
    add_one<<<1, 1, 0, streams[i % 3]>>>(cell.get());
    MUST(cudaEventRecord(event, streams[i % 3]));
    MUST(cudaStreamWaitEvent(streams[(i + 1) % 3], event));
  }
  ASK_VALUE(rounds, cell.read()[0]);
}
