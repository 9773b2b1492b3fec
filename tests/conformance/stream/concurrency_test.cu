// Concurrent work, and calls from many threads.
#include "support.h"

__global__ void copy_when_set(volatile int* flag, volatile int* out) {
  while (*flag == 0) {
  }
  *out = *flag;
}
__global__ void ping(volatile int* mine, volatile int* theirs, int rounds) {
  for (int i = 1; i <= rounds; ++i) {
    *mine = i;
    while (*theirs < i) {
    }
  }
}

static int seen(int* cell) { return *static_cast<volatile int*>(cell); }

using Concurrency = Runtime;

TEST_F(Concurrency, AKernelSeesWhatTheHostStoresInPinnedMemory) {
  PinnedArray<int> cells(2);
  Stream stream;
  copy_when_set<<<1, 1, 0, stream>>>(&cells[0], &cells[1]);
  MUST(cudaGetLastError());
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  *static_cast<volatile int*>(&cells[0]) = 5;
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(5, cells[1]);
}

TEST_F(Concurrency, TheHostSeesWhatAKernelStoresWhileItRuns) {
  PinnedArray<int> cells(2);
  Stream stream;
  ping<<<1, 1, 0, stream>>>(&cells[0], &cells[1], 10);
  for (int i = 1; i <= 10; ++i) {
    ASSERT_TRUE(eventually([&] { return seen(&cells[0]) >= i; }));
    *static_cast<volatile int*>(&cells[1]) = i;
  }
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(Concurrency, TwoKernelsInTwoStreamsTalkToEachOther) {
  PinnedArray<int> cells(2);
  Stream first, second;
  ping<<<1, 1, 0, first>>>(&cells[0], &cells[1], 50);
  ping<<<1, 1, 0, second>>>(&cells[1], &cells[0], 50);
  ASK(cudaSuccess, cudaStreamSynchronize(first));
  ASK(cudaSuccess, cudaStreamSynchronize(second));
}

TEST_F(Concurrency, ManyHeldStreamsDoNotStopAnother) {
  PinnedArray<int> done(1);
  Gate gate;
  Stream held[8], other;
  for (Stream& stream : held) gate.close(stream);
  store<<<1, 1, 0, other>>>(done.get(), 1);
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK_VALUE(1, seen(done.get()));
  gate.open();
}

TEST_F(Concurrency, AManagedFlagWorksToo) {
  int* cells = nullptr;
  MUST(cudaMallocManaged(&cells, 2 * sizeof(int)));
  cells[0] = cells[1] = 0;
  Stream stream;
  copy_when_set<<<1, 1, 0, stream>>>(cells, cells + 1);
  *static_cast<volatile int*>(cells) = 7;
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(7, cells[1]);
  MUST(cudaFree(cells));
}

TEST_F(Concurrency, CopiesGoOnBesideAHeldStream) {
  DeviceArray<int> cells(2);
  PinnedArray<int> out(1);
  Gate gate;
  Stream held, other;
  gate.close(held);
  MUST(cudaMemsetAsync(cells.get(), 1, 4, other));
  MUST(cudaMemcpyAsync(out.get(), cells.get(), 4, cudaMemcpyDeviceToHost, other));
  ASK(cudaSuccess, cudaStreamSynchronize(other));
  ASK_VALUE(0x01010101, out[0]);
  gate.open();
}

TEST_F(Concurrency, ThreadsWithTheirOwnStreamsDoNotDisturbEachOther) {
  const int threads = 8, rounds = 200;
  DeviceArray<int> cells(threads);
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      Stream stream;
      for (int i = 0; i < rounds; ++i) {
        add_one<<<1, 1, 0, stream>>>(cells.get() + t);
        if (cudaGetLastError() != cudaSuccess) ++failures;
        if (i % 50 == 0 && cudaStreamSynchronize(stream) != cudaSuccess) ++failures;
      }
      if (cudaStreamSynchronize(stream) != cudaSuccess) ++failures;
    });
  for (std::thread& worker : workers) worker.join();
  ASK_VALUE(0, failures.load());
  for (int value : cells.read()) EXPECT_EQ(rounds, value);
}

TEST_F(Concurrency, ThreadsThatShareAStreamAddUp) {
  const int threads = 8, rounds = 100;
  DeviceArray<int> cell(1);
  Stream stream;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      for (int i = 0; i < rounds; ++i) add_one<<<1, 1, 0, stream>>>(cell.get());
    });
  for (std::thread& worker : workers) worker.join();
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(threads * rounds, cell.read()[0]);
}

TEST_F(Concurrency, ThreadsAllocateAndFree) {
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < 8; ++t)
    workers.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        void* pointer = nullptr;
        if (cudaMalloc(&pointer, 1000 + i) != cudaSuccess || cudaFree(pointer) != cudaSuccess) ++failures;
      }
    });
  for (std::thread& worker : workers) worker.join();
  ASK_VALUE(0, failures.load());
}

TEST_F(Concurrency, ThousandsOfLaunchesAreQueued) {
  DeviceArray<int> cell(1);
  Stream stream;
  for (int i = 0; i < 20000; ++i) add_one<<<1, 1, 0, stream>>>(cell.get());
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(20000, cell.read()[0]);
}

TEST_F(Concurrency, AKernelSeesWhatAKernelOfAnotherStreamStores) {
  PinnedArray<int> cells(2);
  Stream streams[2];
  copy_when_set<<<1, 1, 0, streams[0]>>>(&cells[0], &cells[1]);
  store<<<1, 1, 0, streams[1]>>>(&cells[0], 3);
  MUST(cudaStreamSynchronize(streams[0]));
  ASK_VALUE(3, cells[1]);
}

TEST_F(Concurrency, AHostFunctionReleasesAKernelOfAnotherStream) {
  PinnedArray<int> cells(2);
  Stream held, other;
  copy_when_set<<<1, 1, 0, held>>>(&cells[0], &cells[1]);
  MUST(cudaLaunchHostFunc(other, [](void* cell) { *static_cast<volatile int*>(cell) = 4; }, &cells[0]));
  MUST(cudaStreamSynchronize(held));
  ASK_VALUE(4, cells[1]);
}

TEST_F(Concurrency, ASetAndACopyReleaseKernelsOfOtherStreams) {
  PinnedArray<int> cells(4);
  DeviceArray<int> source(1);
  Stream held[2], other;
  MUST(cudaMemset(source.get(), 2, 4));
  MUST(cudaDeviceSynchronize());
  copy_when_set<<<1, 1, 0, held[0]>>>(&cells[0], &cells[1]);
  copy_when_set<<<1, 1, 0, held[1]>>>(&cells[2], &cells[3]);
  MUST(cudaMemsetAsync(&cells[0], 1, 4, other));
  MUST(cudaMemcpyAsync(&cells[2], source.get(), 4, cudaMemcpyDeviceToHost, other));
  MUST(cudaStreamSynchronize(held[0]));
  MUST(cudaStreamSynchronize(held[1]));
  EXPECT_NE(0, cells[1]);
  EXPECT_NE(0, cells[3]);
}

TEST_F(Concurrency, ManyThreadsWaitForOneStreamEventAndDevice) {
  Gate gate;
  PinnedArray<int> done(1);
  Stream stream;
  Event event;
  gate.close(stream);
  store<<<1, 1, 0, stream>>>(done.get(), 1);
  MUST(cudaEventRecord(event, stream));
  std::atomic<int> good{0};
  std::vector<std::thread> waiters;
  for (int t = 0; t < 9; ++t)
    waiters.emplace_back([&, t] {
      const cudaError_t error = t % 3 == 0   ? cudaStreamSynchronize(stream)
                                : t % 3 == 1 ? cudaEventSynchronize(event)
                                             : cudaDeviceSynchronize();
      if (error == cudaSuccess && seen(done.get()) == 1) ++good;
    });
  gate.open();
  for (std::thread& waiter : waiters) waiter.join();
  ASK_VALUE(9, good.load());
}

// Threads submit work to each other's streams, ordered by events.
TEST_F(Concurrency, ThreadsHandWorkToEachOtherByEvents) {
  const int rounds = 100;
  DeviceArray<int> cell(1);
  Stream streams[2];
  Event events[2];
  std::atomic<int> turn{0};
  const auto take_turns = [&](int me) {
    for (int i = 0; i < rounds; ++i) {
      while (turn != me) std::this_thread::yield();
      if (cudaStreamWaitEvent(streams[me], events[1 - me]) != cudaSuccess) ADD_FAILURE();
      add_one<<<1, 1, 0, streams[me]>>>(cell.get());
      if (cudaEventRecord(events[me], streams[me]) != cudaSuccess) ADD_FAILURE();
      turn = 1 - me;
    }
  };
  std::thread other([&] { take_turns(1); });
  take_turns(0);
  other.join();
  ASK_VALUE(2 * rounds, cell.read()[0]);
}
