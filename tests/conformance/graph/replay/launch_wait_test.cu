// The copies that cudaGraphLaunch waits for: to pageable memory, within the host, and from pageable memory to the
// device if they are too large to be staged. It waits for these copies alone.
#include "graph/graph_support.h"

namespace {

constexpr size_t small = sizeof(int), mebibyte = 1 << 20, large = 8 * mebibyte;

// A flag for spin_until_set in a node.
class Flag {
 public:
  volatile int* get() const { return cell_.get(); }
  void set() { *get() = 1; }
  void clear() { *get() = 0; }

 private:
  PinnedArray<int> cell_{1};
};

// A graph with a kernel that spins on a flag, and memory of each kind. The kernel of a launch that is expected to wait
// is released only after another thread was given time to return from the launch.
class GraphLaunchWait : public Graphs {
 protected:
  static constexpr int a_while = 20, for_ever = 30'000;

  cudaGraphNode_t spin(Flag& on, const Nodes& after = {}) { return graph.kernel(after, spin_until_set, on.get()); }

  // Launches in another thread, and releases the kernel when that thread is back or `milliseconds` have passed.
  // Returns whether it came back before. `at_return` is what `*watched` was when the launch returned.
  bool returns_while_it_spins(cudaGraphExec_t exec, int milliseconds, const int* watched = nullptr) {
    std::atomic<bool> returned{false};
    std::thread launching([&] {
      EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
      if (watched) at_return = *static_cast<const volatile int*>(watched);
      returned = true;
    });
    const bool early = eventually([&] { return returned.load(); }, milliseconds);
    flag.set();
    launching.join();
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    flag.clear();
    return early;
  }
  bool waits(cudaGraphExec_t exec) { return !returns_while_it_spins(exec, a_while); }
  bool does_not_wait(cudaGraphExec_t exec) { return returns_while_it_spins(exec, for_ever); }

  // Whether a launch of "spin, then copy" waits.
  bool copy_waits(void* to, const void* from, size_t bytes, bool expected) {
    Graph here;
    here.copy(to, from, bytes, {here.kernel({}, spin_until_set, flag.get())});
    Exec exec(here);
    return expected ? waits(exec) : !does_not_wait(exec);
  }

  Flag flag;
  Stream stream{cudaStreamNonBlocking};
  DeviceArray<char> device{large}, other_device{large};
  PinnedArray<char> pinned{large};
  std::vector<char> pageable = std::vector<char>(large), other_pageable = std::vector<char>(large);
  int at_return = -1;
};

TEST_F(GraphLaunchWait, DependsOnTheMemoryOfTheCopy) {
  char* const page = pageable.data();
  ASK_FACT("device to pageable, 4 bytes", true, copy_waits(page, device.get(), small, true));
  ASK_FACT("device to pageable, 8 MiB", true, copy_waits(page, device.get(), large, true));
  ASK_FACT("pageable to device, 4 bytes", false, copy_waits(device.get(), page, small, false));
  ASK_FACT("pageable to device, 1 MiB", false, copy_waits(device.get(), page, mebibyte, false));
  ASK_FACT("pageable to device, 8 MiB", true, copy_waits(device.get(), page, large, true));
  ASK_FACT("pageable to pageable", true, copy_waits(page, other_pageable.data(), small, true));
  ASK_FACT("pageable to pinned", true, copy_waits(pinned.get(), page, small, true));
  ASK_FACT("pinned to pageable", true, copy_waits(page, pinned.get(), small, true));
  ASK_FACT("device to pinned", false, copy_waits(pinned.get(), device.get(), small, false));
  ASK_FACT("pinned to device", false, copy_waits(device.get(), pinned.get(), small, false));
  ASK_FACT("device to device", false, copy_waits(device.get(), other_device.get(), small, false));
}

TEST_F(GraphLaunchWait, ManagedMemoryIsTheHostsIfTheCopySaysSo) {
  int* managed = nullptr;
  MUST(cudaMallocManaged(&managed, sizeof *managed));
  for (const auto kind : {cudaMemcpyHostToHost, cudaMemcpyDefault}) {
    Graph here;
    const auto before = here.kernel({}, spin_until_set, flag.get());
    cudaGraphNode_t copy = nullptr;
    MUST(cudaGraphAddMemcpyNode1D(&copy, here, &before, 1, managed, pinned.get(), sizeof *managed, kind));
    Exec exec(here);
    const bool declared = kind == cudaMemcpyHostToHost;
    EXPECT_TRUE(declared ? waits(exec) : does_not_wait(exec)) << kind;
  }
  MUST(cudaFree(managed));
}

TEST_F(GraphLaunchWait, TheCopiedValueIsThereWhenTheLaunchReturns) {
  DeviceArray<int> cell(1);
  int host = 0;
  graph.copy(&host, cell.get(), sizeof host, {graph.store(cell.get(), 7, {spin(flag)})});
  Exec exec(graph);
  EXPECT_FALSE(returns_while_it_spins(exec, a_while, &host));
  EXPECT_EQ(7, at_return);
}

TEST_F(GraphLaunchWait, WhatFollowsTheCopyIsNotWaitedFor) {
  DeviceArray<int> cell(1);
  int host = 0;
  Flag after;
  const auto copy = graph.copy(&host, cell.get(), sizeof host, {graph.store(cell.get(), 7)});
  spin(after, {copy});
  Exec exec(graph);
  for (int round = 0; round < 3; ++round) {
    host = 0;
    std::atomic<bool> returned{false};
    std::thread launching([&] {
      EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
      at_return = static_cast<volatile int&>(host);
      returned = true;
    });
    EXPECT_TRUE(eventually([&] { return returned.load(); }));
    ASK(cudaErrorNotReady, cudaStreamQuery(stream));
    after.set();
    launching.join();
    EXPECT_EQ(7, at_return);
    MUST(cudaStreamSynchronize(stream));
    after.clear();
  }
}

TEST_F(GraphLaunchWait, WhatIsBesideTheCopyIsNotWaitedFor) {
  spin(flag);
  graph.copy(pageable.data(), device.get(), small);
  Exec exec(graph);
  EXPECT_TRUE(does_not_wait(exec));
}

TEST_F(GraphLaunchWait, AllSuchCopiesAreWaitedFor) {
  DeviceArray<int> cell(1);
  int first = 0, second = 0;
  const auto set = graph.store(cell.get(), 7, {spin(flag)});
  graph.copy(&first, cell.get(), sizeof first);
  graph.copy(&second, cell.get(), sizeof second, {set});
  Exec exec(graph);
  EXPECT_FALSE(returns_while_it_spins(exec, a_while, &second));
  EXPECT_EQ(7, at_return);
}

TEST_F(GraphLaunchWait, EarlierWorkOfTheStreamIsWaitedFor) {
  graph.copy(pageable.data(), device.get(), small);
  Exec exec(graph);
  spin_until_set<<<1, 1, 0, stream>>>(flag.get());
  EXPECT_TRUE(waits(exec));
}

TEST_F(GraphLaunchWait, CopiesInChildGraphsCount) {
  Graph inner;
  inner.copy(pageable.data(), device.get(), small, {inner.kernel({}, spin_until_set, flag.get())});
  graph.child(inner);
  Exec exec(graph);
  EXPECT_TRUE(waits(exec));
}

TEST_F(GraphLaunchWait, CapturedCopiesCount) {
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  spin_until_set<<<1, 1, 0, stream>>>(flag.get());
  MUST(cudaMemcpyAsync(pageable.data(), device.get(), small, cudaMemcpyDefault, stream));
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  Graph owner(captured);
  Exec exec(captured);
  EXPECT_TRUE(waits(exec));
}

TEST_F(GraphLaunchWait, DisabledCopiesDoNotCount) {
  const auto copy = graph.copy(pageable.data(), device.get(), small, {spin(flag)});
  Exec exec(graph);
  MUST(cudaGraphNodeSetEnabled(exec, copy, 0));
  EXPECT_TRUE(does_not_wait(exec));
  MUST(cudaGraphNodeSetEnabled(exec, copy, 1));
  EXPECT_TRUE(waits(exec));
}

TEST_F(GraphLaunchWait, ParametersOfTheExecutableGraphDecide) {
  const auto copy = graph.copy(pageable.data(), device.get(), small, {spin(flag)});
  Exec exec(graph);
  const auto set = [&](void* to) {
    return cudaGraphExecMemcpyNodeSetParams1D(exec, copy, to, device.get(), small, cudaMemcpyDefault);
  };
  MUST(set(pinned.get()));
  EXPECT_TRUE(does_not_wait(exec));
  MUST(set(pageable.data()));
  EXPECT_TRUE(waits(exec));
  // Also where the change is one that the next launch makes.
  spin_until_set<<<1, 1, 0, stream>>>(flag.get());
  MUST(set(pinned.get()));
  EXPECT_TRUE(does_not_wait(exec));
}

// A launch that is queued already keeps the parameters that it had.
TEST_F(GraphLaunchWait, ChangesBesideAQueuedLaunchAreForTheNext) {
  const auto copy = graph.copy(pinned.get(), device.get(), small, {spin(flag)});
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, pageable.data(), device.get(), small, cudaMemcpyDefault));
  EXPECT_TRUE(waits(exec));
  MUST(cudaGraphNodeSetEnabled(exec, copy, 0));
  EXPECT_TRUE(does_not_wait(exec));
}

TEST_F(GraphLaunchWait, AWholeUpdateDecides) {
  graph.copy(pinned.get(), device.get(), small, {spin(flag)});
  Graph newer;
  newer.copy(pageable.data(), device.get(), small, {newer.kernel({}, spin_until_set, flag.get())});
  Exec exec(graph);
  cudaGraphExecUpdateResultInfo info{};
  MUST(cudaGraphExecUpdate(exec, newer, &info));
  EXPECT_TRUE(waits(exec));
  MUST(cudaGraphExecUpdate(exec, graph, &info));
  EXPECT_TRUE(does_not_wait(exec));
}

__global__ void trap() { __trap(); }

// In a process of its own.
class StickyGraphLaunchWait : public testing::Test {
 protected:
  Graph graph;
};

TEST_F(StickyGraphLaunchWait, AFaultBeforeTheCopyEndsTheWait) {
  DeviceArray<int> cell(1);
  int host = 0;
  const auto copy = graph.copy(&host, cell.get(), sizeof host, {graph.kernel({}, trap)});
  graph.store(cell.get(), 1, {copy});
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  (void)cudaGraphLaunch(exec, stream);
  ASK(cudaErrorLaunchFailure, cudaStreamSynchronize(stream));
  ASK(cudaErrorLaunchFailure, cudaGraphLaunch(exec, stream));
}

}  // namespace
