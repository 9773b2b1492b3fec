// Device-updatable kernel nodes: how a node becomes one, its restrictions, and the effect of updates.
#include "graph/update/update_support.h"

namespace {

__global__ void set_param(cudaGraphDeviceNode_t node, int value, int* answer) {
  *answer = static_cast<int>(cudaGraphKernelNodeSetParam(node, 8, value));
}
__global__ void set_enabled(cudaGraphDeviceNode_t node, int enable, int* answer) {
  *answer = static_cast<int>(cudaGraphKernelNodeSetEnabled(node, enable != 0));
}
__global__ void set_grid(cudaGraphDeviceNode_t node, dim3 grid, int* answer) {
  *answer = static_cast<int>(cudaGraphKernelNodeSetGridDim(node, grid));
}
__global__ void apply(const cudaGraphKernelNodeUpdate* updates, size_t count, int* answer) {
  *answer = static_cast<int>(cudaGraphKernelNodeUpdatesApply(updates, count));
}
__global__ void set_bytes(cudaGraphDeviceNode_t node, size_t offset, const void* value, size_t size, int* answer) {
  *answer = static_cast<int>(cudaGraphKernelNodeSetParam(node, offset, value, size));
}
__global__ void store_and_count(int* where, int value) {
  where[0] = value;
  atomicAdd(where + 1, 1);
}
__global__ void next_round(cudaGraphDeviceNode_t node, int* count, cudaGraphConditionalHandle go_on) {
  (void)cudaGraphKernelNodeSetParam(node, 8, 100 + *count);
  *count -= 1;
  cudaGraphSetConditional(go_on, *count > 0);
}

class GraphDeviceNode : public Graphs {
 protected:
  DeviceArray<int> cell{16};
  int* at = cell.get();
  Stream stream{cudaStreamNonBlocking};
  cudaGraphNode_t target = nullptr;
  cudaGraphDeviceNode_t name = nullptr;

  static cudaLaunchAttributeValue wish(int wanted) {
    cudaLaunchAttributeValue value{};
    value.deviceUpdatableKernelNode.deviceUpdatable = wanted;
    return value;
  }
  static constexpr auto updatable = cudaLaunchAttributeDeviceUpdatableKernelNode;

  // Stores 1 to at[0] and counts in at[1], by a node that can be updated.
  void make_target(cudaGraph_t where) {
    int* to = at;
    int value = 1;
    void* arguments[] = {&to, &value};
    const auto params = kernel_params(store_and_count, arguments);
    MUST(cudaGraphAddKernelNode(&target, where, nullptr, 0, &params));
    auto wanted = wish(1);
    MUST(cudaGraphKernelNodeSetAttribute(target, updatable, &wanted));
    name = wanted.deviceUpdatableKernelNode.devNode;
    ASSERT_NE(nullptr, name);
  }
  std::string launch_it(cudaGraphExec_t exec, size_t count = 4) {
    EXPECT_EQ(cudaSuccess, cudaMemset(at, 0, cell.bytes()));
    EXPECT_EQ(cudaSuccess, cudaGraphLaunch(exec, stream));
    EXPECT_EQ(cudaSuccess, cudaStreamSynchronize(stream));
    auto all = cell.read();
    all.resize(count);
    return text_of(all);
  }
};

TEST_F(GraphDeviceNode, TheAttribute) {
  make_target(graph);
  auto value = wish(1);
  ASK_CASE("asked for again", cudaSuccess, cudaGraphKernelNodeSetAttribute(target, updatable, &value));
  ASK_FACT("the same name", true, value.deviceUpdatableKernelNode.devNode == name);
  value = wish(0);
  ASK_CASE("taken back", cudaErrorNotSupported, cudaGraphKernelNodeSetAttribute(target, updatable, &value));
  value = wish(7);
  ASK_CASE("7", cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(target, updatable, &value));
  value = wish(0);
  ASK_CASE("read", cudaSuccess, cudaGraphKernelNodeGetAttribute(target, updatable, &value));
  ASK_FACT("read: whether", 1, value.deviceUpdatableKernelNode.deviceUpdatable);
  ASK_FACT("read: the name", true, value.deviceUpdatableKernelNode.devNode == name);
  const auto plain = graph.store(at + 4, 1);
  value = wish(0);
  ASK_CASE("none for one that is none", cudaSuccess, cudaGraphKernelNodeSetAttribute(plain, updatable, &value));
  value = wish(7);
  ASK_CASE("7 for one that is none", cudaErrorInvalidValue, cudaGraphKernelNodeSetAttribute(plain, updatable, &value));
}

TEST_F(GraphDeviceNode, RefusedChanges) {
  make_target(graph);
  const auto plain = graph.store(at + 4, 1);
  ASK_CASE("destroyed", cudaErrorNotSupported, cudaGraphDestroyNode(target));
  ASK_CASE("attributes from it", cudaErrorNotSupported, cudaGraphKernelNodeCopyAttributes(plain, target));
  ASK_CASE("attributes to it", cudaErrorNotSupported, cudaGraphKernelNodeCopyAttributes(target, plain));
  // NVIDIA's runtime adds it to the other graph, and the process crashes when the graphs are destroyed.
  CRASHES_ON_NVIDIA("a graph with such a node inside another");
  Graph outer;
  cudaGraphNode_t child = nullptr;
  ASK_CASE("as a child", cudaErrorNotSupported, cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  auto params = moved(graph);
  ASK_CASE("moved into another", cudaErrorNotSupported, cudaGraphAddNode(&child, outer, nullptr, nullptr, 0, &params));
  if (child) (void)graph.release();
}

TEST_F(GraphDeviceNode, InstantiatedOnceAtATime) {
  make_target(graph);
  cudaGraphExec_t first = nullptr, second = nullptr;
  MUST(cudaGraphInstantiate(&first, graph, 0));
  ASK_CASE("a second", cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  MUST(cudaGraphExecDestroy(first));
  ASK_CASE("after the first", cudaSuccess, cudaGraphInstantiate(&second, graph, 0));
  if (second) MUST(cudaGraphExecDestroy(second));
  Exec for_device(graph, cudaGraphInstantiateFlagDeviceLaunch);
  EXPECT_NE(nullptr, static_cast<cudaGraphExec_t>(for_device));
}

TEST_F(GraphDeviceNode, WholeUpdates) {
  make_target(graph);
  Graph plain;
  plain.kernel({}, store_and_count, at, 2);
  Exec exec(plain);
  ASK_FACT("from a graph with one", std::string("cudaErrorNotSupported Success node - from -"), update(exec, graph));
  Exec with(graph);
  ASK_FACT("of a graph with one", std::string("cudaErrorNotSupported Success node - from -"), update(with, plain));
}

TEST_F(GraphDeviceNode, ChildGraphs) {
  Graph inner, outer;
  inner.kernel({}, store_and_count, at, 1);
  const auto child = outer.child(inner);
  make_target(outer);
  Exec exec(outer);
  Graph more;
  more.kernel({}, store_and_count, at + 2, 7);
  ASK_CASE("beside one", cudaSuccess, cudaGraphExecChildGraphNodeSetParams(exec, child, more));
  ASK_FACT("which is done", "1 1 7 1", launch_it(exec));
  KernelParams two(store_and_count, at, 2);
  cudaGraph_t body = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(child, &body));
  ASK_CASE("one node in a child beside one", cudaSuccess,
           cudaGraphExecKernelNodeSetParams(exec, nodes_of(body).at(0), &two.params));
}

TEST_F(GraphDeviceNode, AChildGraphFromAGraphWithOne) {
  // On NVIDIA's runtime the call succeeds, and the process crashes when the graphs are destroyed.
  CRASHES_ON_NVIDIA("a child graph set to a graph with such a node");
  Graph inner, outer;
  inner.kernel({}, store_and_count, at, 1);
  const auto child = outer.child(inner);
  make_target(graph);
  Exec exec(outer);
  ASK_CASE("from a graph with one", cudaErrorNotSupported, cudaGraphExecChildGraphNodeSetParams(exec, child, graph));
  ASK_FACT("which changed nothing", "1 1", launch_it(exec, 2));
}

TEST_F(GraphDeviceNode, ChangesStay) {
  make_target(graph);
  const auto changer = graph.kernel({}, set_param, name, 9, at + 2);
  MUST(graph.edge(changer, target));
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("changed", "9 1 0 0", launch_it(exec));
  MUST(cudaGraphNodeSetEnabled(exec, changer, 0));
  TELL("without the changer", launch_it(exec));
  MUST(cudaGraphUpload(exec, stream));
  TELL("uploaded", launch_it(exec));
}

TEST_F(GraphDeviceNode, ChangesFromAnotherGraphStay) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("at first", "1 1", launch_it(exec, 2));
  set_param<<<1, 1, 0, stream>>>(name, 9, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("its answer", 0, cell.read()[2]);
  ASK_FACT("changed by a kernel", "9 1", launch_it(exec, 2));
  ASK_FACT("launched again", "9 1", launch_it(exec, 2));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("uploaded again", "9 1", launch_it(exec, 2));
  KernelParams three(store_and_count, at, 3);
  MUST(cudaGraphExecKernelNodeSetParams(exec, target, &three.params));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("changed by the host", "3 1", launch_it(exec, 2));
}

TEST_F(GraphDeviceNode, Enabled) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  set_enabled<<<1, 1, 0, stream>>>(name, 0, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("answer", 0, cell.read()[2]);
  ASK_FACT("disabled", "0 0", launch_it(exec, 2));
  unsigned enabled = 7;
  ASK(cudaSuccess, cudaGraphNodeGetEnabled(exec, target, &enabled));
  ASK_FACT("as the host sees it", 1u, enabled);
  set_enabled<<<1, 1, 0, stream>>>(name, 1, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("enabled again", "1 1", launch_it(exec, 2));
  set_enabled<<<1, 1, 0, stream>>>(name, 0, at + 2);
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaGraphNodeSetEnabled(exec, target, 1));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("enabled by the host, which thought it was", "1 1", launch_it(exec, 2));
  MUST(cudaGraphNodeSetEnabled(exec, target, 0));
  MUST(cudaGraphUpload(exec, stream));
  ASK_FACT("disabled by the host", "0 0", launch_it(exec, 2));
  set_enabled<<<1, 1, 0, stream>>>(name, 1, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("enabled by a kernel", "1 1", launch_it(exec, 2));
}

TEST_F(GraphDeviceNode, TheGrid) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  for (const auto& [grid, text] : {std::pair(dim3(3, 1, 1), "1 3"), std::pair(dim3(2, 3, 4), "1 24"),
                                   std::pair(dim3(5000, 1, 1), "1 5000"), std::pair(dim3(1, 1, 1), "1 1")}) {
    set_grid<<<1, 1, 0, stream>>>(name, grid, at + 2);
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("answer", 0, cell.read()[2]);
    ASK_FACT("runs", text, launch_it(exec, 2));
  }
}

TEST_F(GraphDeviceNode, SeveralAtOnce) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  DeviceArray<cudaGraphKernelNodeUpdate> list(3);
  const int seven = 7;
  MUST(cudaMemcpy(at + 8, &seven, 4, cudaMemcpyHostToDevice));
  DeviceArray<int> value(1);
  MUST(cudaMemcpy(value.get(), &seven, 4, cudaMemcpyHostToDevice));
  // nvcc has no constructor for the structure.
  alignas(cudaGraphKernelNodeUpdate) char bytes[3 * sizeof(cudaGraphKernelNodeUpdate)] = {};
  auto* updates = reinterpret_cast<cudaGraphKernelNodeUpdate*>(bytes);
  for (int i = 0; i < 3; ++i) updates[i].node = name;
  updates[0].field = cudaGraphKernelNodeFieldGridDim;
  updates[0].updateData.gridDim = dim3(2, 1, 1);
  updates[1].field = cudaGraphKernelNodeFieldParam;
  updates[1].updateData.param.pValue = value.get();
  updates[1].updateData.param.offset = 8;
  updates[1].updateData.param.size = 4;
  updates[2].field = cudaGraphKernelNodeFieldEnabled;
  updates[2].updateData.isEnabled = 1;
  MUST(cudaMemcpy(list.get(), updates, sizeof bytes, cudaMemcpyHostToDevice));
  apply<<<1, 1, 0, stream>>>(list.get(), 3, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("answer", 0, cell.read()[2]);
  ASK_FACT("all three", "7 2", launch_it(exec, 2));
  apply<<<1, 1, 0, stream>>>(nullptr, 0, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("none", 1, cell.read()[2]);
  updates[0].updateData.gridDim = dim3(3, 1, 1);
  updates[1].field = static_cast<cudaGraphKernelNodeField>(9);
  updates[2].updateData.isEnabled = 0;
  MUST(cudaMemcpy(list.get(), updates, sizeof bytes, cudaMemcpyHostToDevice));
  apply<<<1, 1, 0, stream>>>(list.get(), 3, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("one that is no field", 1, cell.read()[2]);
  ASK_FACT("nothing is changed", "7 2", launch_it(exec, 2));
}

TEST_F(GraphDeviceNode, ByCapture) {
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1, 1, 1);
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  attribute.id = updatable;
  attribute.val = wish(1);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t launched = cudaLaunchKernelEx(&config, store_and_count, at, 1);
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamEndCapture(stream, &captured));
  ASK_CASE("captured", cudaSuccess, launched);
  Graph owner(captured);
  name = attribute.val.deviceUpdatableKernelNode.devNode;
  ASK_FACT("a name is told", true, name != nullptr);
  if (!name) return;
  Exec exec(captured);
  MUST(cudaGraphUpload(exec, stream));
  set_param<<<1, 1, 0, stream>>>(name, 9, at + 2);
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("changed", "9 1", launch_it(exec, 2));
  const auto nodes = nodes_of(captured);
  cudaLaunchAttributeValue value{};
  ASK(cudaSuccess, cudaGraphKernelNodeGetAttribute(nodes[0], updatable, &value));
  ASK_FACT("read: whether", 1, value.deviceUpdatableKernelNode.deviceUpdatable);
}

TEST_F(GraphDeviceNode, InAStream) {
  cudaLaunchConfig_t config{};
  config.gridDim = config.blockDim = dim3(1, 1, 1);
  config.stream = stream;
  cudaLaunchAttribute attribute{};
  attribute.id = updatable;
  config.attrs = &attribute;
  config.numAttrs = 1;
  for (int wanted : {0, 1, 7}) {
    attribute.val = wish(wanted);
    ASK_CASE("launched with " + std::to_string(wanted), cudaErrorNotSupported,
             cudaLaunchKernelEx(&config, store_and_count, at, 1));
    MUST(cudaStreamSynchronize(stream));
    (void)cudaGetLastError();
  }
}

TEST_F(GraphDeviceNode, InTheBodyOfALoop) {
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
  make_target(body);
  const auto changer = body.kernel({}, next_round, name, at + 8, go_on);
  MUST(body.edge(changer, target));
  (void)body.release();
  cudaGraphExec_t exec = nullptr;
  ASK(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0));
  if (!exec) return;
  MUST(cudaGraphUpload(exec, stream));
  const int rounds = 3;
  MUST(cudaMemcpy(at + 8, &rounds, 4, cudaMemcpyHostToDevice));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  auto all = cell.read();
  ASK_FACT("the last value, rounds", "101 3", text_of(std::vector<int>{all[0], all[1]}));
  MUST(cudaGraphExecDestroy(exec));
}

TEST_F(GraphDeviceNode, FunctionsThatChangeNodes) {
  make_target(graph);
  Graph plain, other;
  const auto node = plain.kernel({}, store_and_count, at, 2);
  Exec exec(plain);
  KernelParams changer(set_param, name, 9, at + 2);
  ASK_CASE("for one that does not", cudaErrorInvalidValue,
           cudaGraphExecKernelNodeSetParams(exec, node, &changer.params));
  other.kernel({}, set_param, name, 9, at + 2);
  ASK_FACT("by a whole update", refused("UnsupportedFunctionChange", "0"), update(exec, other));
  Exec changing(other);
  KernelParams enabler(set_enabled, name, 1, at + 2);
  ASK_CASE("for one that does", cudaSuccess,
           cudaGraphExecKernelNodeSetParams(changing, nodes_of(other)[0], &enabler.params));
}

__global__ void launch_graph(cudaGraphExec_t inner, int* answer) {
  *answer = static_cast<int>(cudaGraphLaunch(inner, cudaStreamGraphFireAndForget));
}

TEST_F(GraphDeviceNode, FunctionsThatLaunchGraphs) {
  Graph inner, plain, launching;
  inner.kernel({}, store_and_count, at, 2);
  Exec launched(inner, cudaGraphInstantiateFlagDeviceLaunch);
  const auto plain_node = plain.kernel({}, store_and_count, at, 2);
  Exec plain_exec(plain);
  launching.kernel({}, launch_graph, static_cast<cudaGraphExec_t>(launched), at + 2);
  ASK_FACT("by a whole update", refused("UnsupportedFunctionChange", "0"), update(plain_exec, launching));
  Exec for_device(plain, cudaGraphInstantiateFlagDeviceLaunch);
  KernelParams launcher(launch_graph, static_cast<cudaGraphExec_t>(launched), at + 2);
  ASK_CASE("in a graph for device launch", cudaSuccess,
           cudaGraphExecKernelNodeSetParams(for_device, plain_node, &launcher.params));
  const auto second = launching.kernel({}, store_and_count, at, 2);
  Exec both(launching);
  ASK_CASE("beside one that does", cudaSuccess, cudaGraphExecKernelNodeSetParams(both, second, &launcher.params));
}

// ---- what may break the device -------------------------------------------------------------------------------------

class HazardGraphDeviceNode : public GraphDeviceNode {
 protected:
  void ask(const char* what, int expected) {
    const cudaError_t ended = cudaStreamSynchronize(stream);
    TELL_ERROR(std::string(what) + ": the end", ended);
    if (ended == cudaSuccess) ASK_FACT(what, expected, cell.read()[2]);
  }
};

TEST_F(HazardGraphDeviceNode, Grids) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  for (const dim3& grid : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 70000, 1), dim3(1, 1, 70000), dim3(1u << 31, 1, 1)}) {
    set_grid<<<1, 1, 0, stream>>>(name, grid, at + 2);
    ask(("a grid of " + std::to_string(grid.x) + " " + std::to_string(grid.y) + " " + std::to_string(grid.z)).c_str(),
        1);
  }
}

TEST_F(HazardGraphDeviceNode, BeyondTheParameters) {
  make_target(graph);
  Exec exec(graph);
  MUST(cudaGraphUpload(exec, stream));
  DeviceArray<int> value(64);
  for (const auto& [offset, size, expected] :
       {std::tuple(12, 4, 1), std::tuple(8, 8, 1), std::tuple(4096, 4, 1), std::tuple(8, 0, 0), std::tuple(12, 0, 0)}) {
    set_bytes<<<1, 1, 0, stream>>>(name, offset, value.get(), size, at + 2);
    ask((std::to_string(size) + " bytes at " + std::to_string(offset)).c_str(), expected);
  }
}

TEST_F(HazardGraphDeviceNode, NoExecutableGraph) {
  make_target(graph);
  set_param<<<1, 1, 0, stream>>>(name, 9, at + 2);
  ask("not instantiated", 1);
  {
    Exec exec(graph);
    MUST(cudaGraphUpload(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  }
  UNDEFINED_ON_NVIDIA("a node of an executable graph that is gone: an H200 says it is changed");
  set_param<<<1, 1, 0, stream>>>(name, 9, at + 2);
  ask("destroyed", 1);
}

TEST_F(HazardGraphDeviceNode, NotUploaded) {
  make_target(graph);
  const auto changer = graph.kernel({}, set_param, name, 9, at + 2);
  MUST(graph.edge(changer, target));
  Exec exec(graph);
  MUST(cudaGraphLaunch(exec, stream));
  ask("in a graph that was not uploaded", 0);
}

TEST_F(HazardGraphDeviceNode, Nothing) {
  set_param<<<1, 1, 0, stream>>>(nullptr, 9, at + 2);
  ask("null", 1);
}

}  // namespace
