// Capturing into an existing graph, and the graph of a capture in use meanwhile.
#include "capture/capture_support.h"

// Captures into an existing graph.
TEST_F(Captures, ToGraph) {
  Graph graph;
  auto before = graph.empty();
  ASK(cudaSuccess, cudaStreamBeginCaptureToGraph(stream, graph, &before, nullptr, 1, global));
  ASK_VALUE(std::string("empty"), next_after(stream));
  ASK_VALUE(true, info_of(stream).graph == static_cast<cudaGraph_t>(graph));
  ASK(cudaSuccess, launch_mark(1, stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  cudaGraph_t given = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &given));
  ASK_VALUE(true, given == static_cast<cudaGraph_t>(graph));
  ASK_VALUE(std::string("1 2 empty: 1>2 empty>1"), drawn(graph));
}

TEST_F(Captures, ToGraphTwice) {
  Graph graph;
  for (int i = 1; i <= 2; ++i) {
    MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
    MUST(launch_mark(i, stream));
    cudaGraph_t given = nullptr;
    ASK(cudaSuccess, cudaStreamEndCapture(stream, &given));
  }
  ASK_VALUE(std::string("1 2:"), drawn(graph));
}

TEST_F(Captures, ToGraphAtTheSameTime) {
  Graph graph;
  Stream other(cudaStreamNonBlocking);
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  ASK(cudaErrorIllegalState, cudaStreamBeginCaptureToGraph(other, graph, nullptr, nullptr, 0, global));
  ASK_VALUE(std::string("none"), status_of(other));
  cudaGraph_t given = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &given));
}

TEST_F(Captures, ToGraphWithEdgeData) {
  Graph graph;
  auto before = graph.kernel({}, mark, 1);
  ASK(cudaSuccess, cudaStreamBeginCaptureToGraph(stream, graph, &before, &programmatic, 1, global));
  ASK_VALUE(std::string("1[1,0,1]"), next_after(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  cudaGraph_t given = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &given));
  ASK_VALUE(std::string("1 2: 1>2[1,0,1]"), drawn(graph));
}

TEST_F(Captures, ToGraphWithEdgeDataAndNothingCaptured) {
  Graph graph;
  auto before = graph.kernel({}, mark, 1);
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, &before, &programmatic, 1, global));
  cudaGraph_t given = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &given));
  ASK_VALUE(true, given == static_cast<cudaGraph_t>(graph));
  ASK_VALUE(std::string("1:"), drawn(graph));
}

TEST_F(Captures, ToGraphWithWrongArguments) {
  Graph graph, other_graph;
  auto foreign = other_graph.empty();
  ASK(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, nullptr, nullptr, nullptr, 0, global));
  ASK(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 1, global));
  ASK(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, graph, &foreign, nullptr, 1, global));
  ASK(cudaErrorInvalidValue,
      cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, static_cast<cudaStreamCaptureMode>(7)));
  auto own = graph.empty();
  cudaGraphNode_t twice[] = {own, own};
  ASK(cudaSuccess, cudaStreamBeginCaptureToGraph(stream, graph, twice, nullptr, 2, global));
  ASK(cudaSuccess, cudaStreamEndCapture(stream, std::vector<cudaGraph_t>(1).data()));
  const auto wrong = edge_data(0, 7, 0);
  ASK(cudaErrorInvalidValue, cudaStreamBeginCaptureToGraph(stream, graph, &own, &wrong, 1, global));
}

TEST_F(Captures, ToGraphInvalidated) {
  Graph filled;
  filled.empty();
  cudaGraph_t graph = filled.release();
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  MUST(launch_mark(1, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  cudaGraph_t given = reinterpret_cast<cudaGraph_t>(0x10);
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &given));
  ASK_VALUE(true, given == nullptr);
  // The graph is destroyed, even if the capture did not create it.
  CRASHES_ON_NVIDIA("a graph that a failed capture has destroyed");
  size_t count = 0;
  ASK(cudaErrorInvalidValue, cudaGraphGetNodes(graph, nullptr, &count));
}

// A graph that a stream captures into cannot be used otherwise, but nodes can be added.
TEST_F(Captures, UseOfTheGraphMeanwhile) {
  Graph graph, other;
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, relaxed));
  MUST(launch_mark(1, stream));
  {
    Exec exec(graph);
  }
  cudaGraph_t clone = nullptr;
  ASK(cudaSuccess, cudaGraphClone(&clone, graph));
  (void)cudaGraphDestroy(clone);
  cudaGraphNode_t node = nullptr;
  ASK(cudaSuccess, cudaGraphAddChildGraphNode(&node, other, nullptr, 0, graph));
  ASK(cudaSuccess, cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  ASK(cudaErrorIllegalState, cudaGraphDestroyNode(node));
  ASK(cudaErrorIllegalState, cudaGraphDestroy(graph));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &clone));
  ASK_VALUE(std::string("1 empty:"), drawn(graph));
}

// The state of an existing graph after a capture into it fails in other ways.
TEST_F(Captures, ToGraphUnjoined) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  Stream other(cudaStreamNonBlocking);
  Event event;
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  MUST(cudaEventRecord(event, stream));
  MUST(cudaStreamWaitEvent(other, event, 0));
  MUST(launch_mark(1, other));
  ASK_VALUE(std::string("StreamCaptureUnjoined null"), end_capture(stream));
  CRASHES_ON_NVIDIA("a graph that a failed capture has destroyed");
  ASK(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

TEST_F(Captures, ToGraphEndedByAnotherThread) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  MUST(launch_mark(1, stream));
  ASK_VALUE(std::string("StreamCaptureWrongThread null"), elsewhere([&] { return end_capture(stream); }));
  CRASHES_ON_NVIDIA("a graph that a failed capture has destroyed");
  ASK(cudaErrorInvalidValue, cudaGraphDestroy(graph));
}

TEST_F(Captures, ToGraphWithNowhereToPutIt) {
  Graph graph;
  graph.empty();
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  MUST(launch_mark(1, stream));
  ASK(cudaSuccess, end_in(stream, nullptr));
  ASK_VALUE(std::string("1 empty:"), drawn(graph));
}

// The state of the graph between an error and the end of the capture.
TEST_F(Captures, GraphOfAnInvalidatedCapture) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, global));
  MUST(launch_mark(1, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  size_t count = 77;
  ASK(cudaSuccess, cudaGraphGetNodes(graph, nullptr, &count));
  ASK_VALUE(size_t{1}, count);
  cudaGraphNode_t added = nullptr;
  ASK(cudaSuccess, cudaGraphAddEmptyNode(&added, graph, nullptr, 0));
  (void)end_capture(stream);
}

TEST_F(Captures, GraphOfTheCaptureCannotBeDestroyed) {
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  const Info info = info_of(stream);
  ASK(cudaErrorIllegalState, cudaGraphDestroy(info.graph));
  ASK(cudaErrorIllegalState, cudaGraphDestroyNode(info.dependencies[0]));
  ASK_VALUE(std::string("1"), next_after(stream));
  MUST(launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}
