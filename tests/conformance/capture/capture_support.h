// Shared by the capture tests, in addition to graph_support.h.
//
// Many questions have the same form: a stream captures, a call is made, and then? outcome() makes one line of the
// answer:
//
//   <the call> | <status of the capture> | <next launch> | <end> | <nodes of the graph, or null> | <launch and wait
//   after>
#pragma once

#include <map>

#include "graph/graph_support.h"

namespace conformance {

// "StreamCaptureImplicit" for cudaErrorStreamCaptureImplicit.
inline std::string brief(cudaError_t error) {
  if (static_cast<int>(error) == -11) return "CRASH";
  std::string name = cudaGetErrorName(error);
  for (const char* prefix : {"cudaError", "cuda"}) {
    if (name.rfind(prefix, 0) == 0) return name.substr(std::strlen(prefix));
  }
  return name;
}

inline std::string brief(cudaStreamCaptureStatus status) {
  return status == cudaStreamCaptureStatusNone     ? "none"
         : status == cudaStreamCaptureStatusActive ? "active"
                                                   : "invalidated";
}

inline std::string brief(cudaStreamCaptureMode mode) {
  return mode == cudaStreamCaptureModeGlobal        ? "global"
         : mode == cudaStreamCaptureModeThreadLocal ? "local"
                                                    : "relaxed";
}

inline constexpr auto global = cudaStreamCaptureModeGlobal;
inline constexpr auto local = cudaStreamCaptureModeThreadLocal;
inline constexpr auto relaxed = cudaStreamCaptureModeRelaxed;
inline const cudaStreamCaptureMode capture_modes[] = {global, local, relaxed};

inline std::string status_of(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaError_t answer = cudaStreamIsCapturing(stream, &status);
  (void)cudaGetLastError();
  return answer == cudaSuccess ? brief(status) : brief(answer);
}

// A kernel whose argument identifies the launch.
[[maybe_unused]] static __global__ void mark(int) {}

inline cudaError_t launch_mark(int id, cudaStream_t stream) {
  mark<<<1, 1, 0, stream>>>(id);
  return cudaGetLastError();
}

// The result of cudaStreamEndCapture, as "Success 3" for 3 nodes; destroys the graph.
inline std::string end_capture(cudaStream_t stream) {
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(0x10);
  const cudaError_t answer = guarded([&] { return cudaStreamEndCapture(stream, &graph); });
  (void)cudaGetLastError();
  std::string text = brief(answer) + " ";
  if (graph == reinterpret_cast<cudaGraph_t>(0x10)) return text + "untouched";
  if (!graph) return text + "null";
  text += std::to_string(nodes_of(graph).size());
  (void)cudaGraphDestroy(graph);
  return text;
}

// A node's name: the argument of its mark kernel, or a word for its type.
inline std::string node_name(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  EXPECT_EQ(cudaSuccess, cudaGraphNodeGetType(node, &type));
  switch (type) {
    case cudaGraphNodeTypeKernel: {
      cudaKernelNodeParams params{};
      EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeGetParams(node, &params));
      if (params.func != reinterpret_cast<void*>(mark)) return "kernel";
      return std::to_string(*static_cast<int*>(params.kernelParams[0]));
    }
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "child";
    case cudaGraphNodeTypeEmpty:
      return "empty";
    case cudaGraphNodeTypeWaitEvent:
      return "wait";
    case cudaGraphNodeTypeEventRecord:
      return "record";
    case cudaGraphNodeTypeExtSemaphoreSignal:
      return "signal";
    case cudaGraphNodeTypeExtSemaphoreWait:
      return "semaphore";
    case cudaGraphNodeTypeMemAlloc:
      return "alloc";
    case cudaGraphNodeTypeMemFree:
      return "free";
    default:
      return "type " + std::to_string(type);
  }
}

// "1 2 3: 1>2 1>3": nodes, then edges, both sorted. An edge with data has it in brackets: from, to, type.
inline std::string drawn(cudaGraph_t graph) {
  if (!graph) return "null";
  std::multiset<std::string> names, edges;
  for (auto node : nodes_of(graph)) names.insert(node_name(node));
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  Nodes from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count) EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &count));
  for (size_t i = 0; i < count; ++i) {
    std::string edge = node_name(from[i]) + ">" + node_name(to[i]);
    if (!(data[i] == cudaGraphEdgeData{})) {
      edge += "[" + std::to_string(data[i].from_port) + "," + std::to_string(data[i].to_port) + "," +
              std::to_string(data[i].type) + "]";
    }
    edges.insert(edge);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
  text += ":";
  for (const auto& edge : edges) text += " " + edge;
  return text;
}

// Ends the capture and prints its graph: "Success 1 2: 1>2".
inline std::string end_drawn(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  const cudaError_t answer = guarded([&] { return cudaStreamEndCapture(stream, &graph); });
  (void)cudaGetLastError();
  const std::string text = brief(answer) + " " + drawn(graph);
  if (graph) (void)cudaGraphDestroy(graph);
  return text;
}

struct Info {
  cudaError_t answer = cudaSuccess;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  cudaGraph_t graph = nullptr;
  Nodes dependencies;
  std::vector<cudaGraphEdgeData> data;
};

inline Info info_of(cudaStream_t stream) {
  Info info;
  const cudaGraphNode_t* nodes = nullptr;
  const cudaGraphEdgeData* data = nullptr;
  size_t count = 0;
  info.answer = guarded(
      [&] { return cudaStreamGetCaptureInfo(stream, &info.status, &info.id, &info.graph, &nodes, &data, &count); });
  (void)cudaGetLastError();
  if (info.answer != cudaSuccess || info.status != cudaStreamCaptureStatusActive) return info;
  if (nodes) info.dependencies.assign(nodes, nodes + count);
  if (data) info.data.assign(data, data + count);
  return info;
}

// Names of the nodes that the stream's next node will depend on, sorted.
inline std::string next_after(cudaStream_t stream) {
  const Info info = info_of(stream);
  if (info.answer != cudaSuccess) return brief(info.answer);
  if (info.status != cudaStreamCaptureStatusActive) return brief(info.status);
  std::multiset<std::string> names;
  for (size_t i = 0; i < info.dependencies.size(); ++i) {
    std::string name = node_name(info.dependencies[i]);
    if (i < info.data.size() && !(info.data[i] == cudaGraphEdgeData{})) {
      name += "[" + std::to_string(info.data[i].from_port) + "," + std::to_string(info.data[i].to_port) + "," +
              std::to_string(info.data[i].type) + "]";
    }
    names.insert(name);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
  return text;
}

// Makes the call in another thread and joins that thread.
template <typename Call>
auto elsewhere(Call call) {
  decltype(call()) answer{};
  std::thread([&] { answer = call(); }).join();
  return answer;
}

// Whether the stream can be used again after a capture.
inline std::string usable(cudaStream_t stream) {
  cudaError_t answer = launch_mark(-1, stream);
  if (answer == cudaSuccess) answer = cudaStreamSynchronize(stream);
  (void)cudaGetLastError();
  return brief(answer);
}

inline cudaMemPool_t default_pool() {
  cudaMemPool_t pool = nullptr;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetDefaultMemPool(&pool, 0));
  return pool;
}

// Objects that the calls in the tables use. Made before the capture and destroyed after it.
struct Things {
  explicit Things(unsigned stream_flags) : stream(stream_flags) {
    EXPECT_EQ(cudaSuccess, cudaMallocManaged(&managed, 4096));
    EXPECT_EQ(cudaSuccess, cudaEventRecord(recorded, non_blocking));
    EXPECT_EQ(cudaSuccess, cudaEventRecord(recorded_too, non_blocking));
    EXPECT_EQ(cudaSuccess, cudaMallocFromPoolAsync(&pooled, 4096, pool, non_blocking));
    node = graph.kernel({}, mark, 0);
    EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  ~Things() {
    (void)cudaGetLastError();
    (void)cudaDeviceSynchronize();
    for (auto& cleanup : later) cleanup();
    (void)cudaGraphExecDestroy(exec);
    (void)cudaFree(managed);
    if (pooled) (void)cudaFreeAsync(pooled, non_blocking);
    (void)cudaGetLastError();
  }

  Stream stream;  // the one that captures
  Stream blocking, non_blocking{cudaStreamNonBlocking};
  Event recorded, recorded_too;  // before the capture
  Event fresh;                   // never
  Event captured;                // in the capture
  DeviceArray<int> device{1024}, device_too{1024};
  PinnedArray<int> pinned{1024};
  std::vector<int> pageable = std::vector<int>(1024);
  int* managed = nullptr;
  cudaMemPool_t pool = default_pool();
  void* pooled = nullptr;
  Graph graph;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t exec = nullptr;
  std::vector<std::function<void()>> later;  // what the call leaves to be done after the capture
};

struct Situation {
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  unsigned stream_flags = cudaStreamNonBlocking;
  bool other_thread = false;
  cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;  // of the thread that makes the call

  std::string text() const {
    std::string words = brief(mode) + (stream_flags ? "" : ", blocking") + (other_thread ? ", other thread" : "");
    return thread_mode == cudaStreamCaptureModeGlobal ? words : words + ", thread " + brief(thread_mode);
  }
};

struct Row {
  const char* name;
  std::function<cudaError_t(Things&)> call;
};

inline cudaError_t call_in(const Situation& situation, const Row& row, Things& things) {
  cudaStreamCaptureMode mode = situation.thread_mode;
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
  const cudaError_t answer = guarded([&] { return row.call(things); });
  (void)cudaThreadExchangeStreamCaptureMode(&mode);
  (void)cudaGetLastError();
  return answer;
}

inline std::string outcome(const Situation& situation, const Row& row) {
  Things things(situation.stream_flags);
  EXPECT_EQ(cudaSuccess, cudaStreamBeginCapture(things.stream, situation.mode));
  EXPECT_EQ(cudaSuccess, launch_mark(1, things.stream));
  EXPECT_EQ(cudaSuccess, cudaEventRecord(things.captured, things.stream));
  auto call = [&] { return call_in(situation, row, things); };
  std::string text = brief(situation.other_thread ? elsewhere(call) : call());
  text += " | " + status_of(things.stream);
  text += " | " + brief(launch_mark(2, things.stream));
  text += " | " + end_capture(things.stream);
  return text + " | " + usable(things.stream);
}

// The usual outcomes.
inline std::string goes_on(cudaError_t answer = cudaSuccess, int nodes = 2) {
  return brief(answer) + " | active | Success | Success " + std::to_string(nodes) + " | Success";
}
inline std::string invalidates(cudaError_t answer) {
  return brief(answer) + " | invalidated | StreamCaptureInvalidated | StreamCaptureInvalidated null | Success";
}

// Whether a potentially unsafe call is prohibited, as cudaThreadExchangeStreamCaptureMode documents it.
inline bool prohibits(const Situation& s) {
  if (s.thread_mode == cudaStreamCaptureModeRelaxed || s.mode == cudaStreamCaptureModeRelaxed) return false;
  if (!s.other_thread) return true;
  return s.thread_mode == cudaStreamCaptureModeGlobal && s.mode == cudaStreamCaptureModeGlobal;
}

class Captures : public Runtime {
 protected:
  void TearDown() override {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    ASK(cudaSuccess, cudaThreadExchangeStreamCaptureMode(&mode));
    ASK_VALUE(cudaStreamCaptureModeGlobal, mode);
    Runtime::TearDown();
  }
  Stream stream{cudaStreamNonBlocking};
};

// Mode of the capture, flags of its stream, and whether another thread calls. The calling thread's mode is all three in
// turn.
using CaptureKind = std::tuple<cudaStreamCaptureMode, unsigned, bool>;

class CapturesInEverySituation : public Captures, public testing::WithParamInterface<CaptureKind> {
 protected:
  static std::vector<Situation> situations() {
    const auto [mode, flags, other_thread] = GetParam();
    std::vector<Situation> all;
    for (auto thread_mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
      all.push_back({mode, flags, other_thread, thread_mode});
    }
    return all;
  }
};

inline std::string name_of(const testing::TestParamInfo<CaptureKind>& info) {
  static const char* const modes[] = {"Global", "ThreadLocal", "Relaxed"};
  const auto [mode, flags, other_thread] = info.param;
  return std::string(modes[mode]) + (flags ? "" : "OfBlockingStream") + (other_thread ? "FromAnotherThread" : "");
}

#define IN_EVERY_SITUATION(suite)                                                                     \
  INSTANTIATE_TEST_SUITE_P(                                                                           \
      Capture, suite,                                                                                 \
      testing::Combine(testing::Values(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, \
                                       cudaStreamCaptureModeRelaxed),                                 \
                       testing::Values(unsigned{cudaStreamNonBlocking}, unsigned{cudaStreamDefault}), \
                       testing::Bool()),                                                              \
      conformance::name_of)

inline cudaError_t end_in(cudaStream_t stream, cudaGraph_t* graph) { return cudaStreamEndCapture(stream, graph); }

class CapturedStreams : public Captures {
 protected:
  cudaError_t fork(cudaStream_t to, cudaStream_t from, cudaEvent_t by) {
    const cudaError_t answer = cudaEventRecord(by, from);
    return answer == cudaSuccess ? cudaStreamWaitEvent(to, by, 0) : answer;
  }
  Stream other{cudaStreamNonBlocking}, third{cudaStreamNonBlocking};
  Event event{cudaEventDisableTiming}, join{cudaEventDisableTiming}, more{cudaEventDisableTiming};
};

}  // namespace conformance
