// Uploads of graphs for device launch, and the graphs, child graphs and bodies that launches come from.
#include "graph/device_launch/device_launch_support.h"

namespace {

__global__ void tell_current(unsigned long long* where) {
  *where = reinterpret_cast<unsigned long long>(cudaGetCurrentGraphExec());
}

__global__ void count_down(int* count, cudaGraphConditionalHandle go_on, cudaGraphExec_t graph, int* answers) {
  answers[*count] = static_cast<int>(cudaGraphLaunch(graph, cudaStreamGraphTailLaunch));
  *count -= 1;
  cudaGraphSetConditional(go_on, *count > 0);
}

TEST_F(GraphDeviceOrder, ChangesCountFromTheNextUpload) {
  Graph inner, outer;
  const auto node = inner.store(at, 1);
  Exec exec(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(exec), forget, at + 1);
  Exec outer_exec(outer);
  auto run_it = [&] {
    EXPECT_EQ(cudaSuccess, cudaMemset(at, 0xff, 4));
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(outer_exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    return cells(0, 2);
  };
  ASK_FACT("as it was made", "1 0", run_it());
  KernelParams two(store, at, 2), three(store, at, 3);
  MUST(cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  TELL("changed and not uploaded", run_it());
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("uploaded", "2 0", run_it());
  MUST(cudaGraphExecKernelNodeSetParams(exec, node, &three.params));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("launched by the host", "3 0", run_it());
  MUST(cudaGraphNodeSetEnabled(exec, node, 0));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("disabled and uploaded", "-1 0", run_it());
  MUST(cudaGraphNodeSetEnabled(exec, node, 1));
  Graph other;
  other.store(at, 4);
  ASK_FACT("updated as a whole", std::string("Success"), update(exec, other));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("uploaded again", "4 0", run_it());
}

TEST_F(GraphDeviceOrder, DisabledNodes) {
  Graph inner, outer;
  const auto kernel = inner.store(at, 1), set = inner.set(at + 1, 1, 4, {kernel}),
             copy = inner.copy(at + 2, at + 8, 4, {set});
  const auto last = inner.store(at + 3, 4, {copy});
  Exec exec(inner, cudaGraphInstantiateFlagDeviceLaunch);
  for (auto node : {kernel, set, copy}) ASK_CASE("disabled", cudaSuccess, cudaGraphNodeSetEnabled(exec, node, 0));
  MUST(cudaGraphUpload(exec, stream));
  outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(exec), forget, at + 4);
  Exec outer_exec(outer);
  auto run_it = [&] {
    EXPECT_EQ(cudaSuccess, cudaMemset(at, 0xff, 20));
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(outer_exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    return cells(0, 5);
  };
  ASK_FACT("all but the last", "-1 -1 -1 4 0", run_it());
  for (auto node : {set, copy}) MUST(cudaGraphNodeSetEnabled(exec, node, 1));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("two enabled", "-1 16843009 0 4 0", run_it());
  Graph other;
  other.store(at + 3, 5, {other.copy(at + 2, at + 8, 4, {other.set(at + 1, 2, 4, {other.store(at, 2)})})});
  ASK_FACT("updated", std::string("Success"), update(exec, other));
  MUST(cudaGraphNodeSetEnabled(exec, last, 0));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("updated with the first disabled", "-1 33686018 0 -1 0", run_it());
}

// Instantiation refuses such copies in graphs for device launch; tests whether an update accepts them.
TEST_F(GraphDeviceOrder, PageableCopiesBroughtInByUpdates) {
  PinnedArray<int> pinned(4);
  std::vector<int> pageable(4);
  Graph inner, other;
  const auto node = inner.copy(at, pinned.get(), 4);
  other.copy(at, pageable.data(), 4);
  Exec exec(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  ASK_CASE("one node", cudaErrorInvalidValue,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, pageable.data(), 4, cudaMemcpyDefault));
  ASK_FACT("the whole", refused("ParametersChanged", "0"), update(exec, other));
  ASK_CASE("to pageable", cudaErrorInvalidValue,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, pageable.data(), at, 4, cudaMemcpyDefault));
}

TEST_F(GraphDeviceOrder, WaysToUpload) {
  Graph inner;
  inner.store(at, 1);
  cudaGraphInstantiateParams params{};
  params.flags = cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUpload;
  params.uploadStream = stream;
  cudaGraphExec_t with_params = nullptr;
  MUST(cudaGraphInstantiateWithParams(&with_params, inner, &params));
  graph.kernel({}, launch_one, with_params, forget, at + 1);
  run_graph(graph);
  ASK_FACT("uploaded by instantiation", "1 0", cells(0, 2));
  MUST(cudaGraphExecDestroy(with_params));
  Exec by_launch(inner, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphLaunch(by_launch, stream));
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaMemset(at, 0, cell.bytes()));
  Graph outer;
  outer.kernel({}, launch_one, static_cast<cudaGraphExec_t>(by_launch), forget, at + 1);
  run_graph(outer);
  ASK_FACT("uploaded by a launch", "1 0", cells(0, 2));
}

TEST_F(GraphDeviceOrder, TheCurrentGraphIsTheHandle) {
  DeviceArray<unsigned long long> word(1);
  auto telling = launched(tell_current, word.get());
  graph.kernel({}, launch_one, static_cast<cudaGraphExec_t>(telling), forget, at);
  run_graph(graph);
  ASK_FACT("the handle as the host has it", true,
           word.read()[0] == reinterpret_cast<unsigned long long>(static_cast<cudaGraphExec_t>(telling)));
  Graph inner, outer;
  inner.kernel({}, tell_current, word.get());
  outer.child(inner);
  Exec exec(outer, cudaGraphInstantiateFlagDeviceLaunch);
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  ASK_FACT("in a child graph", true,
           word.read()[0] == reinterpret_cast<unsigned long long>(static_cast<cudaGraphExec_t>(exec)));
}

TEST_F(GraphDeviceOrder, FromAChildGraph) {
  auto late = launched(write_note_late, at, 3);
  Graph inner;
  inner.kernel({}, note_and_launch, at, 1, static_cast<cudaGraphExec_t>(late), tail);
  const auto child = graph.child(inner);
  graph.kernel({child}, write_note, at, 2);
  run_graph(graph);
  EXPECT_EQ("1 2 3", notes());
}

TEST_F(GraphDeviceOrder, FromTheBodyOfALoop) {
  UNDEFINED_ON_NVIDIA("a kernel in the body of a conditional node that launches a graph: an H200 hangs");
  auto adding = launched(add_atomically, at + 1);
  cudaGraphConditionalHandle go_on;
  MUST(cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = go_on;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t loop = nullptr;
  MUST(cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &params));
  Graph body(params.conditional.phGraph_out[0]);
  body.kernel({}, count_down, at, go_on, static_cast<cudaGraphExec_t>(adding), at + 10);
  (void)body.release();
  const int rounds = 3;
  MUST(cudaMemcpy(at, &rounds, 4, cudaMemcpyHostToDevice));
  cudaGraphExec_t exec = nullptr;
  ASK(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (!exec) return;
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  // The first tail is not launched again before it has run.
  ASK_FACT("rounds, runs", "0 1", cells(0, 2));
  ASK_FACT("answers", "1 1 0", cells(11, 3));
  MUST(cudaGraphExecDestroy(exec));
}

}  // namespace
