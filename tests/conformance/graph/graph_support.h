// Shared by the graph tests, in addition to support.h.
//
//   ASK_CASE(case, expected, call)   a question out of a table: the printed line names the case, not the expression
//   ASK_FACT(case, expected, value)  the same, with another type of answer
//   TELL(case, value)                prints a fact with PROBE=1 and expects nothing
//   CRASHES_ON_NVIDIA(what)          from here on the test is for the CPU device, where the answer is an error
#pragma once

#include <algorithm>
#include <array>
#include <csetjmp>
#include <csignal>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "support.h"

namespace conformance {

// While NVIDIA's runtime is probed, a question that crashes it is answered as error -11, and the next one is asked.
inline sigjmp_buf after_the_crash;

inline void leave_the_crash(int) { siglongjmp(after_the_crash, 1); }

template <typename Call>
cudaError_t guarded(Call call) {
  if (!probing() || !on_nvidia()) return call();
  struct sigaction guard{}, before{};
  guard.sa_handler = leave_the_crash;
  guard.sa_flags = SA_NODEFER;
  sigaction(SIGSEGV, &guard, &before);
  const cudaError_t answer = sigsetjmp(after_the_crash, 1) == 0 ? call() : static_cast<cudaError_t>(-11);
  sigaction(SIGSEGV, &before, nullptr);
  return answer;
}

#undef ASK
#define ASK(expected, ...)                                                                      \
  EXPECT_TRUE(conformance::answered(#__VA_ARGS__, __LINE__, static_cast<cudaError_t>(expected), \
                                    conformance::guarded([&] { return __VA_ARGS__; })))
#define ASK_CASE(question, expected, ...)                                                                        \
  EXPECT_TRUE(conformance::answered(std::string(question).c_str(), __LINE__, static_cast<cudaError_t>(expected), \
                                    conformance::guarded([&] { return __VA_ARGS__; })))
#define TELL(question, ...) \
  conformance::tell(std::string(question).c_str(), __LINE__, testing::PrintToString(__VA_ARGS__))
#define ASK_FACT(question, expected, ...) \
  EXPECT_TRUE(conformance::answered_value(std::string(question).c_str(), __LINE__, expected, __VA_ARGS__))
#define TELL_ERROR(question, ...)                            \
  conformance::tell(std::string(question).c_str(), __LINE__, \
                    conformance::named(conformance::guarded([&] { return __VA_ARGS__; })))

#define CRASHES_ON_NVIDIA(what) \
  if (conformance::on_nvidia()) GTEST_SKIP() << "crashes NVIDIA's runtime: " << what

using Nodes = std::vector<cudaGraphNode_t>;
using Edge = std::pair<cudaGraphNode_t, cudaGraphNode_t>;

inline bool operator==(const cudaGraphEdgeData& a, const cudaGraphEdgeData& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

inline cudaGraphEdgeData edge_data(unsigned char from_port, unsigned char to_port, unsigned char type) {
  cudaGraphEdgeData data{};
  data.from_port = from_port;
  data.to_port = to_port;
  data.type = type;
  return data;
}

inline const cudaGraphEdgeData programmatic =
    edge_data(cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic);

inline Nodes nodes_of(cudaGraph_t graph) {
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &count));
  Nodes nodes(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph, nodes.data(), &count));
  return nodes;
}

inline Nodes roots_of(cudaGraph_t graph) {
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphGetRootNodes(graph, nullptr, &count));
  Nodes nodes(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphGetRootNodes(graph, nodes.data(), &count));
  return nodes;
}

inline std::vector<Edge> edges_of(cudaGraph_t graph) {
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  Nodes from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count));
  std::vector<Edge> edges;
  for (size_t i = 0; i < count; ++i) edges.emplace_back(from[i], to[i]);
  return edges;
}

inline Nodes dependencies_of(cudaGraphNode_t node) {
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependencies(node, nullptr, nullptr, &count));
  Nodes nodes(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependencies(node, nodes.data(), data.data(), &count));
  return nodes;
}

inline Nodes dependents_of(cudaGraphNode_t node) {
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &count));
  Nodes nodes(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphNodeGetDependentNodes(node, nodes.data(), data.data(), &count));
  return nodes;
}

template <typename T>
std::set<T> as_set(const std::vector<T>& items) {
  return std::set<T>(items.begin(), items.end());
}

// "0 2 1": the index in `among` of each node of `shown`, to print and compare orders.
inline std::string places(const Nodes& shown, const Nodes& among) {
  std::string text;
  for (auto node : shown) {
    const auto at = std::find(among.begin(), among.end(), node);
    if (!text.empty()) text += ' ';
    text += at == among.end() ? "?" : std::to_string(at - among.begin());
  }
  return text;
}

inline std::string edge_places(const std::vector<Edge>& shown, const Nodes& among) {
  std::string text;
  for (const auto& edge : shown) {
    if (!text.empty()) text += ' ';
    text += places({edge.first}, among) + ">" + places({edge.second}, among);
  }
  return text;
}

template <typename... Arguments>
cudaKernelNodeParams kernel_params(void (*kernel)(Arguments...), void** arguments, dim3 grid = 1, dim3 block = 1,
                                   unsigned shared_bytes = 0) {
  cudaKernelNodeParams params{};
  params.func = reinterpret_cast<void*>(kernel);
  params.gridDim = grid;
  params.blockDim = block;
  params.sharedMemBytes = shared_bytes;
  params.kernelParams = arguments;
  return params;
}

inline cudaMemsetParams memset_params(void* dst, unsigned value, unsigned element_size, size_t width, size_t height = 1,
                                      size_t pitch = 0) {
  cudaMemsetParams params{};
  params.dst = dst;
  params.value = value;
  params.elementSize = element_size;
  params.width = width;
  params.height = height;
  params.pitch = pitch;
  return params;
}

// For cudaGraphAddNode: `child` itself, not a copy of it, becomes a child graph.
inline cudaGraphNodeParams moved(cudaGraph_t child) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeGraph;
  params.graph.graph = child;
  params.graph.ownership = cudaGraphChildGraphOwnershipMove;
  return params;
}

// Owns a graph, with short calls to add nodes.
class Graph {
 public:
  Graph() { EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph_, 0)); }
  explicit Graph(cudaGraph_t taken) : graph_(taken) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    if (graph_) (void)cudaGraphDestroy(graph_);
  }
  operator cudaGraph_t() const { return graph_; }
  cudaGraph_t release() { return std::exchange(graph_, nullptr); }

  cudaGraphNode_t empty(const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&node, graph_, after.data(), after.size()));
    return node;
  }
  template <typename... Parameters, typename... Arguments>
  cudaGraphNode_t kernel(const Nodes& after, void (*kernel)(Parameters...), Arguments... arguments) {
    std::tuple<Parameters...> values(arguments...);
    auto array = std::apply(
        [](auto&... each) { return std::array<void*, sizeof...(each) + 1>{static_cast<void*>(&each)...}; }, values);
    const auto params = kernel_params(kernel, array.data());
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }
  cudaGraphNode_t store(int* where, int value, const Nodes& after = {}) {
    return kernel(after, conformance::store, where, value);
  }
  cudaGraphNode_t copy(void* dst, const void* src, size_t bytes, const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess,
              cudaGraphAddMemcpyNode1D(&node, graph_, after.data(), after.size(), dst, src, bytes, cudaMemcpyDefault));
    return node;
  }
  cudaGraphNode_t set(void* dst, unsigned value, size_t bytes, const Nodes& after = {}) {
    const auto params = memset_params(dst, value, 1, bytes);
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }
  cudaGraphNode_t host(cudaHostFn_t function, void* data, const Nodes& after = {}) {
    cudaHostNodeParams params{};
    params.fn = function;
    params.userData = data;
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&node, graph_, after.data(), after.size(), &params));
    return node;
  }
  cudaGraphNode_t child(cudaGraph_t inner, const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddChildGraphNode(&node, graph_, after.data(), after.size(), inner));
    return node;
  }
  cudaGraphNode_t record(cudaEvent_t event, const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddEventRecordNode(&node, graph_, after.data(), after.size(), event));
    return node;
  }
  cudaGraphNode_t wait(cudaEvent_t event, const Nodes& after = {}) {
    cudaGraphNode_t node = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddEventWaitNode(&node, graph_, after.data(), after.size(), event));
    return node;
  }
  cudaError_t edge(cudaGraphNode_t from, cudaGraphNode_t to, const cudaGraphEdgeData* data = nullptr) {
    return cudaGraphAddDependencies(graph_, &from, &to, data, 1);
  }

 private:
  cudaGraph_t graph_ = nullptr;
};

class Exec {
 public:
  explicit Exec(cudaGraph_t graph, unsigned long long flags = 0) {
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec_, graph, flags));
  }
  Exec(const Exec&) = delete;
  Exec& operator=(const Exec&) = delete;
  ~Exec() {
    if (exec_) (void)cudaGraphExecDestroy(exec_);
  }
  operator cudaGraphExec_t() const { return exec_; }
  cudaGraphExec_t release() { return std::exchange(exec_, nullptr); }

 private:
  cudaGraphExec_t exec_ = nullptr;
};

// Instantiates, launches once, waits.
inline void run(cudaGraph_t graph) {
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
  EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
}

// The order in which host functions ran. Each gets one of the journal's entries as its data.
class Journal {
 public:
  struct Entry {
    Journal* journal;
    int id;
  };
  explicit Journal(int entries) {
    for (int i = 0; i < entries; ++i) entries_.push_back({this, i});
  }
  void* entry(int id) { return &entries_.at(id); }
  std::vector<int> read() {
    std::lock_guard<std::mutex> lock(mutex_);
    return order_;
  }
  static void CUDART_CB write(void* data) {
    auto* entry = static_cast<Entry*>(data);
    std::lock_guard<std::mutex> lock(entry->journal->mutex_);
    entry->journal->order_.push_back(entry->id);
  }

 private:
  std::vector<Entry> entries_;
  std::mutex mutex_;
  std::vector<int> order_;
};

inline void CUDART_CB count_call(void* data) { static_cast<std::atomic<int>*>(data)->fetch_add(1); }

// Each kernel takes the next number of a counter, which records their order.
[[maybe_unused]] static __global__ void take_turn(int* counter, int* turn) { *turn = atomicAdd(counter, 1); }

[[maybe_unused]] static __global__ void nothing() {}

class Graphs : public Runtime {
 protected:
  Graph graph;
};

}  // namespace conformance
