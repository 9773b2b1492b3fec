// Graphs that device code launches while they run, or while the host has launched them.
#include <thread>

#include "graph/device_launch/device_launch_support.h"

namespace {

__global__ void launch_itself(int how, int* answers) {
  answers[0] = static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), stream_of(how)));
}

// Launches itself twice, in its first run only.
__global__ void launch_itself_twice(int* answers, int* runs) {
  if (atomicAdd(runs, 1) > 0) return;
  answers[0] = static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
  answers[1] = static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
}

__global__ void launch_itself_until(volatile int* count, int limit) {
  *count = *count + 1;
  if (*count < limit) (void)cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
}

// The first run tells the host that it has started and spins until the flag is set.
__global__ void note_and_hold(int* log, int number, int* flag, volatile int* begun) {
  const bool first = atomicAdd(log, 0) == 0;
  note(log, number);
  *begun = 1;
  __threadfence_system();
  while (first && atomicAdd(flag, 0) == 0) {
  }
}

// Launches itself in its first run only.
__global__ void launch_itself_once(int* runs, int* answer) {
  if (atomicAdd(runs, 1) == 0)
    *answer = static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
}

__global__ void launch_named_once(int* runs, cudaGraphExec_t* graph, int how, int* answer) {
  if (atomicAdd(runs, 1) == 0) *answer = static_cast<int>(cudaGraphLaunch(*graph, stream_of(how)));
}

class GraphDeviceAndHost : public GraphDeviceOrder {
 protected:
  PinnedArray<int> begun{1};
  Stream hosts{cudaStreamNonBlocking}, own{cudaStreamNonBlocking};

  // Launches in another stream; returns when the first kernel runs.
  void launch_by_host(cudaGraphExec_t exec) {
    *static_cast<volatile int*>(begun.get()) = 0;
    MUST(cudaMemset(at, 0, cell.bytes()));
    MUST(cudaDeviceSynchronize());
    MUST(cudaGraphLaunch(exec, hosts));
    while (*static_cast<volatile int*>(begun.get()) == 0) std::this_thread::yield();
  }
};

TEST_F(GraphDeviceOrder, AGraphThatRunsIsNotLaunchedAgain) {
  auto slow = launched(write_note_when_raised, at, 1, at + 102);
  for (int first : {forget, tail, sibling}) {
    for (int second : {forget, tail, sibling}) {
      Graph outer;
      auto a = outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(slow), first, at + 100);
      a = outer.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(slow), second, at + 101);
      outer.kernel({a}, raise_flag, at + 102);
      MUST(cudaMemset(at, 0, cell.bytes()));
      run_graph(outer);
      const std::string which = std::to_string(first) + " then " + std::to_string(second);
      ASK_FACT("answers to launches in ways " + which, "0 1", cells(100, 2));
      ASK_FACT("runs in ways " + which, "1", notes());
    }
  }
}

TEST_F(GraphDeviceOrder, ItselfInOtherWays) {
  for (int how : {forget, sibling}) {
    Graph itself;
    itself.kernel({}, launch_itself, how, at + how);
    Exec exec(itself, cudaGraphInstantiateFlagDeviceLaunch);
    MUST(cudaGraphUpload(exec, stream));
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("itself in way " + std::to_string(how), "1", cells(how, 1));
  }
}

TEST_F(GraphDeviceOrder, ItselfTwice) {
  graph.kernel({}, launch_itself_twice, at, at + 2);
  Exec exec(graph, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("answers, runs", "0 1 2", cells(0, 3));
}

// A launch runs to its end even if the executable graph is destroyed meanwhile.
TEST_F(GraphDeviceOrder, DestroyedWhileItLaunchesItselfAgain) {
  PinnedArray<int> count(1);
  volatile int* counted = count.get();
  *counted = 0;
  graph.kernel({}, launch_itself_until, count.get(), 20000);
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  while (*counted < 10) std::this_thread::yield();
  ASK(cudaSuccess, cudaGraphExecDestroy(exec));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("rounds", 20000, static_cast<int>(*counted));
}

TEST_F(GraphDeviceAndHost, AGraphThatTheHostHasLaunched) {
  auto held = launched(note_and_hold, at, 1, at + 1010, begun.get());
  for (int how : {forget, tail, sibling}) {
    Graph outer;
    auto a = outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(held), how, at + 1000);
    a = outer.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(held), how, at + 1001);
    outer.kernel({a}, raise_flag, at + 1010);
    launch_by_host(held);
    run_graph(outer);
    MUST(cudaStreamSynchronize(hosts));
    ASK_FACT("answers in way " + std::to_string(how), "1 1", cells(1000, 2));
    ASK_FACT("runs in way " + std::to_string(how), "1", notes());
  }
}

TEST_F(GraphDeviceAndHost, AGraphThatTheHostHasLaunchedAndThatThenLaunchesItself) {
  Graph inner;
  const auto first = inner.kernel({}, note_and_hold, at, 1, at + 1010, begun.get());
  inner.kernel({first}, launch_itself_once, at + 1011, at + 1002);
  Exec held(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(held, stream));
  graph.kernel({graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(held), tail, at + 1000)}, raise_flag,
               at + 1010);
  launch_by_host(held);
  run_graph(graph);
  MUST(cudaStreamSynchronize(hosts));
  ASK_FACT("answers to the other and to itself", "1 0", cells(1000, 1) + " " + cells(1002, 1));
  ASK_FACT("runs", "1 1", notes());
}

TEST_F(GraphDeviceAndHost, AGraphThatTheHostHasLaunchedAndThatHasLaunchedItself) {
  Graph inner;
  const auto first = inner.kernel({}, launch_itself_once, at + 1011, at + 1002);
  inner.kernel({first}, note_and_hold, at, 1, at + 1010, begun.get());
  Exec held(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(held, stream));
  graph.kernel({graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(held), forget, at + 1000)}, raise_flag,
               at + 1010);
  launch_by_host(held);
  run_graph(graph);
  MUST(cudaStreamSynchronize(hosts));
  ASK_FACT("answers to the other and to itself", "1 0", cells(1000, 1) + " " + cells(1002, 1));
  ASK_FACT("runs", "1 1", notes());
}

// Its child launches it.
TEST_F(GraphDeviceAndHost, ByItsOwnChild) {
  DeviceArray<cudaGraphExec_t> name(1);
  Graph inner;
  inner.kernel({inner.kernel({}, launch_named_once, at + 1011, name.get(), forget, at + 1002)}, write_note, at, 1);
  Exec parent(inner, cudaGraphInstantiateFlagDeviceLaunch);
  for (int how : {forget, tail, sibling}) {
    auto child = launched(launch_one, static_cast<cudaGraphExec_t>(parent), how, at + 1000);
    const auto its_name = static_cast<cudaGraphExec_t>(child);
    MUST(cudaMemcpy(name.get(), &its_name, sizeof its_name, cudaMemcpyHostToDevice));
    MUST(cudaMemset(at, 0, cell.bytes()));
    MUST(cudaDeviceSynchronize());
    MUST(cudaGraphLaunch(parent, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("answers in way " + std::to_string(how), "1 0", cells(1000, 1) + " " + cells(1002, 1));
    ASK_FACT("runs in way " + std::to_string(how), "1", notes());
  }
}

TEST_F(GraphDeviceAndHost, TheHostLaunchesWhatDeviceCodeHas) {
  UNDEFINED_ON_NVIDIA("a launch from the host of a graph that device code has launched and that runs: an H200 hangs");
  auto held = launched(note_and_hold, at, 1, at + 1010, begun.get());
  graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(held), forget, at + 1000);
  Exec exec(graph);
  launch_by_host(exec);
  MUST(cudaGraphLaunch(held, stream));
  raise_flag<<<1, 1, 0, own>>>(at + 1010);
  MUST(cudaDeviceSynchronize());
  EXPECT_EQ("1 1", notes());
}

TEST_F(GraphDeviceOrder, AfterItsEndItCanBeLaunchedAgain) {
  auto quick = launched(write_note, at, 1);
  auto again = launched(note_and_launch, at, 2, static_cast<cudaGraphExec_t>(quick), forget);
  auto a = graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(quick), forget, at + 1000);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(again), tail, at + 1001);
  run_graph(graph);
  EXPECT_EQ("1 2 1", notes());
}

}  // namespace
