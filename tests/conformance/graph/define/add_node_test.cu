// cudaGraphAddNode and cudaGraphNodeSetParams: every type through the one call.
#include "graph/graph_support.h"

namespace {

class GraphAddNode : public Graphs {
 protected:
  DeviceArray<int> cell{4};
  Event event;
  Graph inner;
  std::atomic<int> calls{0};
  int* where = cell.get();
  int value = 3;
  void* arguments[2] = {&where, &value};

  static cudaGraphNodeParams of(cudaGraphNodeType type) {
    cudaGraphNodeParams params{};
    params.type = type;
    return params;
  }
  cudaGraphNodeParams kernel() {
    auto params = of(cudaGraphNodeTypeKernel);
    params.kernel.func = reinterpret_cast<void*>(store);
    params.kernel.gridDim = 1;
    params.kernel.blockDim = 1;
    params.kernel.kernelParams = arguments;
    return params;
  }
  cudaGraphNodeParams copy() {
    auto params = of(cudaGraphNodeTypeMemcpy);
    params.memcpy.copyParams.srcPtr = make_cudaPitchedPtr(cell.get(), 4, 4, 1);
    params.memcpy.copyParams.dstPtr = make_cudaPitchedPtr(cell.get() + 1, 4, 4, 1);
    params.memcpy.copyParams.extent = make_cudaExtent(4, 1, 1);
    params.memcpy.copyParams.kind = cudaMemcpyDeviceToDevice;
    return params;
  }
  cudaGraphNodeParams set() {
    auto params = of(cudaGraphNodeTypeMemset);
    params.memset.dst = cell.get() + 2;
    params.memset.value = 1;
    params.memset.elementSize = 4;
    params.memset.width = 2;
    params.memset.height = 1;
    return params;
  }
  cudaGraphNodeParams host() {
    auto params = of(cudaGraphNodeTypeHost);
    params.host.fn = count_call;
    params.host.userData = &calls;
    return params;
  }
  cudaGraphNodeParams child() {
    auto params = of(cudaGraphNodeTypeGraph);
    params.graph.graph = inner;
    return params;
  }
  cudaGraphNodeParams record() {
    auto params = of(cudaGraphNodeTypeEventRecord);
    params.eventRecord.event = event;
    return params;
  }
  cudaGraphNodeParams wait() {
    auto params = of(cudaGraphNodeTypeWaitEvent);
    params.eventWait.event = event;
    return params;
  }
  struct Row {
    std::string name;
    cudaGraphNodeParams params;
  };
  std::vector<Row> all() {
    return {{"kernel", kernel()}, {"memcpy", copy()},   {"memset", set()}, {"host", host()},
            {"child", child()},   {"record", record()}, {"wait", wait()},  {"empty", of(cudaGraphNodeTypeEmpty)}};
  }
};

TEST_F(GraphAddNode, AddsEveryType) {
  inner.kernel({}, add_one, cell.get() + 2);
  cudaGraphNode_t last = nullptr;
  for (auto& row : all()) {
    auto& params = row.params;
    cudaGraphNode_t node = nullptr;
    ASK_CASE(row.name, cudaSuccess, cudaGraphAddNode(&node, graph, &last, nullptr, last ? 1 : 0, &params));
    cudaGraphNodeType type{};
    MUST(cudaGraphNodeGetType(node, &type));
    EXPECT_EQ(params.type, type);
    last = node;
  }
  run(graph);
  EXPECT_EQ((std::vector<int>{3, 3, 2, 1}), cell.read());
  EXPECT_EQ(1, calls);
  EXPECT_EQ(cudaSuccess, cudaEventQuery(event));
}

TEST_F(GraphAddNode, UnusedBytesMustBeZero) {
  for (auto& row : all()) {
    auto& params = row.params;
    cudaGraphNode_t node = nullptr;
    const std::string type = row.name;
    for (int i = 0; i < 3; ++i) {
      auto bad = params;
      bad.reserved0[i] = 1;
      ASK_CASE(type + ": reserved0[" + std::to_string(i) + "]", cudaErrorInvalidValue,
               cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad));
    }
    auto bad = params;
    bad.reserved2 = 1;
    ASK_CASE(type + ": reserved2", cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad));
    bad = params;
    bad.reserved1[28] = 1;
    ASK_CASE(type + ": last padding word", cudaErrorInvalidValue,
             cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad));
  }
  auto bad = copy();
  bad.memcpy.flags = 1;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("memcpy: flags", cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad));
  bad = copy();
  bad.memcpy.reserved[1] = 1;
  ASK_CASE("memcpy: reserved", cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &bad));
  ASK_FACT("nodes added all the same", 0, nodes_of(graph).size());
}

TEST_F(GraphAddNode, ArgumentsAreChecked) {
  cudaGraphNode_t node = nullptr;
  auto params = of(cudaGraphNodeTypeEmpty);
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(nullptr, graph, nullptr, nullptr, 0, &params));
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, nullptr, nullptr, nullptr, 0, &params));
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddNode(&node, graph, nullptr, nullptr, 1, &params));
  for (int type : {12, 14, 15, 100, -1}) {
    params = of(static_cast<cudaGraphNodeType>(type));
    ASK_CASE("type " + std::to_string(type), cudaErrorInvalidValue,
             cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  }
  for (int type : {0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 13}) {
    params = of(static_cast<cudaGraphNodeType>(type));
    const bool takes_nothing = type == cudaGraphNodeTypeExtSemaphoreSignal || type == cudaGraphNodeTypeExtSemaphoreWait;
    ASK_CASE("nothing filled in, type " + std::to_string(type),
             type == cudaGraphNodeTypeKernel ? cudaErrorInvalidDeviceFunction
             : takes_nothing                 ? cudaSuccess
                                             : cudaErrorInvalidValue,
             cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  }
}

TEST_F(GraphAddNode, ParametersOfEveryTypeCanBeChanged) {
  for (auto& row : all()) {
    auto& params = row.params;
    cudaGraphNode_t node = nullptr;
    MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    ASK_CASE(row.name, cudaSuccess, cudaGraphNodeSetParams(node, &params));
  }
}

TEST_F(GraphAddNode, ChangedParametersMustBeOfTheNodesType) {
  for (auto& row : all()) {
    auto& params = row.params;
    cudaGraphNode_t node = nullptr;
    MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
    for (auto& other_row : all()) {
      auto& other = other_row.params;
      if (other.type == params.type) continue;
      ASK_CASE(row.name + " as " + other_row.name, cudaErrorInvalidValue, cudaGraphNodeSetParams(node, &other));
    }
    ASK_CASE(row.name + " null", cudaErrorInvalidValue, cudaGraphNodeSetParams(node, nullptr));
  }
  auto params = kernel();
  ASK(cudaErrorInvalidValue, cudaGraphNodeSetParams(nullptr, &params));
}

TEST_F(GraphAddNode, ChangesShowInTheRun) {
  cudaGraphNode_t kernel_node = nullptr, set_node = nullptr;
  auto params = kernel();
  MUST(cudaGraphAddNode(&kernel_node, graph, nullptr, nullptr, 0, &params));
  value = 8;
  MUST(cudaGraphNodeSetParams(kernel_node, &params));
  value = 9;
  params = set();
  MUST(cudaGraphAddNode(&set_node, graph, nullptr, nullptr, 0, &params));
  params.memset.value = 4;
  MUST(cudaGraphNodeSetParams(set_node, &params));
  run(graph);
  EXPECT_EQ((std::vector<int>{8, 0, 4, 4}), cell.read());
}

TEST_F(GraphAddNode, AMemcpyByParametersReadsBackAsOne) {
  cudaGraphNode_t node = nullptr;
  auto params = copy();
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  cudaMemcpy3DParms told{};
  MUST(cudaGraphMemcpyNodeGetParams(node, &told));
  EXPECT_EQ(cell.get(), told.srcPtr.ptr);
  EXPECT_EQ(4u, told.extent.width);
}

}  // namespace
