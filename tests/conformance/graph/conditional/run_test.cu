// Conditional nodes in launches: which bodies run, how often, in which order.
#include "graph/conditional/conditional_support.h"

namespace {

__global__ void set_if_below(Condition condition, const int* where, int limit) {
  cudaGraphSetConditional(condition, *where < limit);
}

__global__ void set_twice(Condition condition, unsigned first, unsigned second) {
  cudaGraphSetConditional(condition, first);
  cudaGraphSetConditional(condition, second);
}

// All threads of the block poll the flag until one sees it.
__global__ void await_together(const int* flag, int* seen, long long patience) {
  const long long start = clock64();
  int there = 0, late = 0;
  while (!there && !late) {
    there = __syncthreads_or(*static_cast<const volatile int*>(flag));
    late = __syncthreads_or(clock64() - start > patience);
  }
  if (threadIdx.x == 0) *seen += there;
}

class HazardGraphConditionals : public GraphConditionals {};

TEST_F(GraphConditionals, IfByDefault) {
  for (unsigned value : {0u, 1u, 2u, ~0u}) {
    Graph here;
    Conditional choice(here, condition_of(here, value, cudaGraphCondAssignDefault), cudaGraphCondTypeIf);
    Body(choice.bodies[0])->kernel({}, add_one, at);
    Exec exec(here);
    clear();
    launch(exec);
    launch(exec);
    ASK_FACT("runs with a default of " + std::to_string(value), value ? 2 : 0, cell.read()[0]);
  }
}

TEST_F(GraphConditionals, IfSetByAKernelBeforeIt) {
  const auto condition = condition_of(graph);
  const auto setter = graph.kernel({}, set_condition_from, condition, at);
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 1, {setter});
  Body(choice.bodies[0])->kernel({}, add_one, at + 1);
  graph.kernel({choice.node}, add_one, at + 2);
  Exec exec(graph);
  for (int value : {1, 0, 5, 0, 0, 1}) {
    MUST(cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice));
    launch(exec);
  }
  EXPECT_EQ("1 3 6", cells(3));
}

TEST_F(GraphConditionals, IfAndElse) {
  const auto condition = condition_of(graph);
  const auto setter = graph.kernel({}, set_condition_from, condition, at);
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 2, {setter});
  Body(choice.bodies[0])->kernel({}, add_one, at + 1);
  Body(choice.bodies[1])->kernel({}, add_one, at + 2);
  Exec exec(graph);
  for (int value : {1, 0, 5, 0, 0, 1}) {
    MUST(cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice));
    launch(exec);
  }
  EXPECT_EQ("1 3 3", cells(3));
}

TEST_F(GraphConditionals, Switch) {
  const auto condition = condition_of(graph);
  const auto setter = graph.kernel({}, set_condition_from, condition, at);
  Conditional choice(graph, condition, cudaGraphCondTypeSwitch, 4, {setter});
  for (int i = 0; i < 4; ++i) Body(choice.bodies[i])->kernel({}, add_one, at + 1 + i);
  Exec exec(graph);
  for (int value : {0, 1, 2, 3, 4, 5, 3, -1, 3}) {
    MUST(cudaMemcpy(at, &value, sizeof value, cudaMemcpyHostToDevice));
    launch(exec);
  }
  EXPECT_EQ("3 1 1 1 3 0", cells(6));
}

TEST_F(GraphConditionals, WhileUntilABodyEndsIt) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 10);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  body->kernel({body->kernel({}, add_one, at + 1)}, count_down, condition, at);
  graph.kernel({loop.node}, add_one, at + 2);
  Exec exec(graph);
  launch(exec);
  EXPECT_EQ("0 10 1", cells(3));
  launch(exec);
  EXPECT_EQ("0 20 2", cells(3));
}

TEST_F(GraphConditionals, WhileWithAZeroConditionNeverRuns) {
  Conditional loop(graph, condition_of(graph, 0, cudaGraphCondAssignDefault), cudaGraphCondTypeWhile);
  Body(loop.bodies[0])->kernel({}, add_one, at);
  Exec exec(graph);
  launch(exec);
  EXPECT_EQ("0", cells(1));
}

TEST_F(GraphConditionals, ManyIterations) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 2000);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  body->kernel({}, count_down, condition, at);
  Exec exec(graph);
  launch(exec);
  EXPECT_EQ("0", cells(1));
}

TEST_F(GraphConditionals, TheLastValueSetCounts) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto setter = graph.kernel({}, set_twice, condition, 1u, 0u);
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 1, {setter});
  Body(choice.bodies[0])->kernel({}, add_one, at);
  run(graph);
  EXPECT_EQ("0", cells(1));
}

TEST_F(GraphConditionals, SettingInTheBodyOfAnIfDoesNotRunItAgain) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 2);
  Body body(choice.bodies[0]);
  body->kernel({body->kernel({}, add_one, at)}, set_condition, condition, 0u);
  Body(choice.bodies[1])->kernel({}, add_one, at + 1);
  run(graph);
  EXPECT_EQ("1 0", cells(2));
}

TEST_F(GraphConditionals, TheBodyMayChangeItsSwitch) {
  const auto condition = condition_of(graph, 0, cudaGraphCondAssignDefault);
  Conditional choice(graph, condition, cudaGraphCondTypeSwitch, 2);
  Body body(choice.bodies[0]);
  body->kernel({body->kernel({}, add_one, at)}, set_condition, condition, 1u);
  Body(choice.bodies[1])->kernel({}, add_one, at + 1);
  run(graph);
  EXPECT_EQ("1 0", cells(2));
}

TEST_F(GraphConditionals, AConditionWithoutADefault) {
  // NVIDIA's documentation leaves the first value undefined; later launches see the value that the previous one left.
  const auto condition = condition_of(graph, 1, 0);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  Body(choice.bodies[0])->kernel({}, add_one, at);
  const auto after = graph.kernel({choice.node}, set_condition_from, condition, at + 1);
  (void)after;
  Exec exec(graph);
  launch(exec);
  const int first = cell.read()[0];
  TELL("runs in the first launch", first);
  const int one = 1, zero = 0;
  MUST(cudaMemcpy(at + 1, &one, 4, cudaMemcpyHostToDevice));
  launch(exec);
  const int second = cell.read()[0];
  MUST(cudaMemcpy(at + 1, &zero, 4, cudaMemcpyHostToDevice));
  launch(exec);
  const int third = cell.read()[0];
  launch(exec);
  const int fourth = cell.read()[0];
  ASK_FACT("after 0 was left", 0, second - first);
  ASK_FACT("after 1 was left", 1, third - second);
  ASK_FACT("after 0 was left again", 0, fourth - third);
}

TEST_F(GraphConditionals, ADefaultIsAssignedAtEveryLaunch) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  Body(choice.bodies[0])->kernel({}, add_one, at);
  graph.kernel({choice.node}, set_condition, condition, 0u);
  Exec exec(graph);
  for (int i = 0; i < 3; ++i) launch(exec);
  EXPECT_EQ("3", cells(1));
}

TEST_F(GraphConditionals, TwoConditionalsBesideEachOther) {
  const auto a = condition_of(graph, 1, 1), b = condition_of(graph, 1, 1);
  const auto start = graph.store(at + 1, 30, {graph.store(at, 20)});
  Conditional first(graph, a, cudaGraphCondTypeWhile, 1, {start}), second(graph, b, cudaGraphCondTypeWhile, 1, {start});
  Body body(first.bodies[0]), other(second.bodies[0]);
  body->kernel({body->kernel({}, add_one, at + 2)}, count_down, a, at);
  other->kernel({other->kernel({}, add_one, at + 3)}, count_down, b, at + 1);
  graph.kernel({first.node, second.node}, add_one, at + 4);
  run(graph);
  EXPECT_EQ("0 0 20 30 1", cells(5));
}

TEST_F(GraphConditionals, AConditionSetBesideItsNode) {
  // One condition that an IF reads and a later kernel sets for the next launch.
  const auto condition = condition_of(graph, 0, 0);
  const auto reset = graph.kernel({}, set_condition, condition, 1u);
  Conditional choice(graph, condition, cudaGraphCondTypeIf, 2, {reset});
  Body(choice.bodies[0])->kernel({}, add_one, at);
  Body(choice.bodies[1])->kernel({}, add_one, at + 1);
  graph.kernel({choice.node}, set_condition, condition, 0u);
  Exec exec(graph);
  for (int i = 0; i < 4; ++i) launch(exec);
  EXPECT_EQ("4 0", cells(2));
}

// A kernel of many threads, with barriers in its loop, that waits for a concurrent kernel.
TEST_F(GraphConditionals, ABlockWaitsForTheNodeBesideIt) {
  constexpr long long patience = long_patience;
  const int* flag = at + 1;
  int* seen = at + 2;
  void* arguments[] = {&flag, &seen, const_cast<long long*>(&patience)};
  const auto params = kernel_params(await_together, arguments, 1, 64);
  Conditional choice(graph, condition_of(graph, 1, 1), cudaGraphCondTypeIf);
  Graph plain;
  for (cudaGraph_t around : {static_cast<cudaGraph_t>(plain), choice.bodies[0]}) {
    cudaGraphNode_t waiting = nullptr;
    MUST(cudaGraphAddKernelNode(&waiting, around, nullptr, 0, &params));
    Body(around)->store(at + 1, 1);
    clear();
    run(around == choice.bodies[0] ? static_cast<cudaGraph_t>(graph) : around);
    ASK_FACT(around == choice.bodies[0] ? "in a body" : "in a graph", 1, cell.read()[2]);
  }
}

TEST_F(GraphConditionals, LaunchesInARowAndInTwoStreams) {
  const auto condition = condition_of(graph, 1, 1);
  const auto start = graph.store(at, 4);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  body->kernel({body->kernel({}, add_one, at + 1)}, count_down, condition, at);
  Exec exec(graph);
  Stream one(cudaStreamNonBlocking), two(cudaStreamNonBlocking);
  for (int i = 0; i < 50; ++i) MUST(cudaGraphLaunch(exec, i % 2 ? one : two));
  MUST(cudaDeviceSynchronize());
  EXPECT_EQ("0 200", cells(2));
}

TEST_F(GraphConditionals, TheHostCanEndALoop) {
  PinnedArray<int> go_on(2);
  go_on[0] = 1;
  const auto condition = condition_of(graph, 1, 1);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile);
  Body body(loop.bodies[0]);
  body->kernel({body->kernel({}, add_one, at)}, set_condition_from, condition, go_on.get());
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking), beside(cudaStreamNonBlocking);
  MUST(cudaGraphLaunch(exec, stream));
  for (int i = 0; i < 10; ++i) {
    store<<<1, 1, 0, beside>>>(at + 1, i);
    MUST(cudaStreamSynchronize(beside));
  }
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  *static_cast<volatile int*>(go_on.get()) = 0;
  MUST(cudaStreamSynchronize(stream));
  EXPECT_GT(cell.read()[0], 0);
  EXPECT_EQ(9, cell.read()[1]);
}

TEST_F(GraphConditionals, SettingNothingLeavesAWhileRunningUntilItIsSet) {
  const auto condition = condition_of(graph, 1, 1);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile);
  Body body(loop.bodies[0]);
  const auto inner_condition = condition_of(body);
  const auto count = body->kernel({}, add_one, at);
  const auto check = body->kernel({count}, set_if_below, inner_condition, at, 25);
  Conditional choice(body, inner_condition, cudaGraphCondTypeIf, 2, {check});
  Body(choice.bodies[0])->kernel({}, add_one, at + 1);
  Body(choice.bodies[1])->kernel({}, set_condition, condition, 0u);
  run(graph);
  EXPECT_EQ("25 24", cells(2));
}

TEST_F(HazardGraphConditionals, SetFromAPlainLaunch) {
  const auto condition = condition_of(graph, 0, 0);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  Body(choice.bodies[0])->kernel({}, add_one, at);
  Exec exec(graph);
  UNDEFINED_ON_NVIDIA("a condition set outside its graph");
  set_condition<<<1, 1>>>(condition, 1);
  MUST(cudaDeviceSynchronize());
  launch(exec);
  ASK_FACT("runs", 1, cell.read()[0]);
}

TEST_F(HazardGraphConditionals, SetFromAnotherGraph) {
  const auto condition = condition_of(graph, 0, 0);
  Conditional choice(graph, condition, cudaGraphCondTypeIf);
  Body(choice.bodies[0])->kernel({}, add_one, at);
  Exec exec(graph);
  Graph other;
  other.kernel({}, set_condition, condition, 1u);
  UNDEFINED_ON_NVIDIA("a condition set from another graph");
  run(other);
  launch(exec);
  ASK_FACT("runs", 1, cell.read()[0]);
}

TEST_F(HazardGraphConditionals, SetAnInvalidHandle) {
  UNDEFINED_ON_NVIDIA("a condition that is none");
  set_condition<<<1, 1>>>(0, 1);
  MUST(cudaDeviceSynchronize());
  set_condition<<<1, 1>>>(0x123456789abcull, 1);
  MUST(cudaDeviceSynchronize());
}

}  // namespace
