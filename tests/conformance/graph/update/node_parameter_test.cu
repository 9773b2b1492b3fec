// Updating one kernel, memcpy or memset node of an executable graph: which parameters may change.
#include "graph/update/update_shapes.h"

namespace {

__device__ int variable[4];
__constant__ int constants[4];

__global__ void store_shape(int* where) {
  where[0] = gridDim.x;
  where[1] = blockDim.x;
}

TEST_F(GraphNodeUpdate, KernelsMayChangeShapeAndFunction) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams shape(store_shape, cell.get());
  shape.params.gridDim = 7;
  shape.params.blockDim = 9;
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &shape.params));
  launch(exec);
  EXPECT_EQ("7 9", cells(2));
  KernelParams sum(store_sum, cell.get(), 1, 2, 3);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &sum.params));
  launch(exec);
  EXPECT_EQ("6 9", cells(2));
  KernelParams none(nothing);
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &none.params));
  launch(exec);
  EXPECT_EQ("6 9", cells(2));
}

TEST_F(GraphNodeUpdate, KernelsThatCouldNotBeAddedAreRefused) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  KernelParams two(store, cell.get(), 2);
  auto with = [&](auto change) {
    cudaKernelNodeParams params = two.params;
    change(params);
    return cudaGraphExecKernelNodeSetParams(exec, node, &params);
  };
  ASK_CASE("no function", cudaErrorInvalidDeviceFunction, with([](auto& p) { p.func = nullptr; }));
  ASK_CASE("no grid", bad, with([](auto& p) { p.gridDim.x = 0; }));
  ASK_CASE("no block", bad, with([](auto& p) { p.blockDim.y = 0; }));
  ASK_CASE("2048 threads", bad, with([](auto& p) { p.blockDim.x = 2048; }));
  ASK_CASE("1 MB of shared memory", bad, with([](auto& p) { p.sharedMemBytes = 1 << 20; }));
  ASK_CASE("no arguments", bad, with([](auto& p) { p.kernelParams = nullptr; }));
  int value = 0;
  ASK_CASE("no kernel", cudaErrorInvalidResourceHandle, with([&](auto& p) { p.func = &value; }));
  launch(exec);
  EXPECT_EQ("1", cells(1));
}

TEST_F(GraphNodeUpdate, KernelArgumentsInOneBuffer) {
  const auto node = graph.store(cell.get(), 1);
  Exec exec(graph);
  struct {
    int* where;
    int value;
  } buffer{cell.get(), 5};
  size_t bytes = 12;
  void* extra[] = {reinterpret_cast<void*>(uintptr_t{1}), &buffer, reinterpret_cast<void*>(uintptr_t{2}), &bytes,
                   nullptr};
  cudaKernelNodeParams params = kernel_params(store, nullptr);
  params.extra = extra;
  ASK(ok, cudaGraphExecKernelNodeSetParams(exec, node, &params));
  launch(exec);
  EXPECT_EQ("5", cells(1));
  KernelParams six(store, cell.get(), 6);
  six.params.extra = extra;
  ASK_CASE("in both forms", bad, cudaGraphExecKernelNodeSetParams(exec, node, &six.params));
  cudaGraphNode_t more = nullptr;
  ASK_CASE("added in both forms", bad, cudaGraphAddKernelNode(&more, graph, nullptr, 0, &six.params));
  ASK_CASE("set in both forms", bad, cudaGraphKernelNodeSetParams(node, &six.params));
  launch(exec);
  EXPECT_EQ("5", cells(1));
}

TEST_F(GraphNodeUpdate, CopiesKeepTheirKind) {
  for_each_two_kinds([&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node = nullptr;
    MUST(cudaGraphAddMemcpyNode1D(&node, a, nullptr, 0, before.to, before.from, 8, before.kind));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad,
             cudaGraphExecMemcpyNodeSetParams1D(exec, node, after.to, after.from, 8, after.kind));
  });
}

TEST_F(GraphNodeUpdate, CopiesThatCouldNotBeAddedAreRefused) {
  PinnedArray<int> pinned(8);
  const auto node = graph.copy(cell.get(), cell.get() + 8, 8);
  Exec exec(graph);
  int* at = cell.get();
  ASK_CASE("nothing", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE("from null", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, nullptr, 8, cudaMemcpyDeviceToDevice));
  ASK_CASE("to null", bad, cudaGraphExecMemcpyNodeSetParams1D(exec, node, nullptr, at, 8, cudaMemcpyDeviceToDevice));
  ASK_CASE("no kind", cudaErrorInvalidMemcpyDirection,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 8, static_cast<cudaMemcpyKind>(9)));
  ASK_CASE("more bytes", ok, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 32, cudaMemcpyDefault));
  ASK_CASE("fewer bytes", ok, cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 1, cudaMemcpyDefault));
  ASK_CASE("the kind that it has", bad,
           cudaGraphExecMemcpyNodeSetParams1D(exec, node, at, at + 8, 8, cudaMemcpyDeviceToDevice));
}

TEST_F(GraphNodeUpdate, CopiesOfOtherShapes) {
  DeviceArray<char> space(4096);
  for_each_two_copies(space.get(), [&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad, cudaGraphExecMemcpyNodeSetParams(exec, node, &after));
  });
  for (const auto& before : copies_in(space.get())) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode(&node, a, nullptr, 0, &before.params));
    Exec exec(a);
    ASK_CASE(
        std::string(before.name) + ", then a 1D copy", flat(before.params) ? ok : bad,
        cudaGraphExecMemcpyNodeSetParams1D(exec, node, space.get() + 1024, space.get(), 32, cudaMemcpyDeviceToDevice));
  }
}

TEST_F(GraphNodeUpdate, CopiesWithSymbols) {
  PinnedArray<int> pinned(8);
  for (int i = 0; i < 8; ++i) pinned[i] = i + 1;
  cudaGraphNode_t to = nullptr, from = nullptr;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  MUST(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, cell.get(), variable, 16, 0, cudaMemcpyDeviceToDevice));
  Exec exec(graph);
  launch(exec);
  EXPECT_EQ("1 0 0 0", cells(4));
  ASK(ok, cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get() + 4, 8, 4, cudaMemcpyHostToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0", cells(4));
  ASK(ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, cell.get() + 4, variable, 8, 4, cudaMemcpyDeviceToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0 5 6", cells(6));
  ASK_CASE("past the end", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 16, 8, cudaMemcpyHostToDevice));
  ASK_CASE("nothing", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 0, 0, cudaMemcpyHostToDevice));
  ASK_CASE("from the variable to another", ok,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, from, constants, cell.get(), 4, 0, cudaMemcpyDeviceToDevice));
  ASK_CASE(
      "and back", ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, cell.get() + 4, variable, 8, 4, cudaMemcpyDeviceToDevice));
  ASK_CASE("no symbol", cudaErrorInvalidSymbol,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, &pinned, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE(
      "a constant for a variable", ok,
      cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, constants, pinned.get() + 2, 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("plain memory for a symbol", ok,
           cudaGraphExecMemcpyNodeSetParams1D(exec, to, cell.get() + 6, pinned.get(), 4, cudaMemcpyHostToDevice));
  launch(exec);
  EXPECT_EQ("1 5 6 0 5 6 1", cells(7));
  ASK_CASE("a symbol for plain memory", ok,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("by default", bad,
           cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, pinned.get(), 4, 0, cudaMemcpyDefault));
  Graph by_default;
  MUST(cudaGraphAddMemcpyNodeToSymbol(&to, by_default, nullptr, 0, variable, pinned.get(), 4, 0, cudaMemcpyDefault));
  Exec default_exec(by_default);
  ASK_CASE(
      "host to device for the default", bad,
      cudaGraphExecMemcpyNodeSetParamsToSymbol(default_exec, to, variable, pinned.get(), 4, 0, cudaMemcpyHostToDevice));
  ASK_CASE("plain memory by default", ok,
           cudaGraphExecMemcpyNodeSetParams1D(default_exec, to, cell.get(), pinned.get(), 4, cudaMemcpyDefault));
  ASK_CASE(
      "another way by default", ok,
      cudaGraphExecMemcpyNodeSetParamsFromSymbol(default_exec, to, pinned.get(), variable, 4, 0, cudaMemcpyDefault));
}

TEST_F(GraphNodeUpdate, SetsOfOtherShapesAndPlaces) {
  for_each_two_sets([&](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemsetNode(&node, a, nullptr, 0, &before));
    Exec exec(a);
    ASK_CASE(name, fits ? ok : bad, cudaGraphExecMemsetNodeSetParams(exec, node, &after));
  });
}

TEST_F(GraphNodeUpdate, SetsTakeTheirNewValues) {
  const auto node = graph.set(cell.get(), 1, 4);
  Exec exec(graph);
  const auto params = memset_params(cell.get() + 1, 3, 1, 4);
  ASK(ok, cudaGraphExecMemsetNodeSetParams(exec, node, &params));
  launch(exec);
  EXPECT_EQ("0 50529027", cells(2));
  auto wrong = params;
  wrong.elementSize = 3;
  ASK_CASE("elements of 3 bytes", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
  wrong = params;
  wrong.width = 0;
  ASK_CASE("nothing", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
  wrong = params;
  wrong.dst = nullptr;
  ASK_CASE("null", bad, cudaGraphExecMemsetNodeSetParams(exec, node, &wrong));
}

}  // namespace
