// Conditional nodes at work: what runs, how often, in which order, and what the condition is when.
#include "graph/conditional/conditional_support.h"

namespace {

__global__ void set_if_below(Condition condition, const int* where, int limit) {
  cudaGraphSetConditional(condition, *where < limit);
}

__global__ void set_twice(Condition condition, unsigned first, unsigned second) {
  cudaGraphSetConditional(condition, first);
  cudaGraphSetConditional(condition, second);
}

__global__ void set_modulo(Condition condition, const int* value, int divisor) {
  cudaGraphSetConditional(condition, *value % divisor);
}

__global__ void add_in_every_thread(int* where) { atomicAdd(where, 1); }

// All threads of the block look, until one sees it.
__global__ void await_together(const int* flag, int* seen, long long patience) {
  const long long start = clock64();
  int there = 0, late = 0;
  while (!there && !late) {
    there = __syncthreads_or(*static_cast<const volatile int*>(flag));
    late = __syncthreads_or(clock64() - start > patience);
  }
  if (threadIdx.x == 0) *seen += there;
}

class GraphConditionals : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  int* at = cell.get();
  const cudaError_t ok = cudaSuccess, bad = cudaErrorInvalidValue;

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
  void clear() {
    EXPECT_EQ(cudaSuccess, cudaMemset(at, 0, cell.bytes()));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
};

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

TEST_F(GraphConditionals, WhatAConditionIsWithoutADefault) {
  // NVIDIA's documentation leaves the first value open; what a launch leaves is there for the next.
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

TEST_F(GraphConditionals, AllTypesOfNodesInABody) {
  Graph inner;
  inner.store(at + 3, 4, {inner.store(at + 2, 3)});
  Conditional choice(graph, condition_of(graph, 1, cudaGraphCondAssignDefault), cudaGraphCondTypeIf);
  Body body(choice.bodies[0]);
  const auto kernel = body->store(at, 1);
  const auto set = body->set(at + 1, 2, 4, {kernel});
  const auto empty = body->empty({set});
  const auto child = body->child(inner, {empty});
  body->copy(at + 4, at, 4, {child});
  run(graph);
  EXPECT_EQ("1 33686018 3 4 1", cells(5));
}

TEST_F(GraphConditionals, ForksInABody) {
  const auto condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 50);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  const auto left = body->kernel({}, add_one, at + 1), right = body->kernel({}, add_one, at + 2);
  const auto more = body->kernel({left}, add_one, at + 3);
  body->kernel({more, right}, count_down, condition, at);
  run(graph);
  EXPECT_EQ("0 50 50 50", cells(4));
}

TEST_F(GraphConditionals, WhileInWhile) {
  const auto outer_condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 7);
  Conditional outer(graph, outer_condition, cudaGraphCondTypeWhile, 1, {start});
  Body outer_body(outer.bodies[0]);
  const auto inner_condition = condition_of(outer_body, 0, 0);
  const auto prepare = outer_body->kernel({outer_body->store(at + 1, 5)}, set_condition, inner_condition, 1u);
  Conditional inner(outer_body, inner_condition, cudaGraphCondTypeWhile, 1, {prepare});
  Body inner_body(inner.bodies[0]);
  inner_body->kernel({inner_body->kernel({}, add_one, at + 2)}, count_down, inner_condition, at + 1);
  outer_body->kernel({inner.node}, count_down, outer_condition, at);
  run(graph);
  EXPECT_EQ("0 0 35", cells(3));
}

TEST_F(GraphConditionals, DefaultsOfNestedConditionsAreAssignedAtLaunchOnly) {
  // The inner loop ends itself in the first round of the outer one; whether it runs in the second tells.
  const auto outer_condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 3);
  Conditional outer(graph, outer_condition, cudaGraphCondTypeWhile, 1, {start});
  Body outer_body(outer.bodies[0]);
  const auto inner_condition = condition_of(outer_body, 1, cudaGraphCondAssignDefault);
  Conditional inner(outer_body, inner_condition, cudaGraphCondTypeIf);
  Body inner_body(inner.bodies[0]);
  inner_body->kernel({inner_body->kernel({}, add_one, at + 1)}, set_condition, inner_condition, 0u);
  outer_body->kernel({inner.node}, count_down, outer_condition, at);
  Exec exec(graph);
  launch(exec);
  ASK_FACT("runs of the inner body in three rounds", 1, cell.read()[1]);
  launch(exec);
  ASK_FACT("in two launches", 2, cell.read()[1]);
}

TEST_F(GraphConditionals, HandlesOfTheWholeGraphInNestedBodies) {
  const auto outer_condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto inner_condition = condition_of(graph, 0, 0);
  const auto start = graph.store(at, 6);
  Conditional outer(graph, outer_condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(outer.bodies[0]);
  auto params = conditional_params(inner_condition, cudaGraphCondTypeIf);
  const auto choose = body->kernel({}, set_modulo, inner_condition, at, 2);
  cudaGraphNode_t node = nullptr;
  const cudaError_t added = cudaGraphAddNode(&node, body, &choose, nullptr, 1, &params);
  ASK_CASE("the whole graph's handle in a body", ok, added);
  if (added != cudaSuccess) return;
  Body(params.conditional.phGraph_out[0])->kernel({}, add_one, at + 1);
  body->kernel({node}, count_down, outer_condition, at);
  run(graph);
  EXPECT_EQ("0 3", cells(2));
}

TEST_F(GraphConditionals, SwitchInWhile) {
  const auto loop_condition = condition_of(graph, 1, cudaGraphCondAssignDefault);
  const auto start = graph.store(at, 9);
  Conditional loop(graph, loop_condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  const auto choice_condition = condition_of(body);
  const auto choose = body->kernel({}, set_modulo, choice_condition, at, 3);
  Conditional choice(body, choice_condition, cudaGraphCondTypeSwitch, 2, {choose});
  Body(choice.bodies[0])->kernel({}, add_one, at + 1);
  Body(choice.bodies[1])->kernel({}, add_one, at + 2);
  body->kernel({choice.node}, count_down, loop_condition, at);
  run(graph);
  EXPECT_EQ("0 3 3", cells(3));
}

TEST_F(GraphConditionals, DeepNests) {
  Graph here;
  cudaGraph_t around = here;
  int depth = 0;
  for (; depth < 6; ++depth) {
    Condition condition = 0;
    if (cudaGraphConditionalHandleCreate(&condition, around, 1, cudaGraphCondAssignDefault) != cudaSuccess) break;
    auto params = conditional_params(condition, cudaGraphCondTypeIf);
    cudaGraphNode_t node = nullptr;
    if (cudaGraphAddNode(&node, around, nullptr, nullptr, 0, &params) != cudaSuccess) break;
    around = params.conditional.phGraph_out[0];
    Body(around)->kernel({}, add_one, at);
  }
  ASK_FACT("nested", 6, depth);
  run(here);
  ASK_FACT("bodies run", 6, cell.read()[0]);
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
  // One condition read by an IF and, once that is done, set for the next launch.
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

TEST_F(GraphConditionals, WideKernelsInABody) {
  const auto condition = condition_of(graph, 1, 1);
  const auto start = graph.store(at, 5);
  Conditional loop(graph, condition, cudaGraphCondTypeWhile, 1, {start});
  Body body(loop.bodies[0]);
  int* where = at + 1;
  void* arguments[] = {&where};
  const auto params = kernel_params(add_in_every_thread, arguments, 64, 256);
  cudaGraphNode_t wide = nullptr;
  MUST(cudaGraphAddKernelNode(&wide, body, nullptr, 0, &params));
  body->kernel({wide}, count_down, condition, at);
  run(graph);
  EXPECT_EQ("0 81920", cells(2));
}

// A kernel of many threads that waits, with barriers in its loop, for the one beside it.
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

class HazardGraphConditionals : public GraphConditionals {};

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

TEST_F(HazardGraphConditionals, SetAHandleThatIsNone) {
  UNDEFINED_ON_NVIDIA("a condition that is none");
  set_condition<<<1, 1>>>(0, 1);
  MUST(cudaDeviceSynchronize());
  set_condition<<<1, 1>>>(0x123456789abcull, 1);
  MUST(cudaDeviceSynchronize());
}

}  // namespace
