// Random programs of graphs that launch graphs, checked against the allowed orders of their starts and ends.
//
// One kernel of another graph launches every graph but the first, in one of the three ways, and some relaunch
// themselves a few times first. `above` is the parent of a graph, whose completion waits for it.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "exec/lane.h"
#include "graph_model.h"
#include "long_tests.h"

namespace {

using reprise_runtime::test::parameter;

enum How : uint64_t { tail = 1, forget = 2, sibling = 3 };
constexpr int stream_itself = -1;

struct Launching {
  int graph;
  How how;
};

struct Member {
  int above = stream_itself;
  std::vector<std::vector<Launching>>
      kernels;             // what each launches; those between the first and the last are unordered
  std::vector<int> tails;  // in the order of their launches
  int repeats = 0;         // as its own tail, before it launches anything
  int delay = 0;
  cudaGraphExec_t exec = nullptr;
  // Written while it runs.
  std::atomic<uint64_t> began{0}, ended{0}, runs{0}, refused{0};
  std::atomic<int> left{0};
};

struct Program {
  std::vector<std::unique_ptr<Member>> members;
  std::atomic<uint64_t> clock{0};
  uint64_t now() { return clock.fetch_add(1) + 1; }
};

void launch(Member& from, const reprise_launch* launch, cudaGraphExec_t exec, How how) {
  if (__reprise_graph_launch(launch, reinterpret_cast<uint64_t>(exec), uint64_t{how} << 56) != cudaSuccess)
    ++from.refused;
}

void act(const void* params, const reprise_launch* where) {
  Program& program = *parameter<Program*>(params, 0);
  Member& self = *program.members[parameter<uint64_t>(params, 8)];
  const size_t kernel = parameter<uint64_t>(params, 16), last = self.kernels.size() - 1;
  if (kernel == 0 && self.runs++ == 0) self.began = program.now();
  for (volatile int i = 0; i < self.delay; i = i + 1) {
  }
  if (self.left > 0) {
    if (kernel == last && self.left-- > 0) {
      launch(self, where, reinterpret_cast<cudaGraphExec_t>(__reprise_current_graph(where)), tail);
    }
    return;
  }
  for (const Launching& each : self.kernels[kernel]) launch(self, where, program.members[each.graph]->exec, each.how);
  if (kernel == last) self.ended = program.now();
}

// Launches the same graphs again and again, as its own tail.
struct Rounds {
  std::vector<cudaGraphExec_t> graphs;
  How how = forget;
  int left = 0;
  std::atomic<uint64_t> launched{0};
  std::atomic<uint64_t> ran{0};
};

void go_round(const void* params, const reprise_launch* where) {
  Rounds& rounds = *parameter<Rounds*>(params, 0);
  for (cudaGraphExec_t exec : rounds.graphs) {
    // A sibling may still be running.
    rounds.launched += __reprise_graph_launch(where, reinterpret_cast<uint64_t>(exec), uint64_t{rounds.how} << 56) == 0;
  }
  if (--rounds.left > 0)
    EXPECT_EQ(0, __reprise_graph_launch(where, __reprise_current_graph(where), uint64_t{tail} << 56));
}

// Each launches the next.
void launch_next(const void* params, const reprise_launch* where) {
  Rounds& chain = *parameter<Rounds*>(params, 0);
  const uint64_t next = ++chain.ran;
  if (next == chain.graphs.size()) return;
  const auto exec = reinterpret_cast<uint64_t>(chain.graphs[next]);
  chain.launched += __reprise_graph_launch(where, exec, uint64_t{chain.how} << 56) == 0;
}

void count_run(const void* params, const reprise_launch*) { ++parameter<Rounds*>(params, 0)->ran; }

constexpr reprise_param words[] = {{0, 8}, {8, 8}, {16, 8}};
constexpr reprise_kernel kernels[] = {
    {"act", act, words, 3, 24, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}},
    {"go_round", go_round, words, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}},
    {"count_run", count_run, words, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"launch_next", launch_next, words, 1, 8, 0, 0, 0, 0, 0, reprise_kernel_launches_graphs, 0, 0, {}}};
char stub, go_round_stub, count_run_stub, launch_next_stub;
const void* const stubs[] = {&stub, &go_round_stub, &count_run_stub, &launch_next_stub};
reprise_runtime::test::Registered module("device_launch_model", kernels, 4, stubs);

class DeviceLaunchModel {
 public:
  explicit DeviceLaunchModel(unsigned seed) : random_(seed) {
    const int count = 1 + below(40);
    for (int i = 0; i < count; ++i) program_.members.push_back(std::make_unique<Member>());
    for (int i = 0; i < count; ++i) {
      Member& member = at(i);
      member.kernels.resize(1 + below(5));
      member.delay = below(4) == 0 ? below(20'000) : 0;
      if (i > 0) member.repeats = below(5) == 0 ? below(4) : 0;
    }
    for (int i = 1; i < count; ++i) launch_from(i, below(i));
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    for (int i = 0; i < count; ++i) make(i);
  }
  ~DeviceLaunchModel() {
    for (auto& member : program_.members) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(member->exec));
    EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream_));
  }

  void start() {
    for (auto& member : program_.members) {
      member->began = member->ended = member->runs = member->refused = 0;
      member->left = member->repeats;
    }
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(at(0).exec, stream_));
  }
  void check() {
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream_));
    for (size_t i = 0; i < program_.members.size(); ++i) {
      const Member& member = at(static_cast<int>(i));
      EXPECT_EQ(0u, member.refused) << i;
      EXPECT_EQ(static_cast<uint64_t>(member.repeats) + 1, member.runs) << i;
      EXPECT_NE(0u, member.ended) << i;
      uint64_t before = complete(static_cast<int>(i));
      for (int next : member.tails) {
        EXPECT_LT(before, at(next).began) << next << " is a tail of " << i;
        before = replaced(next);
      }
    }
  }

 private:
  Member& at(int i) { return *program_.members[static_cast<size_t>(i)]; }
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  void launch_from(int graph, int from) {
    const How how = How(1 + below(3));
    at(graph).above = how == forget ? from : at(from).above;
    // Tails run in the order of their launches, if the launching kernels run sequentially.
    const int last = static_cast<int>(at(from).kernels.size()) - 1;
    const int kernel = how == tail ? last : below(last + 1);
    at(from).kernels[static_cast<size_t>(kernel)].push_back({graph, how});
    if (how == tail) at(from).tails.push_back(graph);
  }

  void make(int number) {
    Member& member = at(number);
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    std::vector<cudaGraphNode_t> nodes(member.kernels.size());
    for (size_t i = 0; i < nodes.size(); ++i) {
      Program* program = &program_;
      uint64_t self = static_cast<uint64_t>(number), kernel = i;
      void* arguments[] = {&program, &self, &kernel};
      cudaKernelNodeParams params = {};
      params.func = &stub;
      params.gridDim = params.blockDim = dim3(1);
      params.kernelParams = arguments;
      const bool last = i + 1 == nodes.size();
      const size_t from = last && i > 0 ? (i > 1 ? 1 : 0) : 0, before = last ? i : i > 0;
      EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&nodes[i], graph, nodes.data() + from, before - from, &params));
    }
    EXPECT_EQ(cudaSuccess,
              cudaGraphInstantiate(&member.exec, graph, number ? cudaGraphInstantiateFlagDeviceLaunch : 0));
    EXPECT_EQ(cudaSuccess, cudaGraphUpload(member.exec, stream_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  }

  // When the graph and its children have ended.
  uint64_t complete(int graph) {
    uint64_t when = at(graph).ended;
    for (size_t i = 0; i < program_.members.size(); ++i) {
      if (at(static_cast<int>(i)).above == graph) when = std::max(when, complete(static_cast<int>(i)));
    }
    return when;
  }
  // When it, its tails, and theirs have ended.
  uint64_t replaced(int graph) {
    uint64_t when = complete(graph);
    for (int next : at(graph).tails) when = std::max(when, replaced(next));
    return when;
  }

  std::mt19937 random_;
  Program program_;
  cudaStream_t stream_ = nullptr;
};

TEST(DeviceLaunchModel, RandomProgramsRunInOrder) {
  const unsigned count = static_cast<unsigned>(repetitions(150, 1000, 10'000));
  for (unsigned seed = 1; seed <= count && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    DeviceLaunchModel one(2 * seed), other(2 * seed + 1);
    for (int launches = 0; launches < 3; ++launches) {
      one.start();
      other.start();
      other.check();
      one.check();
    }
  }
}

cudaGraphExec_t make_launchable(const void* kernel, Rounds* rounds) {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  void* arguments[] = {&rounds};
  cudaKernelNodeParams params = {};
  params.func = const_cast<void*>(kernel);
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagDeviceLaunch));
  EXPECT_EQ(cudaSuccess, cudaGraphUpload(exec, nullptr));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  return exec;
}

// Only concurrent launches use memory, however many launches there are.
TEST(DeviceLaunchModel, LaunchesWithoutEndTakeNoMemory) {
  for (How how : {forget, sibling}) {
    Rounds rounds;
    rounds.how = how;
    rounds.left = 2000;
    for (int i = 0; i < 20; ++i) rounds.graphs.push_back(make_launchable(&count_run_stub, &rounds));
    cudaGraphExec_t outer = make_launchable(&go_round_stub, &rounds);
    const uint64_t before = reprise_runtime::exec::Lane::count();
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(outer, nullptr));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
    EXPECT_EQ(rounds.launched, rounds.ran);
    EXPECT_LE(how == forget ? 40'000u : 20u, rounds.launched);
    // Some have ended unnoticed, but not thousands.
    EXPECT_LT(reprise_runtime::exec::Lane::count() - before, 1000u);
    for (cudaGraphExec_t exec : rounds.graphs) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(outer));
  }
}

// Each completes only when the next does, which must not recurse.
TEST(DeviceLaunchModel, ALongChain) {
  for (How how : {forget, tail}) {
    Rounds chain;
    chain.how = how;
    for (int i = 0; i < 20'000; ++i) chain.graphs.push_back(make_launchable(&launch_next_stub, &chain));
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(chain.graphs[0], nullptr));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(nullptr));
    EXPECT_EQ(chain.graphs.size(), chain.ran);
    EXPECT_EQ(chain.graphs.size() - 1, chain.launched);
    for (cudaGraphExec_t exec : chain.graphs) EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
  }
}

}  // namespace
