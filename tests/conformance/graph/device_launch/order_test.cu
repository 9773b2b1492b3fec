// The order of graphs that device code launches.
#include "graph/device_launch/device_launch_support.h"

namespace {

__global__ void note_and_raise(int* log, int number, int* flag) {
  note(log, number);
  __threadfence();
  atomicExch(flag, 1);
}

// Waits a limited time for the flag and stores whether it was set.
__global__ void await_flag(int* flag, int* seen, long long patience) {
  const long long start = clock64();
  while (atomicAdd(flag, 0) == 0 && clock64() - start < patience) {
  }
  *seen = atomicAdd(flag, 0);
}

__global__ void launch_and_await(cudaGraphExec_t graph, int* flag, int* seen) {
  *seen = -1;
  if (cudaGraphLaunch(graph, cudaStreamGraphFireAndForget) != cudaSuccess) return;
  const long long start = clock64();
  while (atomicAdd(flag, 0) == 0 && clock64() - start < long_patience) {
  }
  *seen = atomicAdd(flag, 0);
}

TEST_F(GraphDeviceOrder, TailsRunInTheOrderOfTheirLaunches) {
  auto one = launched(write_note_late, at, 1), two = launched(write_note, at, 2), three = launched(write_note, at, 3);
  auto a = graph.kernel({}, note_and_launch, at, 10, static_cast<cudaGraphExec_t>(one), tail);
  a = graph.kernel({a}, note_and_launch, at, 20, static_cast<cudaGraphExec_t>(two), tail);
  a = graph.kernel({a}, note_and_launch, at, 30, static_cast<cudaGraphExec_t>(three), tail);
  graph.kernel({a}, write_note_late, at, 40);
  run_graph(graph);
  EXPECT_EQ("10 20 30 40 1 2 3", notes());
}

TEST_F(GraphDeviceOrder, TheTailsOfATailComeFirst) {
  auto inner = launched(write_note_late, at, 5), last = launched(write_note, at, 2);
  auto first = launched(note_and_launch, at, 1, static_cast<cudaGraphExec_t>(inner), tail);
  auto a = graph.kernel({}, note_and_launch, at, 10, static_cast<cudaGraphExec_t>(first), tail);
  graph.kernel({a}, note_and_launch, at, 20, static_cast<cudaGraphExec_t>(last), tail);
  run_graph(graph);
  EXPECT_EQ("10 20 1 5 2", notes());
}

TEST_F(GraphDeviceOrder, AFireAndForgetLaunchIsCompleteWithItsTails) {
  auto late = launched(write_note_late, at, 3), last = launched(write_note, at, 4);
  auto child = launched(note_and_launch, at, 2, static_cast<cudaGraphExec_t>(late), tail);
  auto a = graph.kernel({}, note_and_launch, at, 1, static_cast<cudaGraphExec_t>(child), forget);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(last), tail, at + 1000);
  run_graph(graph);
  EXPECT_EQ("1 2 3 4", notes());
}

TEST_F(GraphDeviceOrder, NestedFireAndForgetLaunchesCountToo) {
  auto late = launched(write_note_late, at, 3), last = launched(write_note, at, 4);
  auto child = launched(note_and_launch, at, 2, static_cast<cudaGraphExec_t>(late), forget);
  auto a = graph.kernel({}, note_and_launch, at, 1, static_cast<cudaGraphExec_t>(child), forget);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(last), tail, at + 1000);
  run_graph(graph);
  EXPECT_EQ("1 2 3 4", notes());
}

TEST_F(GraphDeviceOrder, AFireAndForgetLaunchRunsBesideItsParent) {
  auto child = launched(raise_flag, at);
  graph.kernel({}, launch_and_await, static_cast<cudaGraphExec_t>(child), at, at + 1);
  run_graph(graph);
  EXPECT_EQ("1 1", cells(0, 2));
}

TEST_F(GraphDeviceOrder, ATailDoesNotWaitForASibling) {
  auto waiting = launched(await_flag, at, at + 1, long_patience), raising = launched(raise_flag, at);
  auto a = graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(waiting), sibling, at + 2);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(raising), tail, at + 3);
  run_graph(graph);
  ASK_FACT("a sibling sees what the tail did", "1 1 0 0", cells(0, 4));
}

TEST_F(GraphDeviceOrder, ATailWaitsForAChild) {
  auto waiting = launched(await_flag, at, at + 1, 400'000'000ll), raising = launched(raise_flag, at);
  auto a = graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(waiting), forget, at + 2);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(raising), tail, at + 3);
  run_graph(graph);
  ASK_FACT("a child does not", "1 0 0 0", cells(0, 4));
}

TEST_F(GraphDeviceOrder, ASiblingOfAChildIsItsParentsChild) {
  auto late = launched(write_note_when_raised, at, 3, at + 1002), last = launched(write_note, at, 4),
       own = launched(note_and_raise, at, 5, at + 1002);
  Graph middle;
  auto b = middle.kernel({}, note_and_launch, at, 2, static_cast<cudaGraphExec_t>(late), sibling);
  middle.kernel({b}, launch_one, static_cast<cudaGraphExec_t>(own), tail, at + 1001);
  Exec child(middle, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(child, stream));
  auto a = graph.kernel({}, note_and_launch, at, 1, static_cast<cudaGraphExec_t>(child), forget);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(last), tail, at + 1000);
  run_graph(graph);
  ASK_FACT("its own tail comes before the sibling's end, its parent's after", "1 2 5 3 4", notes());
}

TEST_F(GraphDeviceOrder, TheStreamWaitsForAll) {
  auto late = launched(write_note_late, at, 3), later = launched(write_note_late, at, 4),
       beside = launched(write_note_late, at, 5);
  auto child = launched(note_and_launch, at, 2, static_cast<cudaGraphExec_t>(late), forget);
  auto a = graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(child), forget, at + 1000);
  a = graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(later), tail, at + 1000);
  graph.kernel({a}, launch_one, static_cast<cudaGraphExec_t>(beside), sibling, at + 1000);
  Exec exec(graph);
  PinnedArray<int> count(1);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaMemcpyAsync(count.get(), at, sizeof(int), cudaMemcpyDeviceToHost, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ(4, count.get()[0]);
}

TEST_F(GraphDeviceOrder, ALoopOfTails) {
  Graph body;
  const auto first = body.kernel({}, add_atomically, at + 1);
  body.set(at + 2, 0x11, 4, {first});
  Graph inner;
  inner.kernel({}, add_atomically, at + 4);
  body.child(inner, {first});
  body.copy(at + 3, at + 2, 4, {first});
  Exec exec(body, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  for (int i = 0; i < 3; ++i) {
    Graph outer;
    outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(exec), i, at + 1000);
    run_graph(outer);
  }
  EXPECT_EQ("3 286331153", cells(1, 2));
  EXPECT_EQ("3", cells(4, 1));
}

}  // namespace
