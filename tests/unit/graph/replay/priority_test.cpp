// Priorities of kernel nodes: in graphs instantiated to use them, the ready kernel of the highest priority runs
// first.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "graph/define/access.h"
#include "graph/plan/plan.h"
#include "hand_made_kernels.h"

namespace {

using namespace reprise_runtime;

std::atomic<int> turns{0};
int turn_of[256];

void note_turn(const void* params, const reprise_launch*) {
  turn_of[test::parameter<uint64_t>(params, 0)] = turns.fetch_add(1);
}
constexpr reprise_param word[] = {{0, 8}};
constexpr reprise_kernel kernels[] = {{"note_turn", note_turn, word, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stub;
const void* const stub_pointers[] = {&stub};
test::Registered module("graph_priority", kernels, 1, stub_pointers);

class GraphPriority : public testing::Test {
 protected:
  void SetUp() override {
    turns = 0;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  }
  void TearDown() override { EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph)); }

  cudaGraphNode_t add(uint64_t number, int priority, const std::vector<cudaGraphNode_t>& after = {}) {
    void* arguments[] = {&number};
    cudaKernelNodeParams params = {};
    params.func = &stub;
    params.gridDim = params.blockDim = dim3(1);
    params.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &params));
    cudaLaunchAttributeValue value = {}, told = {};
    value.priority = priority;
    EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &value));
    EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributePriority, &told));
    EXPECT_EQ(std::clamp(priority, -5, 0), told.priority) << "the nearest in the range";
    return node;
  }

  cudaGraph_t graph = nullptr;
};

TEST_F(GraphPriority, OneThreadTakesTheHighestOfThoseThatAreReady) {
  std::mt19937 random(7);
  constexpr int count = 60;
  std::vector<cudaGraphNode_t> nodes;
  std::vector<std::vector<int>> after(count);
  std::vector<int> priorities;
  for (int i = 0; i < count; ++i) {
    std::vector<cudaGraphNode_t> before;
    for (int other = 0; other < i; ++other) {
      if (random() % 20 == 0) after[i].push_back(other), before.push_back(nodes[other]);
    }
    priorities.push_back(-static_cast<int>(random() % 6));
    nodes.push_back(add(i, priorities.back(), before));
  }
  Ref<graph::Plan> plan;
  ASSERT_EQ(cudaSuccess, graph::with_graph(graph, [&](graph::Graph& made) {
              graph::Node* error_node = nullptr;
              Result<Ref<graph::Plan>> built = graph::Plan::build(made, error_node, true);
              if (built.ok()) plan = *built;
              return built.status();
            }));
  plan->replay_in(graph::Replayer::Mode::sequential, nullptr);
  std::vector<bool> done(count);
  for (int turn = 0; turn < count; ++turn) {
    const int now = static_cast<int>(std::find(turn_of, turn_of + count, turn) - turn_of);
    for (int other = 0; other < count; ++other) {
      const bool ready =
          !done[other] && std::all_of(after[other].begin(), after[other].end(), [&](int i) { return done[i]; });
      if (ready) EXPECT_LE(priorities[now], priorities[other]) << "turn " << turn << ": " << now << " before " << other;
    }
    done[now] = true;
  }
}

// With a host function in the graph, any idle thread takes a ready node. A thread may be delayed between taking a
// kernel and running it, so a few others may run before it.
TEST_F(GraphPriority, SeveralThreadsDoToo) {
  constexpr int count = 200;
  const int held_up = std::max(40, 2 * static_cast<int>(std::thread::hardware_concurrency()));
  cudaHostNodeParams host = {};
  host.fn = [](void*) {};
  cudaGraphNode_t first = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphAddHostNode(&first, graph, nullptr, 0, &host));
  for (int i = 0; i < count; ++i) add(i, 100 - i, {first});  // the last has the highest
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  for (int launch = 0; launch < 20; ++launch) {
    turns = 0;
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    for (int i = 0; i < count; ++i) EXPECT_GE(turn_of[i], count - 1 - i - held_up) << "launch " << launch;
  }
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

}  // namespace
