// Beginning, ending, looking at and changing a capture; capturing into a graph that is there; modes of threads.
#include "capture/capture_support.h"

namespace {

constexpr auto global = cudaStreamCaptureModeGlobal;
constexpr auto local = cudaStreamCaptureModeThreadLocal;
constexpr auto relaxed = cudaStreamCaptureModeRelaxed;

cudaError_t end_in(cudaStream_t stream, cudaGraph_t* graph) { return cudaStreamEndCapture(stream, graph); }

// Exchanges to `mode` and gives what was before.
std::string exchange(cudaStreamCaptureMode mode) {
  const cudaError_t answer = cudaThreadExchangeStreamCaptureMode(&mode);
  return answer == cudaSuccess ? brief(mode) : brief(answer);
}

}  // namespace

TEST_F(Captures, NothingCaptured) {
  for (auto mode : capture_modes) {
    ASK(cudaSuccess, cudaStreamBeginCapture(stream, mode));
    ASK_VALUE(std::string("active"), status_of(stream));
    ASK_VALUE(std::string(""), next_after(stream));
    ASK_VALUE(std::string("Success :"), end_drawn(stream));
    ASK_VALUE(std::string("none"), status_of(stream));
  }
}

TEST_F(Captures, AnEmptyGraphRuns) {
  MUST(cudaStreamBeginCapture(stream, global));
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  Graph graph(captured);
  Exec exec(graph);
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

TEST_F(Captures, BeginOnWrongStreams) {
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(nullptr, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(cudaStreamLegacy, relaxed));
  Graph graph;
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCaptureToGraph(nullptr, graph, nullptr, nullptr, 0, global));
}

TEST_F(Captures, BeginInWrongModes) {
  for (int mode : {3, 4, -1, 100}) {
    ASK(cudaErrorInvalidValue, cudaStreamBeginCapture(stream, static_cast<cudaStreamCaptureMode>(mode)));
    ASK_VALUE(std::string("none"), status_of(stream));
  }
}

TEST_F(Captures, PerThreadStream) {
  for (auto mode : capture_modes) {
    ASK(cudaSuccess, cudaStreamBeginCapture(cudaStreamPerThread, mode));
    ASK(cudaSuccess, launch_mark(1, cudaStreamPerThread));
    ASK_VALUE(std::string("active"), status_of(cudaStreamPerThread));
    ASK_VALUE(std::string("StreamCaptureImplicit"), status_of(cudaStreamLegacy));
    ASK_VALUE(std::string("Success 1:"), end_drawn(cudaStreamPerThread));
    ASK_VALUE(std::string("Success"), usable(cudaStreamPerThread));
  }
}

TEST_F(Captures, EndWithoutBegin) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(0x10);
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(stream, &graph));
  ASK_VALUE(true, graph == nullptr);
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(cudaStreamPerThread, &graph));
  ASK(cudaErrorIllegalState, cudaStreamEndCapture(nullptr, &graph));
}

TEST_F(Captures, EndTwice) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK_VALUE(std::string("Success 0"), end_capture(stream));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
}

TEST_F(Captures, EndWithNowhereToPutTheGraph) {
  MUST(cudaStreamBeginCapture(stream, global));
  MUST(launch_mark(1, stream));
  // Its handle is known from here.
  cudaGraph_t graph = info_of(stream).graph;
  ASK(cudaSuccess, end_in(stream, nullptr));
  ASK_VALUE(std::string("1:"), drawn(graph));
  ASK(cudaSuccess, cudaGraphDestroy(graph));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
}

TEST_F(Captures, EndInAnotherThread) {
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    MUST(launch_mark(1, stream));
    const std::string refused = "StreamCaptureWrongThread null";
    ASK_FACT("end elsewhere [" + brief(mode) + "]", mode == relaxed ? "Success 1" : refused,
             elsewhere([&] { return end_capture(stream); }));
    ASK_FACT("status after [" + brief(mode) + "]", std::string("none"), status_of(stream));
    ASK_FACT("end here after [" + brief(mode) + "]", std::string("IllegalState null"), end_capture(stream));
    ASK_FACT("after [" + brief(mode) + "]", std::string("Success"), usable(stream));
  }
}

TEST_F(Captures, WorkFromAnotherThreadIsCaptured) {
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    MUST(launch_mark(1, stream));
    ASK_FACT("launch elsewhere [" + brief(mode) + "]", std::string("Success"),
             brief(elsewhere([&] { return launch_mark(2, stream); })));
    ASK_FACT("end [" + brief(mode) + "]", std::string("Success 1 2: 1>2"), end_drawn(stream));
  }
}

TEST_F(Captures, TwoOfOneThread) {
  Stream other(cudaStreamNonBlocking);
  for (auto mode : capture_modes) {
    MUST(cudaStreamBeginCapture(stream, mode));
    ASK_FACT("second begin [" + brief(mode) + "]", cudaSuccess, cudaStreamBeginCapture(other, mode));
    MUST(launch_mark(1, stream));
    ASK(cudaSuccess, launch_mark(2, other));
    ASK_FACT("ids differ", true, info_of(stream).id != info_of(other).id);
    ASK_VALUE(std::string("Success 1:"), end_drawn(stream));
    ASK_VALUE(std::string("Success 2:"), end_drawn(other));
  }
}

TEST_F(Captures, UnsafeCallWithTwoOfOneThread) {
  Stream other(cudaStreamNonBlocking);
  for (auto mode : capture_modes) {
    for (auto mode_of_other : capture_modes) {
      const std::string what = " [" + brief(mode) + ", " + brief(mode_of_other) + "]";
      MUST(cudaStreamBeginCapture(stream, mode));
      MUST(cudaStreamBeginCapture(other, mode_of_other));
      void* address = nullptr;
      const bool one = mode != relaxed, two = mode_of_other != relaxed;
      ASK_FACT("cudaMalloc" + what, std::string(one || two ? "StreamCaptureUnsupported" : "Success"),
               brief(cudaMalloc(&address, 4096)));
      (void)cudaGetLastError();
      ASK_FACT("first" + what, std::string(one ? "invalidated" : "active"), status_of(stream));
      ASK_FACT("second" + what, std::string(two ? "invalidated" : "active"), status_of(other));
      (void)end_capture(stream);
      (void)end_capture(other);
      ASK(cudaSuccess, cudaFree(address));
    }
  }
}

TEST_F(Captures, IdsAreUnique) {
  std::set<unsigned long long> ids;
  for (int i = 0; i < 3; ++i) {
    MUST(cudaStreamBeginCapture(stream, global));
    const unsigned long long id = info_of(stream).id;
    TELL("id", id);
    EXPECT_TRUE(ids.insert(id).second);
    MUST(launch_mark(1, stream));
    EXPECT_EQ(id, info_of(stream).id);
    (void)end_capture(stream);
  }
}

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

TEST_F(Captures, GraphAddsToWhatIsCaptured) {
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
  // 3 is reached by nothing any more; that is no unjoined stream.
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

TEST_F(Captures, ProgrammaticDependencyOfWhatIsNoKernel) {
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

// Every call on an invalidated capture's stream.
TEST_F(Captures, InvalidatedCaptureRefusesEverything) {
  Event captured, event;
  DeviceArray<int> memory(16);
  PinnedArray<int> host(16);
  Graph graph;
  graph.empty();
  Exec exec(graph);
  Stream other(cudaStreamNonBlocking);
  MUST(cudaStreamBeginCapture(stream, relaxed));
  MUST(launch_mark(1, stream));
  MUST(cudaEventRecord(captured, stream));
  MUST(cudaStreamWaitEvent(other, captured, 0));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  ASK_VALUE(std::string("invalidated"), status_of(other));
  ASK(cudaErrorStreamCaptureInvalidated, launch_mark(2, stream));
  ASK(cudaErrorStreamCaptureInvalidated, launch_mark(2, other));
  ASK(cudaErrorStreamCaptureInvalidated, cudaMemcpyAsync(memory.get(), host.get(), 64, cudaMemcpyDefault, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(memory.get(), 0, 64, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaLaunchHostFunc(stream, [](void*) {}, nullptr));
  ASK(cudaErrorStreamCaptureInvalidated, cudaEventRecord(event, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, captured, 0));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, event, 0));
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamWaitEvent(stream, event, cudaEventWaitExternal));
  ASK(cudaErrorStreamCaptureUnsupported, cudaGraphLaunch(exec, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(other));
  ASK(cudaErrorIllegalState, cudaStreamBeginCapture(stream, relaxed));
  ASK(cudaErrorStreamCaptureUnsupported, cudaDeviceSynchronize());
  ASK(cudaErrorInvalidValue, cudaEventQuery(captured));
  ASK(cudaErrorInvalidValue, cudaEventSynchronize(captured));
  Stream third(cudaStreamNonBlocking);
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(third, captured, 0));
  ASK_VALUE(std::string("none"), status_of(third));
  ASK(cudaSuccess, launch_mark(1, third));
  ASK(cudaErrorStreamCaptureUnsupported,
      cudaStreamAddCallback(stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0));
  ASK_VALUE(std::string("StreamCaptureUnmatched null"), end_capture(other));
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK_VALUE(std::string("none"), status_of(other));
  ASK_VALUE(std::string("Success"), usable(stream));
  ASK_VALUE(std::string("Success"), usable(other));
  // The event stands for nothing that can be waited for.
  ASK(cudaErrorInvalidValue, cudaEventQuery(captured));
  ASK(cudaErrorInvalidValue, cudaStreamWaitEvent(stream, captured, 0));
  ASK(cudaSuccess, cudaEventRecord(captured, stream));
  ASK(cudaSuccess, cudaEventSynchronize(captured));
}

// An unsafe call while the thread's only capture is invalidated already.
TEST_F(Captures, UnsafeCallsWhenInvalidated) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamQuery(stream));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("StreamCaptureUnsupported"), brief(elsewhere([&] { return cudaMalloc(&address, 4096); })));
  (void)end_capture(stream);
}

TEST_F(Captures, ThreadModes) {
  ASK_VALUE(std::string("global"), exchange(relaxed));
  ASK_VALUE(std::string("relaxed"), exchange(local));
  ASK_VALUE(std::string("local"), exchange(local));
  ASK_VALUE(std::string("global"), elsewhere([] { return exchange(relaxed); }));
  ASK_VALUE(std::string("local"), exchange(global));
  // What is no mode is kept all the same.
  cudaStreamCaptureMode wrong = static_cast<cudaStreamCaptureMode>(5);
  ASK(cudaSuccess, cudaThreadExchangeStreamCaptureMode(&wrong));
  ASK_VALUE(cudaStreamCaptureModeGlobal, wrong);
  wrong = global;
  ASK(cudaSuccess, cudaThreadExchangeStreamCaptureMode(&wrong));
  ASK_VALUE(5, static_cast<int>(wrong));
}

TEST_F(Captures, NoModeToExchange) {
  CRASHES_ON_NVIDIA("a null mode");
  ASK(cudaErrorInvalidValue, cudaThreadExchangeStreamCaptureMode(nullptr));
}

// A thread whose mode is no mode.
TEST_F(Captures, WrongModeOfAThread) {
  MUST(cudaStreamBeginCapture(stream, global));
  cudaStreamCaptureMode wrong = static_cast<cudaStreamCaptureMode>(5);
  MUST(cudaThreadExchangeStreamCaptureMode(&wrong));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("invalidated"), status_of(stream));
  wrong = global;
  MUST(cudaThreadExchangeStreamCaptureMode(&wrong));
  (void)end_capture(stream);
}

TEST_F(Captures, ModeOfAThreadIsLookedAtWhenItCalls) {
  MUST(cudaStreamBeginCapture(stream, global));
  ASK_VALUE(std::string("global"), exchange(relaxed));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 4096));
  ASK_VALUE(std::string("relaxed"), exchange(global));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK_VALUE(std::string("Success 0"), end_capture(stream));
  ASK(cudaSuccess, cudaFree(address));
}

// Into a graph that is there.
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
  // The graph is gone, also one that was not made by the capture.
  CRASHES_ON_NVIDIA("a graph that a failed capture has destroyed");
  size_t count = 0;
  ASK(cudaErrorInvalidValue, cudaGraphGetNodes(graph, nullptr, &count));
}

// A graph that is captured into is not to be used otherwise, but can be added to.
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

// What is left of somebody's graph after a capture into it fails in other ways.
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

// What the graph is like between an error and the end.
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

// With the stream on which it was begun the capture is gone, and the others are as before.
TEST_F(Captures, OriginDestroyed) {
  cudaStream_t origin = nullptr;
  MUST(cudaStreamCreateWithFlags(&origin, cudaStreamNonBlocking));
  Event event;
  MUST(cudaStreamBeginCapture(origin, global));
  MUST(launch_mark(1, origin));
  MUST(cudaEventRecord(event, origin));
  MUST(cudaStreamWaitEvent(stream, event, 0));
  ASK(cudaSuccess, cudaStreamDestroy(origin));
  ASK_VALUE(std::string("none"), status_of(stream));
  ASK(cudaSuccess, launch_mark(2, stream));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
  ASK_VALUE(std::string("IllegalState null"), end_capture(stream));
  ASK_VALUE(std::string("Success"), usable(stream));
  MUST(cudaFree(address));
}

TEST_F(Captures, OtherStreamDestroyed) {
  for (bool works : {false, true}) {
    cudaStream_t other = nullptr;
    MUST(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    Event event;
    MUST(cudaStreamBeginCapture(stream, global));
    MUST(launch_mark(1, stream));
    MUST(cudaEventRecord(event, stream));
    MUST(cudaStreamWaitEvent(other, event, 0));
    if (works) MUST(launch_mark(2, other));
    ASK(cudaSuccess, cudaStreamDestroy(other));
    ASK_VALUE(std::string("active"), status_of(stream));
    MUST(launch_mark(3, stream));
    ASK_VALUE(std::string(works ? "StreamCaptureUnjoined null" : "Success 1 3: 1>3"), end_drawn(stream));
    ASK_VALUE(std::string("Success"), usable(stream));
  }
}

TEST_F(Captures, ThreadEndsWhileItCaptures) {
  MUST(elsewhere([&] { return cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal); }));
  ASK_VALUE(std::string("active"), status_of(stream));
  ASK(cudaSuccess, launch_mark(1, stream));
  void* address = nullptr;
  ASK(cudaErrorStreamCaptureUnsupported, cudaMalloc(&address, 64));
  // That it is invalidated comes before the wrong thread.
  ASK_VALUE(std::string("StreamCaptureInvalidated null"), end_capture(stream));
  ASK_VALUE(std::string("none"), status_of(stream));
}

// A thread's own stream goes with it, and the capture with the stream.
TEST_F(Captures, ThreadOfItsOwnStreamEnds) {
  MUST(elsewhere([&] { return cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeGlobal); }));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
  ASK(cudaSuccess, cudaFree(address));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK(cudaSuccess, launch_mark(1, cudaStreamLegacy));
}

// The device starts afresh. In its own process.
using StickyCaptures = Captures;

TEST_F(StickyCaptures, DeviceReset) {
  cudaStream_t own = nullptr;
  MUST(cudaStreamCreate(&own));
  MUST(cudaStreamBeginCapture(own, cudaStreamCaptureModeGlobal));
  ASK(cudaSuccess, cudaDeviceReset());
  ASK(cudaSuccess, cudaDeviceSynchronize());
  void* address = nullptr;
  ASK(cudaSuccess, cudaMalloc(&address, 64));
}
