// Bodies with forks, all types of nodes, and conditional nodes in bodies.
#include "graph/conditional/conditional_support.h"

namespace {

__global__ void set_modulo(Condition condition, const int* value, int divisor) {
  cudaGraphSetConditional(condition, *value % divisor);
}

__global__ void add_in_every_thread(int* where) { atomicAdd(where, 1); }

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
  // The inner loop ends itself in the first iteration of the outer loop. Whether it runs in the second shows when the
  // default is assigned.
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

}  // namespace
