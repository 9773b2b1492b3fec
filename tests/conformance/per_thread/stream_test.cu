// Built with --default-stream per-thread: the default stream is the calling thread's own.
#include "support.h"

static int seen(const PinnedArray<int>& cell) { return *static_cast<volatile int*>(cell.get()); }

using PerThread = Runtime;

TEST_F(PerThread, TheNullStreamIsTheThreadsOwn) {
  unsigned long long null = 0, per_thread = 0, legacy = 0;
  MUST(cudaStreamGetId(nullptr, &null));
  MUST(cudaStreamGetId(cudaStreamPerThread, &per_thread));
  MUST(cudaStreamGetId(cudaStreamLegacy, &legacy));
  ASK_VALUE(true, null == per_thread);
  ASK_VALUE(false, null == legacy);
}

TEST_F(PerThread, ALaunchWithoutAStreamGoesThere) {
  Gate gate;
  PinnedArray<int> done(1);
  gate.close(cudaStreamPerThread);
  store<<<1, 1>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  ASK_VALUE(0, seen(done));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(nullptr));
  ASK_VALUE(1, seen(done));
}

TEST_F(PerThread, ThreadsDoNotWaitForEachOther) {
  Gate gate;
  PinnedArray<int> done(1);
  DeviceArray<int> cell(1);
  gate.close(nullptr);
  int value = 0;
  std::thread([&] {
    store<<<1, 1>>>(cell.get(), 4);
    EXPECT_EQ(cudaSuccess, cudaMemcpy(&value, cell.get(), 4, cudaMemcpyDeviceToHost));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
  }).join();
  ASK_VALUE(4, value);
  ASK(cudaErrorNotReady, cudaStreamQuery(nullptr));
  gate.open();
}

TEST_F(PerThread, CopiesSetsAndEventsGoThereToo) {
  Gate gate;
  DeviceArray<int> cells(2);
  PinnedArray<int> done(1);
  Event event;
  gate.close(nullptr);
  MUST(cudaMemset(cells.get(), 1, 4));
  MUST(cudaMemcpyAsync(done.get(), cells.get(), 4, cudaMemcpyDeviceToHost));
  MUST(cudaEventRecord(event));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  std::thread([&] { ASK(cudaSuccess, cudaStreamSynchronize(nullptr)); }).join();
  gate.open();
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK_VALUE(0x01010101, seen(done));
}

TEST_F(PerThread, TheLegacyStreamStillWaitsForIt) {
  Gate gate;
  PinnedArray<int> done(1);
  gate.close(nullptr);
  store<<<1, 1, 0, cudaStreamLegacy>>>(done.get(), 1);
  ASK(cudaErrorNotReady, cudaStreamQuery(cudaStreamLegacy));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(cudaStreamLegacy));
  ASK_VALUE(1, seen(done));
}
