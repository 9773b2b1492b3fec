// Random graphs with graph memory: allocations that may be live together do not overlap, data stays until it is
// freed, launches and frees are refused as the model says, and the address range is little larger than necessary.
#include <cstdlib>
#include <set>
#include <thread>

#include "graph/define/access.h"
#include "long_tests.h"
#include "memory_graph.h"

namespace {

using namespace reprise_runtime;
using model::ByteCheck;
using model::MemoryGraph;
using model::MemoryShape;
using model::pick;
using model::Random;

bool overlap(const MemoryGraph::Allocation& a, const MemoryGraph::Allocation& b) {
  return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

TEST(MemoryModel, AllocationsLiveTogetherDoNotOverlap) {
  const int count = repetitions(200, 1000, 3000);
  size_t shared = 0;
  for (int seed = 0; seed < count; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    std::atomic<int> wrong{0};
    MemoryGraph graph(random, {60, 1 << 20, pick(random, 3) == 0, 15}, wrong);
    const auto& all = graph.allocations();
    for (size_t i = 0; i < all.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        if (!overlap(all[i], all[j])) continue;
        ++shared;
        ASSERT_FALSE(graph.may_overlap(all[i], all[j])) << "seed " << seed << ": allocations " << j << " and " << i;
      }
    }
  }
  EXPECT_GT(shared, static_cast<size_t>(count)) << "hardly an address was used twice";
}

TEST(MemoryModel, AddressesTakeLittleMoreThanTheyMust) {
  const int count = repetitions(150, 400, 1000);
  for (bool chain : {true, false}) {
    double sum = 0, worst = 0;
    for (int seed = 0; seed < count; ++seed) {
      Random random(static_cast<uint64_t>(seed) + 1000);
      std::atomic<int> wrong{0};
      MemoryGraph graph(random, {70, 256 << 10, chain, 0}, wrong);
      size_t footprint = 0;
      ASSERT_EQ(cudaSuccess, graph::with_graph(graph.handle(), [&](graph::Graph& inner) {
                  footprint = inner.layout()->footprint();
                  return cudaSuccess;
                }));
      const double over = static_cast<double>(footprint) / static_cast<double>(graph.least_bytes());
      sum += over;
      worst = std::max(worst, over);
    }
    std::printf("%s: %.3f of the least bytes on average, %.3f at worst\n", chain ? "chains" : "graphs", sum / count,
                worst);
    EXPECT_LT(sum / count, 1.15) << (chain ? "chains" : "graphs");
  }
}

// Graphs launched in streams of one thread, with a model of which allocations are live.
class Program {
 public:
  Program(uint64_t seed, bool alone, std::atomic<int>& wrong, std::atomic<int>& failures)
      : random_(seed), alone_(alone), wrong_(wrong), failures_(failures), streams_(2) {
    for (cudaStream_t& stream : streams_)
      expect(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    for (int i = 0; i < 3; ++i) add_graph();
  }
  ~Program() {
    while (!graphs_.empty()) remove_graph(graphs_.size() - 1);
    for (cudaStream_t stream : streams_) {
      expect(cudaSuccess, cudaStreamSynchronize(stream));
      expect(cudaSuccess, cudaStreamDestroy(stream));
    }
  }

  void step() {
    const size_t at = pick(random_, graphs_.size());
    switch (pick(random_, 12)) {
      case 0:
        remove_graph(at);
        return add_graph();
      case 1:
        return expect(cudaSuccess, cudaDeviceGraphMemTrim(0));
      case 2:
        return expect(cudaSuccess, cudaGraphUpload(graphs_[at].exec, some_stream()));
      case 3:
      case 4:
      case 5:
        return free_some(graphs_[at]);
      case 6:
        return expect(cudaSuccess, cudaStreamSynchronize(some_stream()));
      default:
        return launch(graphs_[at]);
    }
  }

 private:
  struct Made {
    std::unique_ptr<MemoryGraph> graph;
    cudaGraphExec_t exec = nullptr;
    bool auto_free = false;
    std::set<const MemoryGraph::Allocation*> live;
    cudaStream_t last = nullptr;  // of the last launch
  };

  void expect(cudaError_t wanted, cudaError_t got, int line = __builtin_LINE()) {
    if (wanted == got) return;
    ++failures_;
    std::printf("line %d: %s, not %s\n", line, cudaGetErrorName(got), cudaGetErrorName(wanted));
  }
  cudaStream_t some_stream() { return streams_[pick(random_, streams_.size())]; }

  void add_graph() {
    Made made;
    const MemoryShape shape{12 + pick(random_, 30), size_t{1} << (12 + pick(random_, 8)), pick(random_, 2) == 0, 25};
    made.graph = std::make_unique<MemoryGraph>(random_, shape, wrong_);
    made.auto_free = pick(random_, 3) == 0;
    expect(cudaSuccess, cudaGraphInstantiate(&made.exec, made.graph->handle(),
                                             made.auto_free ? cudaGraphInstantiateFlagAutoFreeOnLaunch : 0));
    graphs_.push_back(std::move(made));
  }

  // Its memory outlives it if it is freed later.
  void remove_graph(size_t at) {
    Made made = std::move(graphs_[at]);
    graphs_.erase(graphs_.begin() + static_cast<long>(at));
    // Host functions of its launches use data of the model's graph.
    for (cudaStream_t stream : streams_) expect(cudaSuccess, cudaStreamSynchronize(stream));
    expect(cudaSuccess, cudaGraphExecDestroy(made.exec));
    const std::vector<MemoryGraph::Allocation> left = [&] {
      std::vector<MemoryGraph::Allocation> all;
      for (const auto* each : made.live) all.push_back(*each);
      return all;
    }();
    made.graph.reset();
    for (const auto& each : left) {
      ByteCheck check{each.address, each.bytes, each.value, &wrong_};
      ByteCheck::run(&check);
      expect(cudaSuccess, cudaFree(each.address));
      // The address is free, unless another thread has allocated it.
      if (alone_) expect(cudaErrorInvalidValue, cudaFree(each.address));
    }
  }

  void launch(Made& made) {
    const cudaStream_t stream = some_stream();
    const bool refused = !made.live.empty() && !made.auto_free;
    expect(refused ? cudaErrorInvalidValue : cudaSuccess, cudaGraphLaunch(made.exec, stream));
    if (refused) return;
    made.live.clear();
    made.last = stream;
    for (const auto* each : made.graph->kept()) made.live.insert(each);
  }

  // Live data is intact, in the order of the stream that allocated it; then it is freed.
  void free_some(Made& made) {
    const auto kept = made.graph->kept();
    if (kept.empty()) return;
    const auto* allocation = kept[pick(random_, kept.size())];
    const bool live = made.live.erase(allocation);
    if (!live) {
      expect(cudaErrorInvalidValue, cudaFreeAsync(allocation->address, some_stream()));
      return;
    }
    auto* check = new ByteCheck{allocation->address, allocation->bytes, allocation->value, &wrong_};
    expect(cudaSuccess, cudaLaunchHostFunc(
                            made.last,
                            [](void* data) {
                              ByteCheck::run(data);
                              delete static_cast<ByteCheck*>(data);
                            },
                            check));
    switch (pick(random_, 3)) {
      case 0:
        return expect(cudaSuccess, cudaFree(allocation->address));
      case 1:
        return free_by_graph(*allocation, made.last);
      default:
        return expect(cudaSuccess, cudaFreeAsync(allocation->address, made.last));
    }
  }

  void free_by_graph(const MemoryGraph::Allocation& allocation, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    cudaGraphExec_t exec = nullptr;
    expect(cudaSuccess, cudaGraphCreate(&graph, 0));
    expect(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, allocation.address));
    expect(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    expect(cudaSuccess, cudaGraphLaunch(exec, stream));
    expect(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
    expect(cudaSuccess, cudaGraphExecDestroy(exec));
    expect(cudaSuccess, cudaGraphDestroy(graph));
  }

  Random random_;
  const bool alone_;  // no other thread has graphs
  std::atomic<int>& wrong_;
  std::atomic<int>& failures_;
  std::vector<cudaStream_t> streams_;
  std::vector<Made> graphs_;
};

void run_programs(int threads, int programs, int steps) {
  for (int round = 0; round < programs; ++round) {
    std::atomic<int> wrong{0}, failures{0};
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i) {
      all.emplace_back([&, i] {
        Program program(static_cast<uint64_t>(round * 64 + i), threads == 1, wrong, failures);
        for (int step = 0; step < steps; ++step) program.step();
      });
    }
    for (std::thread& thread : all) thread.join();
    ASSERT_EQ(0, wrong.load()) << "round " << round << ": memory that was not what was written";
    ASSERT_EQ(0, failures.load()) << "round " << round << ": answers that the model does not give";
  }
}

TEST(MemoryModel, DataSurvivesAsLongAsItShould) { run_programs(1, repetitions(15, 60, 200), 60); }
TEST(MemoryModel, ManyThreadsShareTheMemory) { run_programs(3, repetitions(6, 30, 100), 60); }

// Host functions that meet: all of their graphs run concurrently.
struct Meeting {
  std::atomic<int> arrived{0};
  int expected;

  static void attend(void* data) {
    auto& meeting = *static_cast<Meeting*>(data);
    ++meeting.arrived;
    while (meeting.arrived < meeting.expected) std::this_thread::yield();
  }
};

// Allocation, memset, meeting with the others, check, free.
class MeetingGraph {
 public:
  MeetingGraph(Meeting& meeting, unsigned char value, std::atomic<int>& wrong) {
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 100'000;
    EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0));
    cudaGraphNode_t node = nullptr, before = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&before, graph_, nullptr, 0, &params));
    check_ = {static_cast<unsigned char*>(params.dptr), params.bytesize, value, &wrong};
    const cudaMemsetParams set{params.dptr, 0, value, 1, params.bytesize, 1};
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, &before, 1, &set));
    for (const cudaHostNodeParams& host :
         {cudaHostNodeParams{&Meeting::attend, &meeting}, cudaHostNodeParams{&ByteCheck::run, &check_}}) {
      before = node;
      EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&node, graph_, &before, 1, &host));
    }
    before = node;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&node, graph_, &before, 1, params.dptr));
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph_, 0));
  }
  ~MeetingGraph() {
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec_));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph_));
  }
  MeetingGraph(const MeetingGraph&) = delete;
  MeetingGraph& operator=(const MeetingGraph&) = delete;
  cudaGraphExec_t exec() const { return exec_; }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
  ByteCheck check_{};
};

// First in one stream, where they share memory; then concurrently.
TEST(MemoryModel, GraphsThatRunAtOnceShareNothing) {
  constexpr int count = 3;
  std::atomic<int> wrong{0};
  Meeting meeting;
  std::vector<std::unique_ptr<MeetingGraph>> graphs;
  cudaStream_t streams[count];
  for (int i = 0; i < count; ++i) {
    graphs.push_back(std::make_unique<MeetingGraph>(meeting, static_cast<unsigned char>(i + 1), wrong));
    ASSERT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
  }
  for (int round = 0; round < 6; ++round) {
    const bool together = round % 2;
    meeting.expected = together ? count : 0;
    meeting.arrived = 0;
    for (int i = 0; i < count; ++i) {
      const cudaStream_t stream = streams[together ? (i + round) % count : 0];
      ASSERT_EQ(cudaSuccess, cudaGraphLaunch(graphs[static_cast<size_t>(i)]->exec(), stream));
    }
    ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
    ASSERT_EQ(0, wrong.load()) << "round " << round;
  }
  for (cudaStream_t stream : streams) ASSERT_EQ(cudaSuccess, cudaStreamDestroy(stream));
}

// Each has addresses of its own.
TEST(MemoryModel, ThousandsOfGraphsHaveMemory) {
#if defined(__has_feature) && __has_feature(thread_sanitizer)
  constexpr size_t count = 500;  // it leaves few addresses
#else
  constexpr size_t count = 4500;
#endif
  std::vector<cudaGraph_t> graphs(count);
  std::vector<cudaGraphExec_t> execs(count);
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(cudaSuccess, cudaGraphCreate(&graphs[i], 0));
    cudaMemAllocNodeParams params{};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location = {cudaMemLocationTypeDevice, 0};
    params.bytesize = 1000;
    cudaGraphNode_t node = nullptr, last = nullptr;
    ASSERT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&node, graphs[i], nullptr, 0, &params)) << "graph " << i;
    ASSERT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&last, graphs[i], &node, 1, params.dptr));
    ASSERT_EQ(cudaSuccess, cudaGraphInstantiate(&execs[i], graphs[i], 0));
    ASSERT_EQ(cudaSuccess, cudaGraphLaunch(execs[i], nullptr));
  }
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  for (size_t i = 0; i < count; ++i) {
    ASSERT_EQ(cudaSuccess, cudaGraphExecDestroy(execs[i]));
    ASSERT_EQ(cudaSuccess, cudaGraphDestroy(graphs[i]));
  }
}

TEST(MemoryModel, AllMemoryGoesBackInTheEnd) {
  ASSERT_EQ(cudaSuccess, cudaDeviceSynchronize());
  ASSERT_EQ(cudaSuccess, cudaDeviceGraphMemTrim(0));
  unsigned long long reserved = 1;
  ASSERT_EQ(cudaSuccess, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &reserved));
  EXPECT_EQ(0u, reserved);
}

}  // namespace
