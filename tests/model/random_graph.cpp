#include "random_graph.h"

#include <driver_functions.h>

#include <mutex>
#include <string>

namespace model {

// Registered as reprise-nvcc does, each under a shadow of its own.
struct CellVariables {
  static constexpr uint32_t count = 6;

  CellVariables() {
    for (uint32_t i = 0; i < count; ++i) {
      names[i] = "model_cells_" + std::to_string(i);
      records[i] = {names[i].c_str(), each[i].values_, sizeof each[i].values_, reprise_device_variable, 0, nullptr};
      unused.push_back(&each[i]);
    }
    handle = __cudaRegisterFatBinary(&wrapper);
    for (uint32_t i = 0; i < count; ++i) {
      __cudaRegisterVar(handle, &each[i].shadow_, nullptr, records[i].name, 0, sizeof each[i].values_, 0, 0);
    }
    __cudaRegisterFatBinaryEnd(handle);
    __reprise_register_module(&module);
  }
  static CellVariables& instance() {
    static CellVariables* all = new CellVariables;  // As long as the process.
    return *all;
  }

  std::mutex mutex;
  std::vector<CellVariable*> unused;
  CellVariable each[count];
  std::string names[count];
  reprise_variable records[count];
  reprise_module module{reprise_abi_version, 0, count, 0, "graph_model_cells", nullptr, records};
  reprise_runtime::test::FatBinaryWrapper wrapper{0x466243b1, 1, "graph_model_cells", nullptr};
  void** handle;
};

CellVariable* CellVariable::take() {
  CellVariables& all = CellVariables::instance();
  std::lock_guard lock(all.mutex);
  if (all.unused.empty()) return nullptr;
  CellVariable* taken = all.unused.back();
  all.unused.pop_back();
  return taken;
}
void CellVariable::give_back() {
  CellVariables& all = CellVariables::instance();
  std::lock_guard lock(all.mutex);
  all.unused.push_back(this);
}

void RandomGraph::add(Graph& graph, Node& node, int depth) {
  std::vector<cudaGraphNode_t> before;
  for (Node* other : node.after) before.push_back(other->handle);
  if (node.type != Type::child) {
    node.handle = add_by_own_call(graph, node, before.data(), before.size());
    return;
  }
  // The copy in the parent has the same parameters, so it runs the same nodes of the model.
  node.child = make(static_cast<int>(pick(20)), depth - 1);
  EXPECT_EQ(cudaSuccess,
            cudaGraphAddChildGraphNode(&node.handle, graph.handle, before.data(), before.size(), node.child->handle));
  EXPECT_EQ(cudaSuccess, cudaGraphDestroy(node.child->handle));
  node.child->handle = nullptr;
}

cudaGraphNode_t RandomGraph::add_by_own_call(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count) {
  cudaGraphNode_t added = nullptr;
  switch (node.type) {
    case Type::kernel:
      return add_kernel(graph, node, before, count);
    case Type::copy:
      return add_copy(graph, node, before, count);
    case Type::set:
      return add_set(graph, node, before, count);
    case Type::signal:
    case Type::wait:
      return add_semaphore(graph, node, before, count);
    case Type::host: {
      cudaHostNodeParams params = {node_function, &node};
      EXPECT_EQ(cudaSuccess, cudaGraphAddHostNode(&added, graph.handle, before, count, &params));
      return added;
    }
    case Type::event_record:
      records_.push_back({&node, new_event()});
      EXPECT_EQ(cudaSuccess, cudaGraphAddEventRecordNode(&added, graph.handle, before, count, records_.back().event));
      return added;
    case Type::event_wait:
      EXPECT_EQ(cudaSuccess, cudaGraphAddEventWaitNode(&added, graph.handle, before, count, gate_event_));
      return added;
    case Type::empty:
    case Type::child:
      break;
  }
  EXPECT_EQ(cudaSuccess, cudaGraphAddEmptyNode(&added, graph.handle, before, count));
  return added;
}

// A block that does not trigger does so at its end.
cudaGraphNode_t RandomGraph::add_kernel(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count) {
  Node* self = &node;
  void* arguments[] = {&self};
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = node.overlaps ? &overlapping_stub : &stub;
  params.kernel.gridDim = dim3(node.blocks);
  params.kernel.blockDim = dim3(1);
  params.kernel.kernelParams = arguments;
  std::vector<cudaGraphEdgeData> data(count);
  for (size_t i = 0; i < node.early.size(); ++i) {
    if (!node.early[i]) continue;
    data[i].type = cudaGraphDependencyTypeProgrammatic;
    data[i].from_port = node.when_begun ? cudaGraphKernelNodePortLaunchCompletion : cudaGraphKernelNodePortProgrammatic;
  }
  cudaGraphNode_t added = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddNode(&added, graph.handle, before, data.data(), count, &params));
  return added;
}

cudaGraphNode_t RandomGraph::add_copy(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count) {
  if (node.inputs.empty()) node.inputs.push_back(take_cells(1));
  uint64_t* from = node.inputs[pick(static_cast<uint32_t>(node.inputs.size()))];
  node.inputs = {from};
  cudaGraphNode_t added = nullptr;
  const auto place = [&](const uint64_t* cell) { return static_cast<size_t>(cell - cells_) * sizeof(uint64_t); };
  if (variable_ && pick(2)) {
    if (pick(2)) {
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNodeToSymbol(&added, graph.handle, before, count, variable_->symbol(),
                                                            from, 8, place(node.cells), cudaMemcpyDeviceToDevice));
    } else {
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNodeFromSymbol(&added, graph.handle, before, count, node.cells,
                                                              variable_->symbol(), 8, place(from), cudaMemcpyDefault));
    }
    return added;
  }
  if (pick(2)) {
    EXPECT_EQ(cudaSuccess,
              cudaGraphAddMemcpyNode1D(&added, graph.handle, before, count, node.cells, from, 8, cudaMemcpyDefault));
    return added;
  }
  cudaMemcpy3DParms params = {};
  params.srcPtr = make_cudaPitchedPtr(from, 2, 2, 2);
  params.dstPtr = make_cudaPitchedPtr(node.cells, 2, 2, 2);
  params.extent = make_cudaExtent(2, 2, 2);
  params.kind = cudaMemcpyDefault;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNode(&added, graph.handle, before, count, &params));
  return added;
}

cudaGraphNode_t RandomGraph::add_set(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count) {
  cudaMemsetParams params = {};
  params.dst = node.cells;
  params.elementSize = 4;
  params.value = static_cast<unsigned>(node.number);
  params.width = 2;
  params.height = node.blocks;
  params.pitch = 8;
  cudaGraphNode_t added = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&added, graph.handle, before, count, &params));
  return added;
}

cudaGraphNode_t RandomGraph::add_semaphore(Graph& graph, Node& node, const cudaGraphNode_t* before, size_t count) {
  cudaGraphNode_t added = nullptr;
  if (node.type == Type::signal) {
    cudaExternalSemaphore_t semaphore = semaphore_of_[&node] = new_semaphore();
    cudaExternalSemaphoreSignalParams signal = {};
    cudaExternalSemaphoreSignalNodeParams params = {&semaphore, &signal, 1};
    EXPECT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresSignalNode(&added, graph.handle, before, count, &params));
    return added;
  }
  cudaExternalSemaphore_t semaphore = semaphore_of_.at(node.also_after);
  cudaExternalSemaphoreWaitParams wait = {};
  cudaExternalSemaphoreWaitNodeParams params = {&semaphore, &wait, 1};
  EXPECT_EQ(cudaSuccess, cudaGraphAddExternalSemaphoresWaitNode(&added, graph.handle, before, count, &params));
  return added;
}

void RandomGraph::check_lists() {
  const Graph& graph = *top_;
  size_t count = 0;
  EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph.handle, nullptr, &count));
  EXPECT_EQ(graph.nodes.size(), count);
  if (count == 0) return;
  std::vector<cudaGraphNode_t> listed(count);
  EXPECT_EQ(cudaSuccess, cudaGraphGetNodes(graph.handle, listed.data(), &count));
  std::set<std::pair<cudaGraphNode_t, cudaGraphNode_t>> edges, told;
  size_t roots = 0;
  for (const Node& node : graph.nodes) {
    EXPECT_EQ(node.handle, listed[node.index]);
    for (Node* other : node.after) edges.insert({other->handle, node.handle});
    roots += node.after.empty();
  }
  EXPECT_EQ(cudaSuccess, cudaGraphGetRootNodes(graph.handle, nullptr, &count));
  EXPECT_EQ(roots, count);
  EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph.handle, nullptr, nullptr, nullptr, &count));
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  if (count > 0) EXPECT_EQ(cudaSuccess, cudaGraphGetEdges(graph.handle, from.data(), to.data(), data.data(), &count));
  for (size_t i = 0; i < count; ++i) told.insert({from[i], to[i]});
  EXPECT_EQ(edges, told);
}

}  // namespace model
