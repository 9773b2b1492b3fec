// Memcpy nodes to and from symbols.
#include "graph/graph_support.h"

namespace {

__device__ int table[8];
__constant__ int constants[4];

__global__ void read_constants(int* out) {
  for (int i = 0; i < 4; ++i) out[i] = constants[i];
}

class GraphSymbolNode : public Graphs {
 protected:
  std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8}, out = std::vector<int>(8);
};

TEST_F(GraphSymbolNode, CopiesToAndFromSymbols) {
  cudaGraphNode_t up = nullptr, down = nullptr;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, table, values.data(), 16, 8, cudaMemcpyHostToDevice));
  MUST(cudaGraphAddMemcpyNodeFromSymbol(&down, graph, &up, 1, out.data(), table, 12, 12, cudaMemcpyDeviceToHost));
  run(graph);
  EXPECT_EQ((std::vector<int>{2, 3, 4, 0, 0, 0, 0, 0}), out);
  cudaGraphNodeType type{};
  MUST(cudaGraphNodeGetType(up, &type));
  EXPECT_EQ(cudaGraphNodeTypeMemcpy, type);
}

TEST_F(GraphSymbolNode, ReachesConstantMemoryAndDeviceMemory) {
  DeviceArray<int> device(4), seen(4);
  MUST(cudaMemcpy(device.get(), values.data(), 16, cudaMemcpyHostToDevice));
  cudaGraphNode_t up = nullptr;
  MUST(
      cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, constants, device.get(), 16, 0, cudaMemcpyDeviceToDevice));
  graph.kernel({up}, read_constants, seen.get());
  run(graph);
  EXPECT_EQ((std::vector<int>{1, 2, 3, 4}), seen.read());
}

TEST_F(GraphSymbolNode, TellsTheSymbolsAddress) {
  void* address = nullptr;
  MUST(cudaGetSymbolAddress(&address, table));
  cudaGraphNode_t up = nullptr;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, table, values.data(), 16, 8, cudaMemcpyHostToDevice));
  cudaMemcpy3DParms told{};
  MUST(cudaGraphMemcpyNodeGetParams(up, &told));
  ASK_FACT("destination minus address", 8, static_cast<char*>(told.dstPtr.ptr) - static_cast<char*>(address));
  ASK_FACT("position, width, kind", std::string("0 16 1"),
           std::to_string(told.dstPos.x) + " " + std::to_string(told.extent.width) + " " + std::to_string(told.kind));
}

TEST_F(GraphSymbolNode, ArgumentsAreChecked) {
  cudaGraphNode_t node = nullptr;
  const auto to = [&](const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeToSymbol(&node, graph, nullptr, 0, symbol, src, count, offset, kind);
  };
  const auto from = [&](void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind) {
    return cudaGraphAddMemcpyNodeFromSymbol(&node, graph, nullptr, 0, dst, symbol, count, offset, kind);
  };
  int no_symbol = 0;
  ASK_CASE("to: not a symbol", cudaErrorInvalidSymbol, to(&no_symbol, values.data(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("to: null symbol", cudaErrorInvalidSymbol, to(nullptr, values.data(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("to: too long", cudaErrorInvalidValue, to(table, values.data(), 36, 0, cudaMemcpyHostToDevice));
  ASK_CASE("to: too far", cudaErrorInvalidValue, to(table, values.data(), 16, 20, cudaMemcpyHostToDevice));
  ASK_CASE("to: at the end, nothing", cudaErrorInvalidValue, to(table, values.data(), 0, 32, cudaMemcpyHostToDevice));
  ASK_CASE("to: null source", cudaErrorInvalidValue, to(table, nullptr, 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("to: device to host", cudaErrorInvalidMemcpyDirection,
           to(table, values.data(), 4, 0, cudaMemcpyDeviceToHost));
  ASK_CASE("to: host to host", cudaErrorInvalidMemcpyDirection, to(table, values.data(), 4, 0, cudaMemcpyHostToHost));
  ASK_CASE("to: default", cudaSuccess, to(table, values.data(), 4, 0, cudaMemcpyDefault));
  ASK_CASE("from: not a symbol", cudaErrorInvalidSymbol, from(out.data(), &no_symbol, 4, 0, cudaMemcpyDeviceToHost));
  ASK_CASE("from: too long", cudaErrorInvalidValue, from(out.data(), table, 36, 0, cudaMemcpyDeviceToHost));
  ASK_CASE("from: null destination", cudaErrorInvalidValue, from(nullptr, table, 4, 0, cudaMemcpyDeviceToHost));
  ASK_CASE("from: host to device", cudaErrorInvalidMemcpyDirection,
           from(out.data(), table, 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("from: default", cudaSuccess, from(out.data(), table, 4, 0, cudaMemcpyDefault));
}

TEST_F(GraphSymbolNode, ParametersCanBeChanged) {
  cudaGraphNode_t up = nullptr, down = nullptr;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&up, graph, nullptr, 0, table, values.data(), 32, 0, cudaMemcpyHostToDevice));
  MUST(cudaGraphAddMemcpyNodeFromSymbol(&down, graph, &up, 1, out.data(), table, 32, 0, cudaMemcpyDeviceToHost));
  MUST(cudaGraphMemcpyNodeSetParamsToSymbol(up, table, values.data() + 4, 8, 24, cudaMemcpyHostToDevice));
  MUST(cudaGraphMemcpyNodeSetParamsFromSymbol(down, out.data() + 6, table, 8, 24, cudaMemcpyDeviceToHost));
  run(graph);
  EXPECT_EQ((std::vector<int>{0, 0, 0, 0, 0, 0, 5, 6}), out);
  // Any memcpy node may become any other.
  DeviceArray<int> device(2);
  const auto plain = graph.copy(device.get(), values.data(), 8);
  ASK(cudaSuccess, cudaGraphMemcpyNodeSetParamsToSymbol(plain, table, values.data(), 8, 0, cudaMemcpyHostToDevice));
  ASK(cudaSuccess, cudaGraphMemcpyNodeSetParamsFromSymbol(up, out.data(), table, 8, 0, cudaMemcpyDeviceToHost));
  ASK(cudaSuccess, cudaGraphMemcpyNodeSetParams1D(down, device.get(), values.data(), 8, cudaMemcpyHostToDevice));
  const auto other = graph.empty();
  ASK(cudaErrorInvalidValue,
      cudaGraphMemcpyNodeSetParamsToSymbol(other, table, values.data(), 8, 0, cudaMemcpyHostToDevice));
  ASK(cudaErrorInvalidSymbol,
      cudaGraphMemcpyNodeSetParamsToSymbol(up, &other, values.data(), 8, 0, cudaMemcpyHostToDevice));
}

}  // namespace
