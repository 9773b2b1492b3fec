// The order of launches with each other and with other work.
#include "graph/graph_support.h"

namespace {

// Records whether another kernel ran at the same time.
__global__ void be_alone(int* inside, int* met) {
  if (atomicAdd(inside, 1) != 0) atomicAdd(met, 1);
  for (int i = 0; i < 2000; ++i) __threadfence();
  atomicSub(inside, 1);
}

// Waits a limited time for another kernel's flag and stores whether it was set.
__global__ void meet(volatile int* mine, volatile int* theirs, int* met) {
  *mine = 1;
  __threadfence_system();
  const long long start = clock64();
  while (*theirs == 0 && clock64() - start < long_patience) {
  }
  *met = *theirs;
}

class GraphLaunch : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  Stream stream{cudaStreamNonBlocking};
  Stream other{cudaStreamNonBlocking};
};

TEST_F(GraphLaunch, NeedsAnExecutableGraph) {
  Exec exec(graph);
  ASK(cudaErrorInvalidValue, cudaGraphLaunch(nullptr, stream));
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK(cudaSuccess, cudaGraphLaunch(exec, cudaStreamLegacy));
  ASK(cudaSuccess, cudaGraphLaunch(exec, cudaStreamPerThread));
  MUST(cudaDeviceSynchronize());
}

TEST_F(GraphLaunch, ReturnsBeforeTheWorkIsDone) {
  PinnedArray<int> flag(1);
  graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaStreamQuery(stream));
}

TEST_F(GraphLaunch, ComesAfterEarlierWorkOfItsStreamAndBeforeLater) {
  graph.kernel({}, take_turn, cell.get(), cell.get() + 2);
  Exec exec(graph);
  Gate gate;
  gate.close(stream);
  take_turn<<<1, 1, 0, stream>>>(cell.get(), cell.get() + 1);
  MUST(cudaGraphLaunch(exec, stream));
  take_turn<<<1, 1, 0, stream>>>(cell.get(), cell.get() + 3);
  gate.open();
  MUST(cudaStreamSynchronize(stream));
  const auto got = cell.read();
  EXPECT_EQ((std::vector<int>{3, 0, 1, 2}), std::vector<int>(got.begin(), got.begin() + 4));
}

TEST_F(GraphLaunch, EveryLeafIsDoneBeforeTheStreamGoesOn) {
  const auto root = graph.empty();
  for (int i = 0; i < 7; ++i) graph.kernel({root}, take_turn, cell.get(), cell.get() + 1);
  Exec exec(graph);
  DeviceArray<int> after(1);
  for (int round = 0; round < 50; ++round) {
    MUST(cudaMemsetAsync(cell.get(), 0, 4, stream));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaMemcpyAsync(after.get(), cell.get(), 4, cudaMemcpyDeviceToDevice, stream));
    MUST(cudaStreamSynchronize(stream));
    ASSERT_EQ(7, after.read()[0]);
  }
}

TEST_F(GraphLaunch, OneExecutableGraphRunsOneLaunchAtATime) {
  const auto a = graph.kernel({}, be_alone, cell.get(), cell.get() + 1);
  graph.kernel({a}, add_one, cell.get() + 2);
  Exec exec(graph);
  for (int i = 0; i < 100; ++i) MUST(cudaGraphLaunch(exec, i % 2 ? stream : other));
  MUST(cudaDeviceSynchronize());
  const auto got = cell.read();
  EXPECT_EQ(0, got[1]) << "two launches of one executable graph ran at once";
  EXPECT_EQ(100, got[2]);
}

TEST_F(GraphLaunch, ASecondLaunchWaitsInAnotherStreamToo) {
  PinnedArray<int> flag(1);
  graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaGraphLaunch(exec, other));
  store<<<1, 1, 0, other>>>(cell.get(), 1);
  MUST(cudaPeekAtLastError());
  ASK(cudaErrorNotReady, cudaStreamQuery(other));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(other));
  EXPECT_EQ(1, cell.read()[0]);
}

TEST_F(GraphLaunch, TwoExecutableGraphsRunSideBySide) {
  Graph second;
  graph.kernel({}, meet, static_cast<volatile int*>(cell.get()), static_cast<volatile int*>(cell.get() + 1),
               cell.get() + 2);
  second.kernel({}, meet, static_cast<volatile int*>(cell.get() + 1), static_cast<volatile int*>(cell.get()),
                cell.get() + 3);
  Exec a(graph), b(second);
  MUST(cudaGraphLaunch(a, stream));
  MUST(cudaGraphLaunch(b, other));
  MUST(cudaDeviceSynchronize());
  const auto got = cell.read();
  EXPECT_EQ(1, got[2]);
  EXPECT_EQ(1, got[3]);
}

TEST_F(GraphLaunch, TwoExecutableGraphsOfOneTemplateRunSideBySide) {
  // Each launch adds one and waits until both have done so.
  graph.kernel({}, meet, static_cast<volatile int*>(cell.get()), static_cast<volatile int*>(cell.get() + 1),
               cell.get() + 2);
  Exec a(graph);
  Exec b(graph);
  MUST(cudaGraphLaunch(a, stream));
  store<<<1, 1, 0, other>>>(cell.get() + 1, 1);
  MUST(cudaGraphLaunch(b, other));
  MUST(cudaDeviceSynchronize());
  EXPECT_EQ(1, cell.read()[2]);
}

TEST_F(GraphLaunch, BranchesOfOneGraphRunSideBySide) {
  graph.kernel({}, meet, static_cast<volatile int*>(cell.get()), static_cast<volatile int*>(cell.get() + 1),
               cell.get() + 2);
  graph.kernel({}, meet, static_cast<volatile int*>(cell.get() + 1), static_cast<volatile int*>(cell.get()),
               cell.get() + 3);
  run(graph);
  const auto got = cell.read();
  TELL("first met", got[2]);
  TELL("second met", got[3]);
}

TEST_F(GraphLaunch, KeepsTheLegacyStreamsOrder) {
  Stream blocking;
  graph.kernel({}, take_turn, cell.get(), cell.get() + 2);
  Exec exec(graph);
  Gate gate;
  gate.close(blocking);
  take_turn<<<1, 1, 0, blocking>>>(cell.get(), cell.get() + 1);
  MUST(cudaGraphLaunch(exec, cudaStreamLegacy));
  take_turn<<<1, 1, 0, blocking>>>(cell.get(), cell.get() + 3);
  MUST(cudaPeekAtLastError());
  gate.open();
  MUST(cudaDeviceSynchronize());
  const auto got = cell.read();
  EXPECT_EQ((std::vector<int>{3, 0, 1, 2}), std::vector<int>(got.begin(), got.begin() + 4));
}

TEST_F(GraphLaunch, ABlockingStreamsLaunchWaitsForTheLegacyStream) {
  Stream blocking;
  graph.kernel({}, take_turn, cell.get(), cell.get() + 2);
  Exec exec(graph);
  Gate gate;
  gate.close(cudaStreamLegacy);
  take_turn<<<1, 1, 0, cudaStreamLegacy>>>(cell.get(), cell.get() + 1);
  MUST(cudaGraphLaunch(exec, blocking));
  gate.open();
  MUST(cudaDeviceSynchronize());
  const auto got = cell.read();
  EXPECT_EQ(0, got[1]);
  EXPECT_EQ(1, got[2]);
}

TEST_F(GraphLaunch, AnEventAfterTheLaunchCoversTheWholeGraph) {
  PinnedArray<int> flag(1);
  graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  Exec exec(graph);
  Event event;
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaEventRecord(event, stream));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaEventSynchronize(event));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphLaunch, ManyThreadsLaunchTheirOwnExecutableGraphs) {
  constexpr int threads = 8, launches = 200;
  DeviceArray<int> counts(threads);
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      Graph own;
      own.kernel({}, add_one, counts.get() + t);
      Exec exec(own);
      Stream mine(cudaStreamNonBlocking);
      for (int i = 0; i < launches; ++i)
        if (cudaGraphLaunch(exec, mine) != cudaSuccess) ++failures;
      if (cudaStreamSynchronize(mine) != cudaSuccess) ++failures;
    });
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(0, failures);
  EXPECT_EQ(std::vector<int>(threads, launches), counts.read());
}

TEST_F(GraphLaunch, ManyThreadsLaunchOneExecutableGraphInTurn) {
  constexpr int threads = 8, launches = 100;
  graph.kernel({}, add_one, cell.get());
  Exec exec(graph);
  std::mutex turn;
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&] {
      Stream mine(cudaStreamNonBlocking);
      for (int i = 0; i < launches; ++i) {
        std::lock_guard<std::mutex> lock(turn);
        if (cudaGraphLaunch(exec, mine) != cudaSuccess) ++failures;
      }
      if (cudaStreamSynchronize(mine) != cudaSuccess) ++failures;
    });
  for (auto& worker : workers) worker.join();
  EXPECT_EQ(0, failures);
  EXPECT_EQ(threads * launches, cell.read()[0]);
}

TEST_F(GraphLaunch, ManyLaunchesCanBeQueued) {
  graph.kernel({graph.kernel({}, add_one, cell.get())}, add_one, cell.get());
  Exec exec(graph);
  for (int i = 0; i < 5000; ++i) MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ(10000, cell.read()[0]);
}

TEST_F(GraphLaunch, AStreamMayBeDestroyedWithALaunchInIt) {
  graph.kernel({}, add_one, cell.get());
  Exec exec(graph);
  cudaStream_t passing = nullptr;
  MUST(cudaStreamCreateWithFlags(&passing, cudaStreamNonBlocking));
  MUST(cudaGraphLaunch(exec, passing));
  MUST(cudaStreamDestroy(passing));
  EXPECT_EQ(1, cell.read()[0]);
}

TEST_F(GraphLaunch, ALargeRandomGraphRespectsItsEdges) {
  constexpr int count = 400;
  DeviceArray<int> counter(1), turns(count);
  Graph random;
  Nodes nodes;
  std::vector<std::pair<int, int>> edges;
  unsigned state = 12345;
  const auto next = [&] { return state = state * 1664525u + 1013904223u, state >> 8; };
  for (int i = 0; i < count; ++i) {
    std::set<int> before;
    for (unsigned k = next() % 4; i > 0 && k > 0; --k) before.insert(static_cast<int>(next() % i));
    Nodes after;
    for (int b : before) after.push_back(nodes[b]), edges.emplace_back(b, i);
    nodes.push_back(random.kernel(after, take_turn, counter.get(), turns.get() + i));
  }
  Exec exec(random);
  for (int round = 0; round < 3; ++round) {
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    const auto order = turns.read();
    for (const auto& [from, to] : edges) EXPECT_LT(order[from], order[to]) << from << " -> " << to;
    EXPECT_EQ(count * (round + 1), counter.read()[0]);
  }
}

}  // namespace
