// Programmatic dependent launch between kernels of a graph.
#include "graph/graph_support.h"

namespace {

// Triggers, then waits a limited time for its dependent to start.
__global__ void trigger_then_wait(volatile int* started, int* saw_it, int* value) {
  cudaTriggerProgrammaticLaunchCompletion();
  const long long start = clock64();
  while (*started == 0 && clock64() - start < long_patience) {
  }
  *saw_it = *started;
  *value = 42;
}

__global__ void no_trigger(volatile int* started, int* saw_it, int* value) {
  const long long start = clock64();
  while (*started == 0 && clock64() - start < 200000000ll) {
  }
  *saw_it = *started;
  *value = 42;
}

__global__ void start_then_synchronize(volatile int* started, const int* value, int* seen) {
  *started = 1;
  __threadfence();
  cudaGridDependencySynchronize();
  *seen = *reinterpret_cast<const volatile int*>(value);
}

class GraphProgrammatic : public Graphs {
 protected:
  DeviceArray<int> cell{4};  // started, saw_it, value, seen

  void join(void (*first)(volatile int*, int*, int*), const cudaGraphEdgeData* data) {
    volatile int* started = cell.get();
    const auto a = graph.kernel({}, first, started, cell.get() + 1, cell.get() + 2);
    const int* value = cell.get() + 2;
    const auto b = graph.kernel({}, start_then_synchronize, started, value, cell.get() + 3);
    ASSERT_EQ(cudaSuccess, graph.edge(a, b, data));
    run(graph);
  }
};

TEST_F(GraphProgrammatic, TheDependentStartsAfterTheTriggerAndSynchronizesWithTheEnd) {
  join(trigger_then_wait, &programmatic);
  const auto got = cell.read();
  ASK_VALUE(1, got[1]);
  EXPECT_EQ(42, got[3]);
}

TEST_F(GraphProgrammatic, WithoutATriggerTheDependentStartsAtTheEnd) {
  join(no_trigger, &programmatic);
  const auto got = cell.read();
  EXPECT_EQ(0, got[1]);
  EXPECT_EQ(42, got[3]);
}

TEST_F(GraphProgrammatic, LaunchCompletionLetsTheDependentStartWhenAllBlocksHave) {
  const auto completion = edge_data(cudaGraphKernelNodePortLaunchCompletion, 0, cudaGraphDependencyTypeProgrammatic);
  join(trigger_then_wait, &completion);
  const auto got = cell.read();
  ASK_FACT("saw the dependent start", 1, got[1]);
  EXPECT_EQ(42, got[3]);
}

TEST_F(GraphProgrammatic, APlainEdgeIgnoresTheTrigger) {
  join(no_trigger, nullptr);
  const auto got = cell.read();
  EXPECT_EQ(0, got[1]);
  EXPECT_EQ(42, got[3]);
}

TEST_F(GraphProgrammatic, ANodeAfterTheDependentWaitsForBoth) {
  volatile int* started = cell.get();
  DeviceArray<int> copy(1);
  const auto a = graph.kernel({}, trigger_then_wait, started, cell.get() + 1, cell.get() + 2);
  const int* value = cell.get() + 2;
  const auto b = graph.kernel({}, start_then_synchronize, started, value, cell.get() + 3);
  MUST(graph.edge(a, b, &programmatic));
  graph.copy(copy.get(), cell.get() + 2, 4, {b});
  Exec exec(graph);
  for (int i = 0; i < 3; ++i) {
    MUST(cudaMemset(cell.get(), 0, 16));
    MUST(cudaGraphLaunch(exec, nullptr));
    EXPECT_EQ(42, copy.read()[0]);
  }
}

TEST_F(GraphProgrammatic, TheLaunchIsNotDoneBeforeTheFirstKernelIs) {
  // The dependent does not synchronize and may end first: the stream still waits for both.
  volatile int* started = cell.get();
  const auto a = graph.kernel({}, trigger_then_wait, started, cell.get() + 1, cell.get() + 2);
  const auto b = graph.kernel({}, store, cell.get(), 1);
  MUST(graph.edge(a, b, &programmatic));
  run(graph);
  EXPECT_EQ(42, cell.read()[2]);
}

__global__ void trigger_then_dawdle(int* value) {
  cudaTriggerProgrammaticLaunchCompletion();
  const long long start = clock64();
  while (clock64() - start < 10000000ll) {
  }
  *value = 42;
}

TEST_F(GraphProgrammatic, AChildIsNotDoneBeforeTheFirstKernelInItIs) {
  // The dependent does not synchronize; it is one of two leaves.
  Graph inner;
  const auto a = inner.kernel({}, trigger_then_dawdle, cell.get() + 2);
  const auto b = inner.kernel({}, store, cell.get(), 1);
  inner.store(cell.get() + 1, 1);
  MUST(inner.edge(a, b, &programmatic));
  DeviceArray<int> copy(1);
  graph.copy(copy.get(), cell.get() + 2, 4, {graph.child(inner)});
  run(graph);
  EXPECT_EQ(42, copy.read()[0]);
}

TEST_F(GraphProgrammatic, NorIsAChildOfWhichTheDependentIsTheOnlyLeaf) {
  Graph inner;
  const auto a = inner.kernel({}, trigger_then_dawdle, cell.get() + 2);
  const auto b = inner.kernel({}, store, cell.get(), 1);
  MUST(inner.edge(a, b, &programmatic));
  DeviceArray<int> copy(1);
  graph.copy(copy.get(), cell.get() + 2, 4, {graph.child(inner)});
  run(graph);
  EXPECT_EQ(42, copy.read()[0]);
}

TEST_F(GraphProgrammatic, NorIsAChildAroundSuchAChild) {
  Graph inner, outer;
  const auto a = inner.kernel({}, trigger_then_dawdle, cell.get() + 2);
  const auto b = inner.kernel({}, store, cell.get(), 1);
  MUST(inner.edge(a, b, &programmatic));
  outer.child(inner);
  DeviceArray<int> copy(1);
  graph.copy(copy.get(), cell.get() + 2, 4, {graph.child(outer)});
  run(graph);
  EXPECT_EQ(42, copy.read()[0]);
}

}  // namespace
