// Querying a capture, and changing the dependencies of its next node.
#include "capture/capture_support.h"

TEST_F(Captures, InfoWhenNotCapturing) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 77;
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(0x10);
  const cudaGraphNode_t* nodes = reinterpret_cast<const cudaGraphNode_t*>(0x10);
  const cudaGraphEdgeData* data = reinterpret_cast<const cudaGraphEdgeData*>(0x10);
  size_t count = 77;
  ASK(cudaSuccess, cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &data, &count));
  ASK_VALUE(cudaStreamCaptureStatusNone, status);
  ASK_VALUE(77u, id);
  ASK_VALUE(true, graph == reinterpret_cast<cudaGraph_t>(0x10));
  ASK_VALUE(true, nodes == reinterpret_cast<const cudaGraphNode_t*>(0x10));
  ASK_VALUE(true, data == reinterpret_cast<const cudaGraphEdgeData*>(0x10));
  ASK_VALUE(size_t{77}, count);
}

TEST_F(Captures, InfoWhenInvalidated) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  unsigned long long id = 77;
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(0x10);
  const cudaGraphNode_t* nodes = reinterpret_cast<const cudaGraphNode_t*>(0x10);
  const cudaGraphEdgeData* data = reinterpret_cast<const cudaGraphEdgeData*>(0x10);
  size_t count = 77;
  ASK(cudaSuccess, cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &nodes, &data, &count));
  ASK_VALUE(cudaStreamCaptureStatusInvalidated, status);
  ASK_VALUE(77u, id);
  ASK_VALUE(true, graph == reinterpret_cast<cudaGraph_t>(0x10));
  ASK_VALUE(size_t{77}, count);
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
}

TEST_F(Captures, InfoOfDependencies) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK_VALUE(std::string(""), next_after(stream));
  MUST(launch_mark(1, stream));
  ASK_VALUE(std::string("1"), next_after(stream));
  MUST(launch_mark(2, stream));
  const Info info = info_of(stream);
  ASK_VALUE(std::string("2"), next_after(stream));
  ASK_VALUE(size_t{1}, info.data.size());
  ASK_VALUE(size_t{2}, nodes_of(info.graph).size());
  cudaGraph_t graph = nullptr;
  MUST(cudaStreamEndCapture(stream, &graph));
  ASK_VALUE(true, graph == info.graph);
  ASK_VALUE(std::string("1 2: 1>2"), drawn(graph));
  ASK(cudaSuccess, cudaGraphDestroy(graph));
}

TEST_F(Captures, InfoWithoutRoomForEdgeData) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = 1;
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticEvent;
  Event event(cudaEventDisableTiming);
  attribute.val.programmaticEvent.event = event;
  config.attrs = &attribute;
  config.numAttrs = 1;
  MUST(cudaLaunchKernelEx(&config, mark, 2));
  Stream other(cudaStreamNonBlocking);
  ASK(cudaSuccess, cudaStreamWaitEvent(other, event, 0));
  ASK_VALUE(std::string("2[1,0,1]"), next_after(other));
  cudaStreamCaptureStatus status;
  const cudaGraphNode_t* nodes = nullptr;
  size_t count = 0;
  ASK(cudaErrorLossyQuery, cudaStreamGetCaptureInfo(other, &status, nullptr, nullptr, &nodes, nullptr, &count));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK(cudaSuccess, cudaStreamGetCaptureInfo(other, &status, nullptr, nullptr, nullptr, nullptr, &count));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(Captures, NodesAddedToTheGraphJoinTheCapture) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  Info info = info_of(stream);
  cudaGraphNode_t added = nullptr;
  ASK(cudaSuccess, cudaGraphAddEmptyNode(&added, info.graph, info.dependencies.data(), info.dependencies.size()));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, &added, nullptr, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("empty"), next_after(stream));
  MUST(launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2 empty: 1>empty empty>2"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependencies) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto first = info_of(stream).dependencies;
  MUST(launch_mark(2, stream));
  ASK(cudaSuccess,
      cudaStreamUpdateCaptureDependencies(stream, first.data(), nullptr, 1, cudaStreamAddCaptureDependencies));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  ASK(cudaSuccess,
      cudaStreamUpdateCaptureDependencies(stream, first.data(), nullptr, 1, cudaStreamAddCaptureDependencies));
  ASK_VALUE(std::string("1 2"), next_after(stream));
  MUST(launch_mark(3, stream));
  ASK_VALUE(std::string("3"), next_after(stream));
  ASK(cudaSuccess,
      cudaStreamUpdateCaptureDependencies(stream, first.data(), nullptr, 1, cudaStreamSetCaptureDependencies));
  MUST(launch_mark(4, stream));
  // Node 3 is no longer reachable, but this does not count as an unjoined stream.
  ASK_VALUE(std::string("Success 1 2 3 4: 1>2 1>3 1>4 2>3"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependenciesToNothing) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string(""), next_after(stream));
  MUST(launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2:"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependenciesWithTheSameNodeTwice) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  cudaGraphNode_t twice[] = {one, one};
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, twice, nullptr, 2, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("1"), next_after(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2: 1>2"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependenciesWithEdgeData) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  ASK(cudaSuccess,
      cudaStreamUpdateCaptureDependencies(stream, &one, &programmatic, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("1[1,0,1]"), next_after(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  ASK_VALUE(std::string("Success 1 2: 1>2[1,0,1]"), end_drawn(stream));
}

TEST_F(Captures, ProgrammaticDependencyAtTheEnd) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  MUST(cudaStreamUpdateCaptureDependencies(stream, &one, &programmatic, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
}

TEST_F(Captures, ProgrammaticDependencyOnANodeThatIsNotAKernel) {
  DeviceArray<int> memory(16);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  MUST(cudaStreamUpdateCaptureDependencies(stream, &one, &programmatic, 1, cudaStreamSetCaptureDependencies));
  ASK(cudaSuccess, cudaMemsetAsync(memory.get(), 0, 64, stream));
  ASK_VALUE(std::string("active"), status_of(stream));
  // cudaGraphAddDependencies would refuse the edge.
  ASK_VALUE(std::string("Success 1 memset: 1>memset[1,0,1]"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependenciesWithWrongEdgeData) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  for (auto data :
       {edge_data(9, 0, 0), edge_data(0, 9, 0), edge_data(0, 0, 9), edge_data(1, 0, 0), edge_data(0, 0, 1)}) {
    ASK_CASE(
        "set " + std::to_string(data.from_port) + "," + std::to_string(data.to_port) + "," + std::to_string(data.type),
        cudaErrorInvalidValue,
        cudaStreamUpdateCaptureDependencies(stream, &one, &data, 1, cudaStreamSetCaptureDependencies));
    ASK_VALUE(std::string("1"), next_after(stream));
  }
  const auto begun = edge_data(2, 0, 0), begun_programmatic = edge_data(2, 0, 1);
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, &one, &begun, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("1[2,0,0]"), next_after(stream));
  ASK(cudaSuccess,
      cudaStreamUpdateCaptureDependencies(stream, &one, &begun_programmatic, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("1[2,0,1]"), next_after(stream));
  ASK(cudaSuccess, cudaStreamUpdateCaptureDependencies(stream, &one, nullptr, 1, cudaStreamSetCaptureDependencies));
  ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
}

TEST_F(Captures, UpdateDependenciesWhenInvalidated) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  auto one = info_of(stream).dependencies[0];
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamUpdateCaptureDependencies(stream, &one, nullptr, 1, 0));
  (void)end_capture(stream);
}
