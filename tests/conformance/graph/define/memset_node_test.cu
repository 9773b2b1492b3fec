// Memset nodes.
#include "graph/graph_support.h"

namespace {

class GraphMemsetNode : public Graphs {
 protected:
  DeviceArray<unsigned char> data{64};
};

TEST_F(GraphMemsetNode, SetsElementsOfOneTwoAndFourBytes) {
  graph.set(data.get(), 0xab, 3);
  cudaGraphNode_t node = nullptr;
  auto params = memset_params(data.get() + 8, 0x1234, 2, 3);
  MUST(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  params = memset_params(data.get() + 16, 0x01020304, 4, 2);
  MUST(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  params = {};
  run(graph);
  std::vector<unsigned char> expected(64);
  const unsigned char bytes[] = {0xab, 0xab, 0xab, 0, 0, 0, 0, 0, 0x34, 0x12, 0x34, 0x12,
                                 0x34, 0x12, 0,    0, 4, 3, 2, 1, 4,    3,    2,    1};
  std::copy(std::begin(bytes), std::end(bytes), expected.begin());
  EXPECT_EQ(expected, data.read());
}

TEST_F(GraphMemsetNode, SetsRows) {
  cudaGraphNode_t node = nullptr;
  const auto params = memset_params(data.get(), 7, 1, 3, 4, 16);
  MUST(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &params));
  run(graph);
  const auto got = data.read();
  for (int i = 0; i < 64; ++i) EXPECT_EQ(i % 16 < 3 ? 7 : 0, got[i]) << i;
}

TEST_F(GraphMemsetNode, TellsItsParameters) {
  cudaGraphNode_t node = nullptr;
  const auto given = memset_params(data.get(), 0x77, 2, 5, 3, 16);
  MUST(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &given));
  cudaMemsetParams told{};
  MUST(cudaGraphMemsetNodeGetParams(node, &told));
  EXPECT_EQ(given.dst, told.dst);
  EXPECT_EQ(given.value, told.value);
  EXPECT_EQ(given.elementSize, told.elementSize);
  EXPECT_EQ(given.width, told.width);
  EXPECT_EQ(given.height, told.height);
  EXPECT_EQ(given.pitch, told.pitch);
  ASK(cudaSuccess, cudaGraphMemsetNodeSetParams(node, &told));
  const auto one_row = memset_params(data.get(), 0x1ff, 1, 5, 1, 99);
  MUST(cudaGraphMemsetNodeSetParams(node, &one_row));
  MUST(cudaGraphMemsetNodeGetParams(node, &told));
  ASK_FACT("one row, pitch 99: pitch told", 99, told.pitch);
  ASK_FACT("value 0x1ff of one byte: value told", 511, told.value);
}

TEST_F(GraphMemsetNode, OddParameters) {
  unsigned char host[64];
  PinnedArray<unsigned char> pinned(64);
  unsigned char* d = data.get();
  struct Row {
    const char* name;
    cudaMemsetParams params;
    cudaError_t expected;
  };
  const cudaError_t bad = cudaErrorInvalidValue, ok = cudaSuccess;
  const Row rows[] = {
      {"element size 0", memset_params(d, 0, 0, 4), bad},
      {"element size 3", memset_params(d, 0, 3, 4), bad},
      {"element size 8", memset_params(d, 0, 8, 4), bad},
      {"width 0", memset_params(d, 0, 1, 0), bad},
      {"height 0", memset_params(d, 0, 1, 4, 0), bad},
      {"width and height 0", memset_params(d, 0, 1, 0, 0), bad},
      {"null", memset_params(nullptr, 0, 1, 4), bad},
      {"null, width 0", memset_params(nullptr, 0, 1, 0), bad},
      {"pageable memory", memset_params(host, 0, 1, 4), bad},
      {"pinned memory", memset_params(pinned.get(), 0, 1, 4), ok},
      {"odd address, two bytes", memset_params(d + 1, 0, 2, 4), bad},
      {"odd address, four bytes", memset_params(d + 2, 0, 4, 4), bad},
      {"odd pitch, four bytes", memset_params(d, 0, 4, 2, 2, 10), bad},
      {"pitch smaller than width, two rows", memset_params(d, 0, 1, 8, 2, 4), bad},
      {"pitch smaller than width, one row", memset_params(d, 0, 1, 8, 1, 4), ok},
      {"beyond the allocation", memset_params(d, 0, 1, size_t{1} << 40), bad},
      {"value wider than a byte", memset_params(d, 0x1ff, 1, 4), ok},
      {"value wider than two bytes", memset_params(d, 0x10001, 2, 4), ok},
      {"plain", memset_params(d, 0, 1, 4), ok},
  };
  for (const auto& row : rows) {
    Graph one;
    cudaGraphNode_t node = nullptr;
    ASK_CASE(std::string(row.name) + ": add", row.expected,
             cudaGraphAddMemsetNode(&node, one, nullptr, 0, &row.params));
    const auto good = graph.set(d, 0, 4);
    ASK_CASE(std::string(row.name) + ": set", row.expected, cudaGraphMemsetNodeSetParams(good, &row.params));
    if (!node) continue;
    cudaGraphExec_t exec = nullptr;
    ASK_CASE(std::string(row.name) + ": instantiate", cudaSuccess, cudaGraphInstantiate(&exec, one, 0));
    if (!exec) continue;
    ASK_CASE(std::string(row.name) + ": launch", cudaSuccess, cudaGraphLaunch(exec, nullptr));
    ASK_CASE(std::string(row.name) + ": synchronize", cudaSuccess, cudaDeviceSynchronize());
    const bool in_data = row.params.dst == data.get();
    ASK_FACT(std::string(row.name) + ": first byte", in_data ? row.params.value & 0xff : 0, unsigned{data.read()[0]});
    MUST(cudaGraphExecDestroy(exec));
  }
}

TEST_F(GraphMemsetNode, ParametersCanBeChanged) {
  const auto node = graph.set(data.get(), 1, 4);
  const auto params = memset_params(data.get() + 4, 2, 1, 2);
  MUST(cudaGraphMemsetNodeSetParams(node, &params));
  run(graph);
  const auto got = data.read();
  EXPECT_EQ((std::vector<unsigned char>{0, 0, 0, 0, 2, 2, 0, 0}),
            std::vector<unsigned char>(got.begin(), got.begin() + 8));
}

TEST_F(GraphMemsetNode, OtherNodesHaveNoMemsetParameters) {
  const auto other = graph.empty();
  const auto node = graph.set(data.get(), 1, 4);
  cudaMemsetParams params{};
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(other, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeGetParams(node, nullptr));
  params = memset_params(data.get(), 1, 1, 4);
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(other, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(nullptr, &params));
  ASK(cudaErrorInvalidValue, cudaGraphMemsetNodeSetParams(node, nullptr));
  cudaGraphNode_t added = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemsetNode(&added, graph, nullptr, 0, nullptr));
}

}  // namespace
