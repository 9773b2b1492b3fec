// Instantiation: flags and results; an executable graph is a snapshot of its graph.
#include "graph/graph_support.h"

namespace {

class GraphInstantiate : public Graphs {
 protected:
  DeviceArray<int> cell{4};
  Stream stream{cudaStreamNonBlocking};

  void launch(cudaGraphExec_t exec) {
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
  }
};

TEST_F(GraphInstantiate, AnEmptyGraphCanBeInstantiatedAndLaunched) {
  Exec exec(graph);
  launch(exec);
}

TEST_F(GraphInstantiate, LaterChangesOfTheTemplateDoNotShow) {
  const auto node = graph.store(cell.get(), 1);
  const auto other = graph.store(cell.get() + 1, 1);
  Exec exec(graph);
  int* where = cell.get() + 2;
  int value = 2;
  void* arguments[] = {&where, &value};
  const auto params = kernel_params(store, arguments);
  MUST(cudaGraphKernelNodeSetParams(node, &params));
  MUST(cudaGraphDestroyNode(other));
  graph.store(cell.get() + 3, 3, {node});
  launch(exec);
  EXPECT_EQ((std::vector<int>{1, 1, 0, 0}), cell.read());
  Exec again(graph);
  launch(again);
  EXPECT_EQ((std::vector<int>{1, 1, 2, 3}), cell.read());
}

TEST_F(GraphInstantiate, OutlivesItsTemplate) {
  Graph short_lived;
  short_lived.store(cell.get(), 5);
  Exec exec(short_lived);
  MUST(cudaGraphDestroy(short_lived.release()));
  launch(exec);
  EXPECT_EQ(5, cell.read()[0]);
}

TEST_F(GraphInstantiate, OneTemplateGivesManyExecutableGraphs) {
  graph.kernel({}, add_one, cell.get());
  Exec a(graph), b(graph), c(graph);
  launch(a);
  launch(b);
  launch(c);
  launch(a);
  EXPECT_EQ(4, cell.read()[0]);
}

TEST_F(GraphInstantiate, FlagsAreChecked) {
  graph.kernel({}, nothing);
  const cudaError_t bad = cudaErrorInvalidValue, ok = cudaSuccess;
  const std::pair<unsigned long long, cudaError_t> rows[] = {
      {0, ok}, {1, ok},  {2, bad},  {3, bad},  {4, ok},   {5, bad},  {6, bad},          {8, ok},
      {9, ok}, {12, ok}, {13, bad}, {16, bad}, {32, bad}, {64, bad}, {1ull << 32, bad}, {~0ull, bad}};
  for (const auto& row : rows) {
    const auto flags = row.first;
    const auto expected = row.second;
    cudaGraphExec_t exec = nullptr;
    ASK_CASE("cudaGraphInstantiate flags " + std::to_string(flags), expected,
             cudaGraphInstantiate(&exec, graph, flags));
    if (exec) {
      unsigned long long told = 77;
      MUST(cudaGraphExecGetFlags(exec, &told));
      EXPECT_EQ(flags & ~8ull, told) << "the use of node priorities is not told";
      MUST(cudaGraphExecDestroy(exec));
      exec = nullptr;
    }
    ASK_CASE("cudaGraphInstantiateWithFlags flags " + std::to_string(flags), expected,
             cudaGraphInstantiateWithFlags(&exec, graph, flags));
    if (exec) MUST(cudaGraphExecDestroy(exec));
    exec = nullptr;
    cudaGraphInstantiateParams params{};
    params.flags = flags;
    params.uploadStream = stream;
    const auto answer = cudaGraphInstantiateWithParams(&exec, graph, &params);
    // With a stream given, the graph may be uploaded as well.
    const bool fine = expected == cudaSuccess || flags == 2 || flags == 3 || flags == 6;
    ASK_CASE("cudaGraphInstantiateWithParams flags " + std::to_string(flags), fine ? ok : bad, answer);
    EXPECT_EQ(fine ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError, params.result_out) << flags;
    if (exec) {
      unsigned long long told = 77;
      MUST(cudaGraphExecGetFlags(exec, &told));
      ASK_FACT("flags told for " + std::to_string(flags), flags & 5, told);
      MUST(cudaStreamSynchronize(stream));
      MUST(cudaGraphExecDestroy(exec));
    }
  }
}

TEST_F(GraphInstantiate, ArgumentsAreChecked) {
  cudaGraphExec_t exec = nullptr;
  unsigned long long flags = 0;
  cudaGraphInstantiateParams params{};
  ASK(cudaErrorInvalidValue, cudaGraphInstantiate(nullptr, graph, 0));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiate(&exec, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(nullptr, graph, 0));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithFlags(&exec, nullptr, 0));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(nullptr, graph, &params));
  ASK_FACT("result for no place", 1, static_cast<int>(params.result_out));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, nullptr, &params));
  ASK_FACT("result for no graph", 1, static_cast<int>(params.result_out));
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphExecGetFlags(nullptr, &flags));
  Exec good(graph);
  ASK(cudaErrorInvalidValue, cudaGraphExecGetFlags(good, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphExecDestroy(nullptr));
  EXPECT_EQ(nullptr, exec);
}

TEST_F(GraphInstantiate, ParametersTellSuccess) {
  graph.store(cell.get(), 8);
  cudaGraphInstantiateParams params{};
  params.flags = cudaGraphInstantiateFlagUpload | cudaGraphInstantiateFlagUseNodePriority;
  params.uploadStream = stream;
  params.errNode_out = reinterpret_cast<cudaGraphNode_t>(uintptr_t{0x1234});
  params.result_out = cudaGraphInstantiateError;
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(cudaGraphInstantiateSuccess, params.result_out);
  EXPECT_EQ(nullptr, params.errNode_out);
  unsigned long long flags = 0;
  MUST(cudaGraphExecGetFlags(exec, &flags));
  ASK_FACT("flags told", 0, flags);
  launch(exec);
  EXPECT_EQ(8, cell.read()[0]);
  MUST(cudaGraphExecDestroy(exec));
}

TEST_F(GraphInstantiate, ParametersNameTheNodeOfACycle) {
  const auto fine = graph.empty(), a = graph.empty({fine}), b = graph.empty({a});
  MUST(graph.edge(b, a));
  cudaGraphInstantiateParams params{};
  cudaGraphExec_t exec = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, &params));
  EXPECT_EQ(nullptr, exec);
  ASK_VALUE(cudaGraphInstantiateInvalidStructure, params.result_out);
  EXPECT_TRUE(params.errNode_out == a || params.errNode_out == b);
  ASK_FACT("error node of fine -> a <-> b", std::string("2"), places({params.errNode_out}, {fine, a, b}));
}

TEST_F(GraphInstantiate, ForDeviceLaunchSomeNodesCannotBe) {
  std::atomic<int> calls{0};
  Event event;
  Graph inner;
  inner.kernel({}, nothing);
  Graph without_nodes, around;
  around.child(without_nodes);
  std::vector<int> pageable(4);
  struct Row {
    const char* name;
    bool fits;
    std::function<cudaGraphNode_t(Graph&)> add;
    bool empty = false;
  };
  const Row rows[] = {
      {"kernel", true, [&](Graph& g) { return g.kernel({}, nothing); }},
      {"memcpy device", true, [&](Graph& g) { return g.copy(cell.get(), cell.get() + 2, 4); }},
      {"memcpy pageable", false, [&](Graph& g) { return g.copy(cell.get(), pageable.data(), 4); }},
      {"memset", true, [&](Graph& g) { return g.set(cell.get(), 0, 4); }},
      {"child", true, [&](Graph& g) { return g.child(inner); }},
      {"host", false, [&](Graph& g) { return g.host(count_call, &calls); }},
      {"empty", false, [&](Graph& g) { return g.empty(); }},
      {"record", false, [&](Graph& g) { return g.record(event); }},
      {"wait", false, [&](Graph& g) { return g.wait(event); }},
      {"nothing", true, [&](Graph&) { return cudaGraphNode_t{}; }, true},
      {"child without nodes", true, [&](Graph& g) { return g.child(without_nodes); }, true},
      {"child with such a child", true, [&](Graph& g) { return g.child(around); }, true},
  };
  for (const auto& row : rows)
    for (bool with_kernel : {false, true}) {
      Graph one;
      const auto node = row.add(one);
      if (with_kernel) one.kernel({}, nothing);
      cudaGraphInstantiateParams params{};
      params.flags = cudaGraphInstantiateFlagDeviceLaunch;
      cudaGraphExec_t exec = nullptr;
      const auto answer = cudaGraphInstantiateWithParams(&exec, one, &params);
      const std::string what = std::string(row.name) + (with_kernel ? " and a kernel" : "");
      const bool empty = row.empty && !with_kernel;
      ASK_CASE(what, row.fits && !empty ? cudaSuccess : cudaErrorInvalidValue, answer);
      ASK_FACT(what + ": result",
               empty      ? cudaGraphInstantiateError
               : row.fits ? cudaGraphInstantiateSuccess
                          : cudaGraphInstantiateNodeOperationNotSupported,
               params.result_out);
      EXPECT_EQ(row.fits ? nullptr : node, params.errNode_out) << what;
      if (exec) {
        ASK_CASE("  launched from the host", cudaSuccess, cudaGraphLaunch(exec, stream));
        ASK_CASE("  and waited for", cudaSuccess, cudaStreamSynchronize(stream));
        MUST(cudaGraphExecDestroy(exec));
      }
    }
}

TEST_F(GraphInstantiate, UploadIsOrderedAndChecked) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  ASK(cudaSuccess, cudaGraphUpload(exec, stream));
  ASK(cudaSuccess, cudaGraphUpload(exec, stream));
  ASK(cudaSuccess, cudaGraphUpload(exec, nullptr));
  ASK(cudaSuccess, cudaGraphUpload(exec, cudaStreamLegacy));
  ASK(cudaSuccess, cudaGraphUpload(exec, cudaStreamPerThread));
  ASK(cudaErrorInvalidValue, cudaGraphUpload(nullptr, stream));
  MUST(cudaDeviceSynchronize());
  EXPECT_EQ(0, cell.read()[0]) << "uploading runs nothing";
  launch(exec);
  EXPECT_EQ(1, cell.read()[0]);
}

TEST_F(GraphInstantiate, MayBeDestroyedInFlight) {
  PinnedArray<int> flag(1);
  const auto hold = graph.kernel({}, spin_until_set, static_cast<volatile int*>(flag.get()));
  graph.store(cell.get(), 9, {hold});
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaGraphExecDestroy(exec.release()));
  EXPECT_EQ(cudaErrorNotReady, cudaStreamQuery(stream));
  *static_cast<volatile int*>(flag.get()) = 1;
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ(9, cell.read()[0]);
}

TEST_F(GraphInstantiate, TheOlderFiveArgumentFormIsThere) {
  graph.store(cell.get(), 2);
  cudaGraphExec_t exec = nullptr;
  cudaGraphNode_t error_node = nullptr;
  char log[64] = {};
  MUST(cudaGraphInstantiate(&exec, graph, &error_node, log, sizeof log));
  launch(exec);
  MUST(cudaGraphExecDestroy(exec));
  EXPECT_EQ(2, cell.read()[0]);
}

}  // namespace
