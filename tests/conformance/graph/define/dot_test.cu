// cudaGraphDebugDotPrint.
#include <unistd.h>

#include "graph/graph_support.h"

namespace {

class GraphDot : public Graphs {
 protected:
  std::string path = testing::TempDir() + "graph_dot_" + std::to_string(getpid()) + ".dot";
  DeviceArray<int> cell{4};
  Event event;
  std::atomic<int> calls{0};

  void SetUp() override {
    Graphs::SetUp();
    Graph inner;
    inner.store(cell.get(), 7, {inner.empty()});
    const auto kernel = graph.store(cell.get(), 1);
    const auto copy = graph.copy(cell.get() + 2, cell.get(), 4, {kernel});
    const auto set = graph.set(cell.get() + 1, 0, 4, {kernel});
    const auto host = graph.host(count_call, &calls, {copy, set});
    const auto child = graph.child(inner, {host});
    graph.record(event, {child});
    graph.wait(event, {child});
    const auto second = graph.kernel({}, nothing);
    EXPECT_EQ(cudaSuccess, graph.edge(kernel, second, &programmatic));
  }
  void TearDown() override {
    std::remove(path.c_str());
    Graphs::TearDown();
  }
  std::string print(unsigned flags) {
    EXPECT_EQ(cudaSuccess, cudaGraphDebugDotPrint(graph, path.c_str(), flags));
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }
  static size_t occurrences(const std::string& text, const std::string& part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++count;
    return count;
  }
};

TEST_F(GraphDot, HasEveryNodeAndEdge) {
  const auto text = print(0);
  TELL("flags 0", text);
  EXPECT_EQ(0u, text.find("digraph"));
  EXPECT_EQ(occurrences(text, "{"), occurrences(text, "}"));
  EXPECT_EQ(edges_of(graph).size() + 1, occurrences(text, "->"));
}

TEST_F(GraphDot, EveryFlagAddsToIt) {
  for (unsigned bit : {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {
    const auto text = print(1u << bit);
    TELL("flag bit " + std::to_string(bit), text);
    EXPECT_EQ(0u, text.find("digraph"));
  }
  if (on_nvidia()) return;  // which writes other words
  const auto plain = print(0);
  const std::pair<unsigned, const char*> added[] = {{cudaGraphDebugDotFlagsVerbose, "<<<("},
                                                    {cudaGraphDebugDotFlagsKernelNodeParams, "<<<("},
                                                    {cudaGraphDebugDotFlagsMemcpyNodeParams, "from: 0x"},
                                                    {cudaGraphDebugDotFlagsMemsetNodeParams, "to: 0x"},
                                                    {cudaGraphDebugDotFlagsHostNodeParams, "data: 0x"},
                                                    {cudaGraphDebugDotFlagsEventNodeParams, "event: 0x"},
                                                    {cudaGraphDebugDotFlagsKernelNodeAttributes, "cooperative: 0"},
                                                    {cudaGraphDebugDotFlagsHandles, "node handle: 0x"}};
  for (const auto& [flag, words] : added) {
    EXPECT_EQ(0u, occurrences(plain, words)) << words;
    EXPECT_LT(0u, occurrences(print(flag), words)) << words;
    EXPECT_LT(0u, occurrences(print(cudaGraphDebugDotFlagsVerbose), words)) << words;
  }
}

TEST_F(GraphDot, ArgumentsAreChecked) {
  ASK(cudaErrorInvalidValue, cudaGraphDebugDotPrint(nullptr, path.c_str(), 0));
  ASK(cudaErrorInvalidValue, cudaGraphDebugDotPrint(graph, nullptr, 0));
  ASK(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/no/such/folder/graph.dot", 0));
  ASK(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "", 0));
  for (unsigned flags : {2u, 1u << 16, 1u << 31, ~0u})
    ASK_CASE("flags " + std::to_string(flags), cudaSuccess, cudaGraphDebugDotPrint(graph, path.c_str(), flags));
}

TEST_F(GraphDot, AnEmptyGraphIsAnEmptyDrawing) {
  Graph nothing_in_it;
  MUST(cudaGraphDebugDotPrint(nothing_in_it, path.c_str(), cudaGraphDebugDotFlagsVerbose));
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  TELL("empty graph", text.str());
}

}  // namespace
