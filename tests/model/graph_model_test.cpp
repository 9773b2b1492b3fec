// Random graphs, with graphs inside, against a naive interpreter: the same results, and nothing before what it follows;
// replayed by one thread, by several, and as launches in streams.
#include <cstdlib>
#include <thread>

#include "../long_tests.h"
#include "graph/access.h"
#include "graph/plan.h"
#include "random_graph.h"

namespace {

using namespace reprise;
using model::RandomGraph;

Ref<graph::Plan> plan_of(cudaGraph_t handle) {
  Ref<graph::Plan> plan;
  EXPECT_EQ(cudaSuccess, graph::with_graph(handle, [&](graph::Graph& graph) {
              graph::Node* stuck = nullptr;
              Result<Ref<graph::Plan>> built = graph::Plan::build(graph, stuck);
              if (built.ok()) plan = *built;
              return built.status();
            }));
  return plan;
}

void replay_in_every_way(RandomGraph& graph, int times) {
  Ref<graph::Plan> plan = plan_of(graph.handle());
  for (int i = 0; i < times; ++i) {
    graph.begin(1);
    const graph::LaunchEvents events = plan->events().begin();
    graph.watch();
    switch (graph.pick(graph.waits() ? 2 : 3)) {
      case 0: plan->replay_together(&events); break;
      case 1: plan->replay(&events); break;
      default: plan->replay_alone(&events); break;
    }
    graph.check();
    if (testing::Test::HasFailure()) return;
  }
}

class Streams {
 public:
  Streams() {
    for (cudaStream_t& stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  ~Streams() {
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
  }
  cudaStream_t operator[](uint32_t i) const { return streams_[i]; }
  // In one of the ways in which programs wait.
  void wait(uint32_t way) const {
    for (cudaStream_t stream : streams_) {
      while (way == 0 && cudaStreamQuery(stream) == cudaErrorNotReady) std::this_thread::yield();
      EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    }
  }

 private:
  cudaStream_t streams_[2];
};

// Rounds of a few launches each, in any streams.
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
    replay_in_every_way(graph, 8);
    launch_in_streams(graph, 4);
    if (testing::Test::HasFailure()) break;
  }
}

TEST(GraphModel, ManyReplaysOfOneGraph) {
  for (unsigned seed : {7u, 8u}) {
    RandomGraph graph(seed, 120);
    launch_in_streams(graph, repetitions(30, 500, 10'000));
  }
}

TEST(GraphModel, AGraphOfTenThousandNodes) {
  RandomGraph graph(11, 10'000);
  graph.check_lists();
  replay_in_every_way(graph, 2);
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
