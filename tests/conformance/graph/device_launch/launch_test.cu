// Graphs launched by device code, and kernel nodes changed by it.
#include "graph/update/update_support.h"

namespace {

__global__ void launch_from_device(cudaGraphExec_t graph, int how, int* answer) {
  cudaStream_t stream = how == 0   ? cudaStreamGraphFireAndForget
                        : how == 1 ? cudaStreamGraphTailLaunch
                                   : cudaStreamGraphFireAndForgetAsSibling;
  *answer = static_cast<int>(cudaGraphLaunch(graph, stream));
}

// Relaunches its own graph until the count is reached.
__global__ void relaunch(int* count, int limit, int* answer) {
  *count += 1;
  if (*count < limit) *answer = static_cast<int>(cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
}

__global__ void tell_current(unsigned long long* where) {
  *where = reinterpret_cast<unsigned long long>(cudaGetCurrentGraphExec());
}

__global__ void slow_store(int* where, int value) {
  const long long start = clock64();
  while (clock64() - start < 2000000) {
  }
  *where = value;
}

__global__ void change_node(cudaGraphDeviceNode_t node, int value, int enable, int* answers) {
  answers[0] = static_cast<int>(cudaGraphKernelNodeSetParam(node, 8, value));
  answers[1] = static_cast<int>(cudaGraphKernelNodeSetEnabled(node, enable != 0));
}

class GraphDeviceLaunch : public Graphs {
 protected:
  DeviceArray<int> cell{8};
  int* at = cell.get();
  Stream stream{cudaStreamNonBlocking};

  std::string cells(size_t count) {
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

TEST_F(GraphDeviceLaunch, AGraphLaunchesAnother) {
  for (int how : {0, 1, 2}) {
    Graph inner, outer;
    inner.kernel({}, add_one, at);
    Exec inner_exec(inner, cudaGraphInstantiateFlagDeviceLaunch);
    MUST(cudaGraphUpload(inner_exec, stream));
    outer.kernel({}, launch_from_device, static_cast<cudaGraphExec_t>(inner_exec), how, at + 1);
    Exec outer_exec(outer);
    MUST(cudaMemset(at, 0xff, cell.bytes()));
    MUST(cudaGraphLaunch(outer_exec, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("answer of way " + std::to_string(how), 0, cell.read()[1]);
    ASK_FACT("ran in way " + std::to_string(how), 0, cell.read()[0]);
  }
}

TEST_F(GraphDeviceLaunch, AGraphLaunchesItselfAgain) {
  graph.kernel({}, relaunch, at, 10, at + 1);
  Exec exec(graph, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("10 0", cells(2));
}

TEST_F(GraphDeviceLaunch, TheCurrentGraph) {
  DeviceArray<unsigned long long> word(2);
  graph.kernel({}, tell_current, word.get());
  Exec exec(graph, cudaGraphInstantiateFlagDeviceLaunch), plain(graph);
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("in a graph for device launch", true, word.read()[0] != 0);
  MUST(cudaGraphLaunch(plain, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("in a plain graph", true, word.read()[0] == 0);
  tell_current<<<1, 1, 0, stream>>>(word.get());
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("outside graphs", true, word.read()[0] == 0);
}

TEST_F(GraphDeviceLaunch, TheTailRunsAfterWhatWasForgotten) {
  Graph slow, tail, outer;
  slow.kernel({}, slow_store, at, 5);
  tail.copy(at + 1, at, 4);
  Exec slow_exec(slow, cudaGraphInstantiateFlagDeviceLaunch), tail_exec(tail, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(slow_exec, stream));
  MUST(cudaGraphUpload(tail_exec, stream));
  const auto first = outer.kernel({}, launch_from_device, static_cast<cudaGraphExec_t>(slow_exec), 0, at + 2);
  outer.kernel({first}, launch_from_device, static_cast<cudaGraphExec_t>(tail_exec), 1, at + 3);
  Exec exec(outer);
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("5 5 0 0", cells(4));
}

TEST_F(GraphDeviceLaunch, WithoutTheFlag) {
  Graph inner, outer;
  inner.kernel({}, add_one, at);
  Exec inner_exec(inner);
  outer.kernel({}, launch_from_device, static_cast<cudaGraphExec_t>(inner_exec), 0, at + 1);
  UNDEFINED_ON_NVIDIA("launching a graph that is not for device launch");
}

TEST_F(GraphDeviceLaunch, NodesChangedFromTheDevice) {
  Graph inner;
  const auto target = graph.store(at, 1);
  cudaLaunchAttributeValue value{};
  value.deviceUpdatableKernelNode.deviceUpdatable = 1;
  ASK(cudaSuccess, cudaGraphKernelNodeSetAttribute(target, cudaLaunchAttributeDeviceUpdatableKernelNode, &value));
  ASK_FACT("a device node is told", true, value.deviceUpdatableKernelNode.devNode != nullptr);
  if (!value.deviceUpdatableKernelNode.devNode) return;
  const auto changer = graph.kernel({}, change_node, value.deviceUpdatableKernelNode.devNode, 9, 1, at + 2);
  MUST(graph.edge(changer, target));
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("9 0 0 0", cells(4));
  cudaGraphExec_t second = nullptr;
  ASK_CASE("a second executable", cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  ASK_FACT("updated", std::string("cudaErrorNotSupported Success node - from -"), update(exec, graph));
  cudaGraph_t clone = nullptr;
  ASK_CASE("a clone", cudaErrorNotSupported, cudaGraphClone(&clone, graph));
}

TEST_F(GraphDeviceLaunch, UpdatesOfAGraphForDeviceLaunch) {
  const auto node = graph.store(at, 1);
  Exec exec(graph, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  KernelParams two(store, at, 2);
  ASK(cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  EXPECT_EQ("2", cells(1));
  Exec plain(graph);
  KernelParams launcher(launch_from_device, static_cast<cudaGraphExec_t>(exec), 0, at + 1);
  ASK_CASE("a kernel that launches graphs for one that does not", cudaErrorInvalidValue,
           cudaGraphExecKernelNodeSetParams(plain, node, &launcher.params));
}

}  // namespace
