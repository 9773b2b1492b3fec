// How many graphs device code may launch, and launches that it must not request.
#include "graph/device_launch/device_launch_support.h"

namespace {

__global__ void launch_all(const cudaGraphExec_t* graphs, int count, int how, int* answers) {
  for (int i = 0; i < count; ++i) answers[i] = static_cast<int>(cudaGraphLaunch(graphs[i], stream_of(how)));
}
__global__ void launch_by_thread(const cudaGraphExec_t* graphs, int* answers) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  answers[i] = static_cast<int>(cudaGraphLaunch(graphs[i], cudaStreamGraphFireAndForget));
}

__global__ void launch_next(const cudaGraphExec_t* graphs, int i, int count, int* runs) {
  atomicAdd(runs, 1);
  if (i + 1 < count) (void)cudaGraphLaunch(graphs[i + 1], cudaStreamGraphFireAndForgetAsSibling);
}

// ---- how many ------------------------------------------------------------------------------------------------------

class GraphDeviceLimits : public GraphDeviceLaunches {
 protected:
  std::vector<std::unique_ptr<Launched>> many;
  DeviceArray<cudaGraphExec_t> list{300};

  void make(int count) {
    std::vector<cudaGraphExec_t> all;
    for (int i = 0; i < count; ++i) {
      many.push_back(std::make_unique<Launched>(stream, add_atomically, at));
      all.push_back(*many.back());
    }
    MUST(cudaMemcpy(list.get(), all.data(), all.size() * sizeof all[0], cudaMemcpyHostToDevice));
  }
  // "120 x 0, 10 x 1": runs of equal answers.
  std::string answers(size_t from, size_t count) {
    const auto all = cell.read();
    std::string text;
    for (size_t i = from, next; i < from + count; i = next) {
      for (next = i; next < from + count && all[next] == all[i];) ++next;
      text += (text.empty() ? "" : ", ") + std::to_string(next - i) + " x " + std::to_string(all[i]);
    }
    return text;
  }
  void ask(int how, int count, const std::string& expected, const std::string& runs) {
    make(count);
    graph.kernel({}, launch_all, list.get(), count, how, at + 100);
    Exec exec(graph);
    for (const char* which : {"first", "second"}) {
      MUST(cudaMemset(at, 0, cell.bytes()));
      MUST(cudaGraphLaunch(exec, stream));
      MUST(cudaStreamSynchronize(stream));
      ASK_FACT(std::string(which) + " launch", expected, answers(100, count));
      ASK_FACT(std::string(which) + " launch, runs", runs, cells(0, 1));
    }
  }
};

TEST_F(GraphDeviceLimits, FireAndForget) { ask(forget, 130, "120 x 0, 10 x 1", "120"); }
TEST_F(GraphDeviceLimits, Siblings) { ask(sibling, 130, "120 x 0, 10 x 1", "120"); }
TEST_F(GraphDeviceLimits, Tails) { ask(tail, 265, "255 x 0, 10 x 1", "255"); }

// A sibling counts towards the launching graph's parent: here the stream's launch, and the outer graph.
TEST_F(GraphDeviceLimits, SiblingsCountForTheParent) {
  make(220);
  auto a = graph.kernel({}, launch_all, list.get(), 100, static_cast<int>(forget), at + 100);
  graph.kernel({a}, launch_all, list.get() + 100, 100, static_cast<int>(sibling), at + 200);
  run_graph(graph);
  ASK_FACT("100 forgotten", "100 x 0", answers(100, 100));
  ASK_FACT("and 100 siblings", "100 x 0", answers(200, 100));

  MUST(cudaMemset(at, 0, cell.bytes()));
  Graph inner, outer;
  auto b = inner.kernel({}, launch_all, list.get(), 110, static_cast<int>(sibling), at + 100);
  inner.kernel({b}, launch_all, list.get() + 110, 110, static_cast<int>(forget), at + 300);
  Exec child(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(child, stream));
  outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(child), static_cast<int>(forget), at + 500);
  run_graph(outer);
  const auto all = cell.read();
  int siblings = 0, own = 0;
  for (int i = 0; i < 110; ++i) siblings += all[100 + i] == 0, own += all[300 + i] == 0;
  ASK_FACT("a child's siblings", 110, siblings);
  ASK_FACT("and its own", 110, own);
}

// Each is a sibling of the one before: all are children of the stream's launch.
TEST_F(GraphDeviceLimits, AChainOfSiblings) {
  make(0);
  std::vector<cudaGraphExec_t> all;
  for (int i = 0; i < 130; ++i) {
    many.push_back(
        std::make_unique<Launched>(stream, launch_next, static_cast<const cudaGraphExec_t*>(list.get()), i, 130, at));
    all.push_back(*many.back());
  }
  MUST(cudaMemcpy(list.get(), all.data(), all.size() * sizeof all[0], cudaMemcpyHostToDevice));
  for (int i = 1; i < 3; ++i) {
    MUST(cudaGraphLaunch(all[0], stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("runs after " + std::to_string(i) + " launches", 121 * i, cell.read()[0]);
  }
}

TEST_F(GraphDeviceLimits, EachThreadLaunchesOne) {
  make(64);
  void* arguments[] = {nullptr, nullptr};
  auto* graphs = list.get();
  int* answered = at + 100;
  arguments[0] = &graphs;
  arguments[1] = &answered;
  const auto params = kernel_params(launch_by_thread, arguments, 2, 32);
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  run_graph(graph);
  EXPECT_EQ("64 x 0", answers(100, 64));
  EXPECT_EQ("64", cells(0, 1));
}

// ---- what may break the device -------------------------------------------------------------------------------------

class HazardGraphDeviceLaunch : public GraphDeviceLaunches {
 protected:
  void ask(const char* what, const std::string& expected) {
    const cudaError_t ended = cudaStreamSynchronize(stream);
    TELL_ERROR(std::string(what) + ": the end", ended);
    if (ended == cudaSuccess) ASK_FACT(what, expected, cells(0, 2));
  }
};

TEST_F(HazardGraphDeviceLaunch, NotUploaded) {
  Graph inner;
  inner.store(at, 5);
  Exec exec(inner, cudaGraphInstantiateFlagDeviceLaunch);
  graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(exec), forget, at + 1);
  Exec outer(graph);
  MUST(cudaGraphLaunch(outer, stream));
  ask("not uploaded", "0 1");
}

TEST_F(HazardGraphDeviceLaunch, NotForDevices) {
  UNDEFINED_ON_NVIDIA("a graph instantiated for the host alone: an H200 faults");
  Graph inner;
  inner.store(at, 5);
  Exec exec(inner);
  MUST(cudaGraphUpload(exec, stream));
  graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(exec), forget, at + 1);
  Exec outer(graph);
  MUST(cudaGraphLaunch(outer, stream));
  ask("not for device launch", "0 1");
}

TEST_F(HazardGraphDeviceLaunch, FromNoGraph) {
  UNDEFINED_ON_NVIDIA("a launch by a kernel that is in no graph: an H200 answers success and runs nothing");
  auto stored = launched(store, at, 5);
  for (int how : {forget, tail, sibling}) {
    MUST(cudaMemset(at, 0, cell.bytes()));
    launch_one<<<1, 1, 0, stream>>>(stored, how, at + 1);
    ask("from a kernel in a stream", "0 1");
  }
}

__global__ void launch_into(cudaGraphExec_t graph, unsigned long long name, int* answer) {
  *answer = static_cast<int>(cudaGraphLaunch(graph, reinterpret_cast<cudaStream_t>(name)));
}

TEST_F(HazardGraphDeviceLaunch, IntoOtherStreams) {
  auto stored = launched(store, at, 5);
  for (unsigned long long name : {0ull, 1ull, 2ull, 3ull, 4ull, 0x0400000000000000ull}) {
    MUST(cudaMemset(at, 0, cell.bytes()));
    Graph outer;
    outer.kernel({}, launch_into, static_cast<cudaGraphExec_t>(stored), name, at + 1);
    Exec exec(outer);
    MUST(cudaGraphLaunch(exec, stream));
    ask("into another stream", "0 1");
  }
}

TEST_F(HazardGraphDeviceLaunch, Nothing) {
  graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(nullptr), forget, at + 1);
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  ask("null", "0 1");
}

}  // namespace
