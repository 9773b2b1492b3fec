// The order of work within a stream, and between the legacy stream and others.
#include "support.h"

static int seen(const PinnedArray<int>& cell) { return *static_cast<volatile int*>(cell.get()); }

using StreamOrder = Runtime;

TEST_F(StreamOrder, WithinAStreamIsTheOrderOfTheCalls) {
  DeviceArray<int> cell(1);
  Stream stream;
  for (int i = 0; i < 1000; ++i) add_one<<<1, 1, 0, stream>>>(cell.get());
  store<<<1, 1, 0, stream>>>(cell.get(), 5);
  add_one<<<1, 1, 0, stream>>>(cell.get());
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(6, cell.read()[0]);
}

TEST_F(StreamOrder, StreamsRunSideBySide) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream held, other;
  gate.close(held);
  store<<<1, 1, 0, other>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK_VALUE(1, seen(done));
  ASK(cudaErrorNotReady, cudaStreamQuery(held));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(held));
}

TEST_F(StreamOrder, TheLegacyStreamWaitsForBlockingStreams) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream blocking;
  gate.close(blocking);
  store<<<1, 1>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASK_VALUE(0, seen(done));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(nullptr));
  ASK_VALUE(1, seen(done));
}

TEST_F(StreamOrder, BlockingStreamsWaitForTheLegacyStream) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream blocking;
  gate.close(nullptr);
  store<<<1, 1, 0, blocking>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(blocking));
  ASK_VALUE(0, seen(done));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(blocking));
  ASK_VALUE(1, seen(done));
}

TEST_F(StreamOrder, TwoBlockingStreamsAreOrderedByTheLegacyStreamBetween) {
  Gate gate;
  DeviceArray<int> cell(1);
  Stream first, second;
  gate.close(first);
  store<<<1, 1, 0, first>>>(cell.get(), 1);
  add_one<<<1, 1>>>(cell.get());
  add_one<<<1, 1, 0, second>>>(cell.get());
  gate.open();
  ASK_VALUE(3, cell.read()[0]);
}

TEST_F(StreamOrder, NonBlockingStreamsDoNotWaitForTheLegacyStream) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream free(cudaStreamNonBlocking);
  gate.close(nullptr);
  store<<<1, 1, 0, free>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(free));
  ASK_VALUE(1, seen(done));
  gate.open();
}

TEST_F(StreamOrder, TheLegacyStreamDoesNotWaitForNonBlockingStreams) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream free(cudaStreamNonBlocking);
  gate.close(free);
  store<<<1, 1>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(nullptr));
  ASK_VALUE(1, seen(done));
  gate.open();
}

TEST_F(StreamOrder, ThePerThreadStreamIsABlockingStream) {
  Gate gate;
  PinnedArray<int> done(1);
  gate.close(cudaStreamPerThread);
  store<<<1, 1>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(cudaStreamLegacy));
  gate.open();
  MUST(cudaStreamSynchronize(cudaStreamLegacy));
  ASK_VALUE(1, seen(done));
}

TEST_F(StreamOrder, PerThreadStreamsOfTwoThreadsRunSideBySide) {
  Gate gate;
  PinnedArray<int> done(1);
  gate.close(cudaStreamPerThread);
  cudaError_t error = cudaErrorUnknown;
  std::thread([&] {
    store<<<1, 1, 0, cudaStreamPerThread>>>(done.get(), 1);
    error = cudaStreamSynchronize(cudaStreamPerThread);
  }).join();
  ASK_VALUE(cudaSuccess, error);
  ASK_VALUE(1, seen(done));
  gate.open();
}

TEST_F(StreamOrder, NullAndLegacyAreOneStream) {
  Gate gate;
  Stream free(cudaStreamNonBlocking);
  gate.close(cudaStreamLegacy);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(nullptr));
  ASK(cudaSuccess, cudaStreamQuery(cudaStreamLegacy));
}

TEST_F(StreamOrder, QueryOfABlockingStreamThatIsEmptyIgnoresTheLegacyStream) {
  Gate gate;
  Stream blocking;
  gate.close(nullptr);
  ASK(cudaSuccess, cudaStreamQuery(blocking));
  gate.open();
}

TEST_F(StreamOrder, QueryOfTheEmptyLegacyStreamWhileABlockingStreamIsBusy) {
  Gate gate;
  Stream blocking;
  gate.close(blocking);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
}

TEST_F(StreamOrder, SynchronizingTheEmptyLegacyStreamWaitsForBlockingStreams) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream blocking;
  gate.close(blocking);
  store<<<1, 1, 0, blocking>>>(done.get(), 1);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    gate.open();
  });
  MUST(cudaStreamSynchronize(nullptr));
  ASK_VALUE(1, seen(done));
  opener.join();
}

TEST_F(StreamOrder, ASyncMemsetWaitsForNoOne) {
  // cudaMemset of device memory is asynchronous.
  Gate gate;
  DeviceArray<int> cell(1);
  gate.close(nullptr);
  ASK(cudaSuccess, cudaMemset(cell.get(), 1, 4));
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
  ASK_VALUE(0x01010101, cell.read()[0]);
}

TEST_F(StreamOrder, ADeviceToDeviceMemcpyWaitsForNoOne) {
  Gate gate;
  DeviceArray<int> cells(2);
  gate.close(nullptr);
  ASK(cudaSuccess, cudaMemcpy(cells.get(), cells.get() + 1, 4, cudaMemcpyDeviceToDevice));
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
}
