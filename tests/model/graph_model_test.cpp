// Random nested graphs against a naive interpreter: same results, and no node before one that it follows; replayed by
// one thread, by several, and as launches in streams.
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "dot_syntax.h"
#include "exec/lane.h"
#include "graph/define/access.h"
#include "graph/plan/plan.h"
#include "long_tests.h"
#include "random_graph.h"

namespace {

using namespace reprise_runtime;
using model::RandomGraph;

Ref<graph::Plan> plan_of(cudaGraph_t handle) {
  Ref<graph::Plan> plan;
  EXPECT_EQ(cudaSuccess, graph::with_graph(handle, [&](graph::Graph& graph) {
              graph::Node* error_node = nullptr;
              Result<Ref<graph::Plan>> built = graph::Plan::build(graph, error_node);
              if (built.ok()) plan = *built;
              return built.status();
            }));
  return plan;
}

void replay_in_every_way(RandomGraph& graph, int times) {
  Ref<graph::Plan> plan = plan_of(graph.handle());
  if (graph.listed()) EXPECT_FALSE(plan->waits());
  for (int i = 0; i < times; ++i) {
    graph.begin(1);
    graph::LaunchEvents events;
    plan->events().begin(events);
    graph.watch();
    switch (graph.pick(graph.waits() ? 2 : 3)) {
      case 0:
        plan->replay_in(graph::Replayer::Mode::parallel, &events);
        break;
      case 1:
        plan->replay(&events);
        break;
      default:
        plan->replay_in(graph::Replayer::Mode::sequential, &events);
        break;
    }
    graph.check();
    if (testing::Test::HasFailure()) return;
  }
}

class Streams {
 public:
  Streams() {
    for (cudaStream_t& stream : streams_)
      EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Streams() {
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }
  cudaStream_t operator[](uint32_t i) const { return streams_[i]; }
  // Waits in one of the ways that programs use.
  void wait(uint32_t way) const {
    for (cudaStream_t stream : streams_) {
      while (way == 0 && cudaStreamQuery(stream) == cudaErrorNotReady) std::this_thread::yield();
      EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    }
  }

 private:
  cudaStream_t streams_[2];
};

// Rounds of a few launches each, in random streams.
void launch_in_streams(RandomGraph& graph, int rounds) {
  cudaGraphExec_t exec = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph.handle(), 0));
  Streams streams;
  for (int i = 0; i < rounds; ++i) {
    const int launches = 1 + static_cast<int>(graph.pick(3));
    graph.begin(launches);
    for (int k = 0; k < launches; ++k) EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, streams[graph.pick(2)]));
    graph.watch();
    streams.wait(graph.pick(2));
    graph.check();
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
}

TEST(GraphModel, RandomGraphsDoWhatANaiveInterpreterDoes) {
  const unsigned graphs = repetitions(50, 1000, 10'000);
  for (unsigned seed = 1; seed <= graphs; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    RandomGraph graph(seed, static_cast<int>(1 + random() % (random() % 8 ? 60 : 500)));
    graph.check_lists();
    replay_in_every_way(graph, graph.listed() ? 24 : 8);
    launch_in_streams(graph, 4);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(GraphModel, ManyReplaysOfOneGraph) {
  for (unsigned seed : {7u, 8u, 9u}) {
    RandomGraph graph(seed, 120);
    launch_in_streams(graph, repetitions(30, 500, 10'000));
  }
}

TEST(GraphModel, AGraphOfTenThousandNodes) {
  RandomGraph graph(11, 10'000);
  graph.check_lists();
  replay_in_every_way(graph, 2);
}

// A slow root with fast children. The thread that runs the root reserves some of the children; others remain for
// threads that arrive too early.
struct Fork {
  std::atomic<uint64_t> done{0};
  uint64_t replay = 0;
  exec::Lane* lane = nullptr;
  std::atomic<int> children{0}, early{0}, astray{0};

  static void root(const void* params, const reprise_launch*) {
    Fork& self = *test::parameter<Fork*>(params, 0);
    for (int i = 0; i < 1000; ++i) __builtin_ia32_pause();
    self.done = self.replay;
  }
  static void child(const void* params, const reprise_launch*) {
    Fork& self = *test::parameter<Fork*>(params, 0);
    if (self.done != self.replay) ++self.early;
    if (exec::Lane::current() != self.lane) ++self.astray;
    ++self.children;
  }
};

TEST(GraphModel, NothingRunsBesideASlowRoot) {
  static char stubs[2];
  const void* const addresses[] = {&stubs[0], &stubs[1]};
  const reprise_kernel kernels[] = {{"root", Fork::root, model::one_pointer, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                    {"child", Fork::child, model::one_pointer, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
  test::Registered registered("slow_root", kernels, 2, addresses);
  constexpr int children = 20;
  Fork fork;
  Fork* argument = &fork;
  void* arguments[] = {&argument};
  cudaKernelNodeParams params = {};
  params.func = &stubs[0];
  params.gridDim = params.blockDim = dim3(1);
  params.kernelParams = arguments;
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t root = nullptr, child = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&root, graph, nullptr, 0, &params));
  params.func = &stubs[1];
  for (int i = 0; i < children; ++i) {
    ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&child, graph, &root, 1, &params));
  }
  Ref<graph::Plan> plan = plan_of(graph);
  EXPECT_FALSE(plan->waits());
  graph::LaunchEvents events;
  plan->events().begin(events);
  const int replays = repetitions(300, 3000, 30'000);
  exec::Lane* const lanes[] = {&exec::Lane::acquire(0), &exec::Lane::acquire(0)};
  for (int i = 0; i < replays; ++i) {
    ++fork.replay;
    fork.lane = lanes[i % 2];
    exec::Lane::Helping running(fork.lane);
    plan->replay_in(graph::Replayer::Mode::parallel, &events);
  }
  for (exec::Lane* lane : lanes) lane->retire();
  EXPECT_EQ(children * replays, fork.children);
  EXPECT_EQ(0, fork.early) << "of " << fork.children;
  EXPECT_EQ(0, fork.astray) << "of " << fork.children << " did not know for which lane they ran";
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

// Includes the data for replays by several threads.
TEST(GraphModel, APlanHasAtMost512BytesForEachKernelNode) {
  static char stub;
  const void* const address = &stub;
  const reprise_kernel kernel = {
      "small", [](const void*, const reprise_launch*) {}, model::one_pointer, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}};
  test::Registered registered("plan_bytes", &kernel, 1, &address);
  constexpr size_t nodes = 1000;
  const std::pair<const char*, size_t (*)(size_t, size_t)> shapes[] = {
      {"chain", [](size_t i, size_t) { return i - 1; }},
      {"tree", [](size_t i, size_t) { return (i - 1) / 2; }},
      {"fork", [](size_t, size_t) { return size_t{0}; }},
      {"layers, each node after two of the one before",
       [](size_t i, size_t k) { return i < 20 ? i - 1 : i / 20 * 20 - 20 + (i * 7 + k * 3) % 20; }}};
  for (const auto& [name, before] : shapes) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
    std::vector<cudaGraphNode_t> all(nodes);
    for (size_t i = 0; i < nodes; ++i) {
      std::set<cudaGraphNode_t> after;
      for (size_t k = 0; k < 2 && i > 0; ++k) after.insert(all[before(i, k)]);
      const std::vector<cudaGraphNode_t> list(after.begin(), after.end());
      void* argument = nullptr;
      void* arguments[] = {&argument};
      cudaKernelNodeParams params = {};
      params.func = &stub;
      params.gridDim = params.blockDim = dim3(1);
      params.kernelParams = arguments;
      ASSERT_EQ(cudaSuccess, cudaGraphAddKernelNode(&all[i], graph, list.data(), list.size(), &params));
    }
    Ref<graph::Plan> plan = plan_of(graph);
    graph::LaunchEvents events;
    plan->events().begin(events);
    for (int i = 0; i < 3; ++i) plan->replay(&events);
    plan->replay_in(graph::Replayer::Mode::parallel, &events);
    EXPECT_LE(plan->bytes(), 512 * nodes) << name;
    EXPECT_GT(plan->bytes(), sizeof(graph::KernelStep) * nodes) << name;
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
  }
}

// ---- drawings ----------------------------------------------------------------------------------------------------

// Names of kernels: templates, lambdas, and the worst that a registration could contain.
constexpr const char* odd_names[] = {
    "_Z6kernelIZ4mainEUlifE_EvT_Pf",
    "void apply<main::{lambda(int, float)#1}>(main::{lambda(int, float)#1}, float*) [clone .isra.0]",
    "operator\"\" _km<'\\n', \"quoted\">",
    "ends with a backslash\\",
    "\\",
    "\"",
    "two\nlines\r\n and\ta tab",
    "-> ]; } /* // # \\N \\G \\l",
    "<b>bold</b> & caf\303\251 <<<1, 2>>>",
    ""};
constexpr int odd_count = std::size(odd_names);

class Drawings : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }

  // Every flag by itself, none, and all together. Graphviz draws only small ones; our parser checks all.
  void check(cudaGraph_t graph, int nodes, int edges, const char* format) {
    std::vector<unsigned> all = {0, ~0u};
    for (unsigned bit = 0; bit < 17; ++bit) all.push_back(1u << bit);
    for (unsigned flags : all) {
      ASSERT_EQ(cudaSuccess, cudaGraphDebugDotPrint(graph, path_.c_str(), flags));
      const std::string text = model::text_of(path_);
      model::DotText parsed(text);
      ASSERT_EQ("", parsed.mistake()) << "flags " << flags;
      EXPECT_EQ(nodes, parsed.nodes());
      EXPECT_EQ(edges, parsed.edges());
      if (graphviz_ && (flags & 5 || flags == 0)) {
        ASSERT_EQ("", model::graphviz_says(path_, format)) << "flags " << flags;
      }
    }
  }

 private:
  const std::string path_ = testing::TempDir() + "graph_model_" + std::to_string(getpid()) + ".dot";
  const bool graphviz_ = model::has_graphviz();
};

TEST_F(Drawings, OfRandomGraphs) {
  for (int seed = 1; seed <= repetitions(4, 40, 400); ++seed) {
    SCOPED_TRACE(seed);
    RandomGraph graph(static_cast<unsigned>(seed), seed % 4 ? 20 : 300);
    check(graph.handle(), graph.node_count(), graph.edge_count(), seed % 4 ? "svg" : "canon");
    if (HasFailure()) return;
  }
}

TEST_F(Drawings, OfKernelsWithOddNames) {
  static char stubs[odd_count];
  reprise_kernel kernels[odd_count];
  const void* addresses[odd_count];
  for (int i = 0; i < odd_count; ++i) {
    kernels[i] = {odd_names[i], [](const void*, const reprise_launch*) {}, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {}};
    addresses[i] = &stubs[i];
  }
  test::Registered registered("odd_names", kernels, odd_count, addresses);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0));
  for (int i = 0; i < odd_count; ++i) {
    cudaKernelNodeParams params = {};
    params.func = &stubs[i];
    params.gridDim = params.blockDim = dim3(1);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  }
  check(graph, odd_count, 0, "svg");
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
}

TEST(DotText, SeesMistakes) {
  for (const char* wrong :
       {"", "digraph", "digraph d {", "digraph d { \"a }", "digraph d { a -> ; }", "digraph d { a [x] ; }",
        "digraph d { a; } b", "digraph d { \"a\nb\"; }", "digraph d { a }", "graph d { }"}) {
    EXPECT_NE("", model::DotText(wrong).mistake()) << wrong;
  }
  EXPECT_EQ("", model::DotText("digraph d { a [x=1 y=\"\\\"\"]; subgraph s { label=\"l\"; b -> c; } }").mistake());
}

TEST(GraphModel, ManyThreadsEachWithItsGraph) {
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int seed = 0; seed < repetitions(5, 40, 200); ++seed) {
        RandomGraph graph(1000 + 1000 * t + seed, 40);
        launch_in_streams(graph, 5);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
