// Random programs of launches, events, waits, forks and joins over streams and threads: captured and replayed, they
// have the same effect as eagerly; and the graph has the edges that CUDA's rules, applied one by one, give it.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "hand_made_kernels.h"
#include "long_tests.h"

namespace {

using namespace reprise_runtime;

// Each node folds the cells that it reads into its own. The result depends on the order of all accesses to a cell,
// which the program's waits determine.
struct Arguments {
  uint64_t* cells;
  int node, reads, writes;
};
uint64_t mixed(uint64_t a, uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
}

void fold(const Arguments& a) {
  std::atomic_ref<uint64_t> to(a.cells[a.writes]), from(a.cells[a.reads]);
  to.store(
      mixed(to.load(std::memory_order_relaxed) + static_cast<uint64_t>(a.node), from.load(std::memory_order_relaxed)),
      std::memory_order_relaxed);
}
void fold_thunk(const void* params, const reprise_launch*) {
  fold({test::parameter<uint64_t*>(params, 0), test::parameter<int>(params, 8), test::parameter<int>(params, 12),
        test::parameter<int>(params, 16)});
}

constexpr reprise_param four[] = {{0, 8}, {8, 4}, {12, 4}, {16, 4}};
constexpr reprise_kernel kernels[] = {{"fold", fold_thunk, four, 4, 20, 0, 0, 0, 0, 0, 0, 0, 90, {}}};
char stub;
const void* const stubs[] = {&stub};
test::Registered registered("capture_model", kernels, 1, stubs);

void fold_on_host(void* data) { fold(*static_cast<Arguments*>(data)); }

enum class Kind { kernel, host, record, wait };
struct Step {
  Kind kind;
  int stream;
  int event = -1;
  int thread = 0;
  Arguments arguments{};
};

// A program in which streams and waits order every access to a cell.
struct Program {
  int streams = 1;
  std::vector<Step> steps;
  int nodes = 0;
};

// Nodes that must have ended before, and transitively all that those follow.
using Before = std::set<int>;

class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}

  Program write() {
    program_.streams = 1 + pick(8);
    threads_ = 1 + pick(4);
    entered_.assign(program_.streams, false);
    past_.resize(program_.streams);
    entered_[0] = true;
    const int steps = 5 + pick(60);
    for (int i = 0; i < steps; ++i) add();
    // All streams join the first.
    for (int stream = 1; stream < program_.streams; ++stream) {
      if (entered_[stream]) wait_for(0, stream);
    }
    return std::move(program_);
  }

 private:
  int pick(int below) { return std::uniform_int_distribution<int>(0, below - 1)(random_); }

  int entered_stream() {
    int stream = pick(program_.streams);
    while (!entered_[stream]) stream = (stream + 1) % program_.streams;
    return stream;
  }

  void add() {
    const int choice = pick(10);
    if (choice < 6) return add_node(entered_stream());
    if (choice < 8) return wait_for(pick(program_.streams), entered_stream());
    if (choice < 9) return push({Kind::record, entered_stream(), pick(events)});
    // An event in any state: recorded long ago, never, or again since.
    const int stream = entered_stream(), event = pick(events);
    push({Kind::wait, stream, event});
  }

  void push(Step step) {
    step.thread = pick(threads_);
    if (step.kind == Kind::record) recorded_[step.event] = past_[step.stream];
    if (step.kind == Kind::wait) {
      auto found = recorded_.find(step.event);
      if (found != recorded_.end()) past_[step.stream].insert(found->second.begin(), found->second.end());
      entered_[step.stream] = true;
    }
    program_.steps.push_back(step);
  }

  // By an event of its own.
  void wait_for(int waiter, int stream) {
    const int event = events + next_event_++ % 4;
    push({Kind::record, stream, event});
    push({Kind::wait, waiter, event});
  }

  void add_node(int stream) {
    const int node = program_.nodes++;
    Step step{pick(4) ? Kind::kernel : Kind::host, stream};
    step.arguments = {nullptr, node, cell_for(stream, false), 0};
    step.arguments.writes = cell_for(stream, true);
    writers_[step.arguments.writes] = {node};
    readers_[step.arguments.writes].clear();
    readers_[step.arguments.reads].insert(node);
    past_[stream].insert(node);
    push(step);
  }

  // A cell whose last write (and, to write it, whose reads) this stream already follows.
  int cell_for(int stream, bool write) {
    const int first = pick(cells);
    for (int i = 0; i < cells; ++i) {
      const int cell = (first + i) % cells;
      if (!followed(writers_[cell], stream)) continue;
      if (!write || followed(readers_[cell], stream)) return cell;
    }
    return cells + stream;  // one that only this stream touches
  }
  bool followed(const Before& nodes, int stream) {
    for (int node : nodes) {
      if (!past_[stream].count(node)) return false;
    }
    return true;
  }

  static constexpr int events = 4;
  static constexpr int cells = 6;

  std::mt19937 random_;
  Program program_;
  int threads_ = 1;
  int next_event_ = 0;
  std::vector<bool> entered_;
  std::vector<Before> past_;
  std::map<int, Before> recorded_;
  std::map<int, Before> writers_, readers_;
};

constexpr int all_cells = 6 + 8;
using Cells = std::vector<uint64_t>;
using Edges = std::set<std::pair<int, int>>;

// The dependencies of each stream's next node, tracked call by call.
Edges model_edges(const Program& program) {
  std::map<int, std::set<int>> streams, events;
  Edges edges;
  for (const Step& step : program.steps) {
    std::set<int>& next = streams[step.stream];
    if (step.kind == Kind::record) {
      events[step.event] = next;
    } else if (step.kind == Kind::wait) {
      if (auto found = events.find(step.event); found != events.end())
        next.insert(found->second.begin(), found->second.end());
    } else {
      for (int before : next) edges.insert({before, step.arguments.node});
      next = {step.arguments.node};
    }
  }
  return edges;
}

class Runner {
 public:
  explicit Runner(Program program) : program_(std::move(program)), cells_(all_cells), host_arguments_(program_.nodes) {
    for (int i = 0; i < program_.streams; ++i) {
      cudaStream_t stream = nullptr;
      EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, i % 2 ? cudaStreamDefault : cudaStreamNonBlocking));
      streams_.push_back(stream);
    }
    for (int i = 0; i < 8; ++i) {
      cudaEvent_t event = nullptr;
      EXPECT_EQ(cudaSuccess, cudaEventCreateWithFlags(&event, i % 2 ? cudaEventDefault : cudaEventDisableTiming));
      events_.push_back(event);
    }
  }
  ~Runner() {
    for (cudaStream_t stream : streams_) EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
    for (cudaEvent_t event : events_) EXPECT_EQ(cudaSuccess, cudaEventDestroy(event));
  }

  Cells run_eagerly() {
    clear();
    call_all();
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(streams_[0]));
    return cells_;
  }

  Cells replay(int times) {
    clear();
    EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(streams_[0], cudaStreamCaptureModeGlobal));
    call_all();
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(streams_[0], &graph));
    EXPECT_EQ(Cells(all_cells), cells_) << "a captured program ran";
    EXPECT_EQ(model_edges(program_), edges_of(graph));
    cudaGraphExec_t exec = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < times; ++i) {
      clear();
      EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, streams_[0]));
      EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(streams_[0]));
    }
    EXPECT_EQ(cudaSuccess, cudaGraphExecDestroy(exec));
    EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
    return cells_;
  }

 private:
  void clear() { std::fill(cells_.begin(), cells_.end(), 0); }

  // In the order of the program, each step by its own thread.
  void call_all() {
    std::mutex mutex;
    std::condition_variable changed;
    size_t next = 0;
    auto work = [&](int thread) {
      std::unique_lock lock(mutex);
      while (next < program_.steps.size()) {
        if (program_.steps[next].thread != thread) {
          changed.wait(lock);
          continue;
        }
        call(program_.steps[next++]);
        changed.notify_all();
      }
    };
    std::vector<std::thread> threads;
    for (int thread = 1; thread < 4; ++thread) threads.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : threads) thread.join();
  }

  void call(const Step& step) {
    cudaStream_t stream = streams_[step.stream];
    Arguments arguments = step.arguments;
    arguments.cells = cells_.data();
    switch (step.kind) {
      case Kind::kernel: {
        void* pointers[] = {&arguments.cells, &arguments.node, &arguments.reads, &arguments.writes};
        EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stub, dim3(1), dim3(1), pointers, 0, stream));
        break;
      }
      case Kind::host:
        host_arguments_[arguments.node] = arguments;
        EXPECT_EQ(cudaSuccess, cudaLaunchHostFunc(stream, fold_on_host, &host_arguments_[arguments.node]));
        break;
      case Kind::record:
        EXPECT_EQ(cudaSuccess, cudaEventRecord(events_[step.event], stream));
        break;
      case Kind::wait:
        EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(stream, events_[step.event], 0));
        break;
    }
  }

  int number_of(cudaGraphNode_t node) {
    cudaGraphNodeType type{};
    EXPECT_EQ(cudaSuccess, cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) {
      cudaKernelNodeParams params{};
      EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeGetParams(node, &params));
      return *static_cast<int*>(params.kernelParams[1]);
    }
    cudaHostNodeParams params{};
    EXPECT_EQ(cudaSuccess, cudaGraphHostNodeGetParams(node, &params));
    return static_cast<Arguments*>(params.userData)->node;
  }

  Edges edges_of(cudaGraph_t graph) {
    size_t count = 0, nodes = 0;
    EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(static_cast<size_t>(program_.nodes), nodes);
    EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
    std::vector<cudaGraphNode_t> from(count), to(count);
    std::vector<cudaGraphEdgeData> data(count);
    EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count));
    Edges edges;
    for (size_t i = 0; i < count; ++i) edges.insert({number_of(from[i]), number_of(to[i])});
    EXPECT_EQ(count, edges.size());
    return edges;
  }

  const Program program_;
  Cells cells_;
  std::vector<Arguments> host_arguments_;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> events_;
};

int rounds() { return repetitions(60, 1000, 5000); }

}  // namespace

TEST(CaptureModel, ReplaysLeaveWhatEagerRunsLeave) {
  const unsigned seed = static_cast<unsigned>(testing::UnitTest::GetInstance()->random_seed());
  for (int i = 0; i < rounds() && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE("seed " + std::to_string(seed) + ", program " + std::to_string(i));
    const Program program = Writer(seed * 100'003u + static_cast<unsigned>(i)).write();
    const Cells captured = Runner(program).replay(2);
    const Cells eager = Runner(program).run_eagerly();
    EXPECT_EQ(eager, captured);
  }
}

// Threads that capture at the same time do not see each other.
TEST(CaptureModel, ThreadsCaptureSideBySide) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([] {
      cudaStream_t stream = nullptr, other = nullptr;
      cudaEvent_t fork = nullptr, join = nullptr;
      EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
      EXPECT_EQ(cudaSuccess, cudaEventCreate(&fork));
      EXPECT_EQ(cudaSuccess, cudaEventCreate(&join));
      Cells cells(all_cells);
      for (int round = 0; round < 50; ++round) {
        EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < 10; ++i) {
          uint64_t* at = cells.data();
          int node = i, reads = i % 3, writes = i % 5;
          void* pointers[] = {&at, &node, &reads, &writes};
          EXPECT_EQ(cudaSuccess, cudaEventRecord(fork, stream));
          EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(other, fork, 0));
          EXPECT_EQ(cudaSuccess, cudaLaunchKernel(&stub, dim3(1), dim3(1), pointers, 0, other));
          EXPECT_EQ(cudaSuccess, cudaEventRecord(join, other));
          EXPECT_EQ(cudaSuccess, cudaStreamWaitEvent(stream, join, 0));
        }
        cudaGraph_t graph = nullptr;
        size_t nodes = 0, edges = 0;
        EXPECT_EQ(cudaSuccess, cudaStreamEndCapture(stream, &graph));
        EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &nodes));
        EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
        EXPECT_EQ(10u, nodes);
        // The stream has captured nothing itself, so each fork follows all earlier joins.
        EXPECT_EQ(45u, edges);
        EXPECT_EQ(cudaSuccess, cudaGraphDestroy(graph));
        // Other threads may capture in thread-local mode, which does not affect them.
        void* address = nullptr;
        EXPECT_EQ(cudaSuccess, cudaMalloc(&address, 64));
        EXPECT_EQ(cudaSuccess, cudaFree(address));
      }
      EXPECT_EQ(cudaSuccess, cudaEventDestroy(fork));
      EXPECT_EQ(cudaSuccess, cudaEventDestroy(join));
      EXPECT_EQ(cudaSuccess, cudaStreamDestroy(stream));
      EXPECT_EQ(cudaSuccess, cudaStreamDestroy(other));
    });
  }
  for (std::thread& thread : threads) thread.join();
}
