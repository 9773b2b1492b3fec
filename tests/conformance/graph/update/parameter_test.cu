// Which parameters of a node may change when an executable graph is updated from another graph.
#include <cooperative_groups.h>

#include "graph/update/update_shapes.h"
#include "pool/pool_support.h"

namespace {

__global__ void store_shape(int* where) {
  where[0] = gridDim.x;
  where[1] = blockDim.x;
  where[2] = blockDim.y;
}

__global__ void store_in_grid(int* where, int value) {
  if (cooperative_groups::this_grid().thread_rank() == 0) *where = value;
}

__global__ void synchronize_and_store(int* where, int value) {
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) where[blockIdx.x] = value;
}

// Updates a graph of one node from another whose node has other parameters.
template <class Add>
auto asks_by(Add add) {
  return [add](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a, b;
    cudaGraphNode_t node;
    MUST(add(&node, a, nullptr, 0, &before));
    MUST(add(&node, b, nullptr, 0, &after));
    Exec exec(a);
    ASK_FACT(name, fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
  };
}

TEST_F(GraphUpdate, ANewGraphsKernelArgumentsAreTaken) {
  const auto a = graph.store(cell.get(), 1);
  graph.store(cell.get() + 1, 2, {a});
  Exec exec(graph);
  const auto b = other.store(cell.get() + 2, 10);
  other.store(cell.get() + 3, 20, {b});
  ASK_FACT("other arguments", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("0 0 10 20", cells(4));
  Exec again(graph);
  launch(again);
  EXPECT_EQ("1 2 10 20", cells(4)) << "the first graph is as it was";
}

TEST_F(GraphUpdate, GridsBlocksAndSharedMemoryMayChange) {
  KernelParams before(store_shape, cell.get());
  cudaGraphNode_t node;
  MUST(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &before.params));
  Exec exec(graph);
  before.params.gridDim = 3;
  before.params.blockDim = dim3(4, 5);
  before.params.sharedMemBytes = 1024;
  MUST(cudaGraphAddKernelNode(&node, other, nullptr, 0, &before.params));
  ASK_FACT("another shape", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("3 4 5", cells(3));
}

TEST_F(GraphUpdate, TheFunctionMayChange) {
  graph.store(cell.get(), 1);
  Exec exec(graph);
  other.kernel({}, store_sum, cell.get() + 1, 1, 2, 3);
  ASK_FACT("another function", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ("0 6", cells(2));
  Graph third;
  third.kernel({}, nothing);
  ASK_FACT("a function without parameters", std::string("Success"), update(exec, third));
  ASK_FACT("back", std::string("Success"), update(exec, graph));
  launch(exec);
  EXPECT_EQ("1 6", cells(2));
}

TEST_F(GraphUpdate, HostFunctionsAndEventsMayChange) {
  std::atomic<int> first{0}, second{0};
  Event one, two;
  const auto a = graph.host(count_call, &first);
  graph.wait(one, {graph.record(one, {a})});
  Exec exec(graph);
  const auto b = other.host(count_call, &second);
  other.wait(two, {other.record(two, {b})});
  ASK_FACT("another function's data, other events", std::string("Success"), update(exec, other));
  launch(exec);
  EXPECT_EQ(0, first);
  EXPECT_EQ(1, second);
  EXPECT_EQ(cudaSuccess, cudaEventQuery(two));
}

TEST_F(GraphUpdate, CopiesKeepTheirKind) {
  for_each_two_kinds([](const std::string& name, const auto& before, const auto& after, bool fits) {
    Graph a, b;
    cudaGraphNode_t node;
    MUST(cudaGraphAddMemcpyNode1D(&node, a, nullptr, 0, before.to, before.from, 8, before.kind));
    MUST(cudaGraphAddMemcpyNode1D(&node, b, nullptr, 0, after.to, after.from, 8, after.kind));
    Exec exec(a);
    ASK_FACT(name, fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
  });
}

TEST_F(GraphUpdate, CopiesOfOtherShapes) {
  DeviceArray<char> space(4096);
  for_each_two_copies(space.get(), asks_by(cudaGraphAddMemcpyNode));
}

TEST_F(GraphUpdate, SetsOfOtherShapesAndPlaces) { for_each_two_sets(asks_by(cudaGraphAddMemsetNode)); }

TEST_F(GraphUpdate, Attributes) {
  auto check = [&](const char* name, const std::string& expected, unsigned flags, cudaLaunchAttributeID id,
                   const cudaLaunchAttributeValue* before, const cudaLaunchAttributeValue* after) {
    Graph a, b;
    const auto x = a.kernel({}, store_in_grid, cell.get(), 1), y = b.kernel({}, store_in_grid, cell.get(), 2);
    if (before) EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(x, id, before));
    if (after) EXPECT_EQ(cudaSuccess, cudaGraphKernelNodeSetAttribute(y, id, after));
    Exec exec(a, flags);
    ASK_FACT(name, expected, update(exec, b));
    launch(exec);
  };
  cudaLaunchAttributeValue one{}, two{};
  one.priority = -1, two.priority = -2;
  check("priority", "Success", 0, cudaLaunchAttributePriority, &one, &two);
  check("priority, which counts", refused("AttributesChanged", "0"), cudaGraphInstantiateFlagUseNodePriority,
        cudaLaunchAttributePriority, &one, &two);
  check("priority from none, which counts", refused("AttributesChanged", "0"), cudaGraphInstantiateFlagUseNodePriority,
        cudaLaunchAttributePriority, nullptr, &two);
  one.priority = -100, two.priority = -200;
  check("priorities beyond the range, which count", refused("AttributesChanged", "0"),
        cudaGraphInstantiateFlagUseNodePriority, cudaLaunchAttributePriority, &one, &two);
  cudaLaunchAttributeValue yes{}, no{};
  yes.cooperative = 1;
  check("cooperative to not", refused("AttributesChanged", "0"), 0, cudaLaunchAttributeCooperative, &yes, &no);
  check("not to cooperative", refused("AttributesChanged", "0"), 0, cudaLaunchAttributeCooperative, nullptr, &yes);
  check("cooperative to cooperative", "Success", 0, cudaLaunchAttributeCooperative, &yes, &yes);
  cudaLaunchAttributeValue cluster{}, none{};
  cluster.clusterDim.x = cluster.clusterDim.y = cluster.clusterDim.z = 1;
  check("clusters for none", "Success", 0, cudaLaunchAttributeClusterDimension, nullptr, &cluster);
  check("none for clusters", "Success", 0, cudaLaunchAttributeClusterDimension, &cluster, &none);
  cudaLaunchAttributeValue window{};
  window.accessPolicyWindow.base_ptr = cell.get();
  window.accessPolicyWindow.num_bytes = 64;
  window.accessPolicyWindow.hitRatio = 1;
  check("an access window", "Success", 0, cudaLaunchAttributeAccessPolicyWindow, nullptr, &window);
  cudaLaunchAttributeValue domain{};
  domain.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  check("another memory domain", "Success", 0, cudaLaunchAttributeMemSyncDomain, nullptr, &domain);
  cudaLaunchAttributeValue smaller = window;
  smaller.accessPolicyWindow.num_bytes = 32;
  check("another access window", "Success", 0, cudaLaunchAttributeAccessPolicyWindow, &window, &smaller);
  cudaLaunchAttributeValue map{};
  map.memSyncDomainMap.default_ = 1, map.memSyncDomainMap.remote = 0;
  check("another map of domains", "Success", 0, cudaLaunchAttributeMemSyncDomainMap, nullptr, &map);
  cudaLaunchAttributeValue carveout{};
  carveout.sharedMemCarveout = 50;
  check("another carve-out", "Success", 0, cudaLaunchAttributePreferredSharedMemoryCarveout, nullptr, &carveout);
  cudaLaunchAttributeValue policy{};
  policy.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
  cudaLaunchAttributeValue links{};
  links.nvlinkUtilCentricScheduling = 1;
  check("the use of links", refused("AttributesChanged", "0"), 0, cudaLaunchAttributeNvlinkUtilCentricScheduling,
        nullptr, &links);
  check("the use of links, as before", "Success", 0, cudaLaunchAttributeNvlinkUtilCentricScheduling, &links, &links);
  check("another scheduling of clusters", "Success", 0, cudaLaunchAttributeClusterSchedulingPolicyPreference, nullptr,
        &policy);
}

// A successful update applies every parameter.
TEST_F(GraphUpdate, SetsAndCopiesTakeAllOfTheirParameters) {
  DeviceArray<char> space(256), from(256);
  std::vector<char> numbers(256);
  for (int i = 0; i < 256; ++i) numbers[i] = static_cast<char>(i);
  MUST(cudaMemcpy(from.get(), numbers.data(), 256, cudaMemcpyHostToDevice));
  auto part = [&](size_t begin, size_t end) {
    auto all = space.read();
    std::string text;
    for (size_t i = begin; i < end; ++i) text += std::to_string(static_cast<unsigned char>(all[i])) + " ";
    return text;
  };
  auto check = [&](const char* name, const std::string& expected, auto add_before, auto add_after) {
    Graph a, b;
    add_before(a), add_after(b);
    Exec exec(a);
    ASK_FACT(name, std::string("Success"), update(exec, b));
    EXPECT_EQ(cudaSuccess, cudaMemset(space.get(), 0, 256));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    launch(exec);
    ASK_FACT(std::string(name) + ", bytes", expected, part(0, 10));
  };
  auto set = [&](cudaMemsetParams params) {
    return [=](Graph& g) {
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemsetNode(&node, g, nullptr, 0, &params));
    };
  };
  auto copy = [&](size_t at, size_t from_x, size_t from_y, size_t width) {
    return [=, &space, &from](Graph& g) {
      cudaMemcpy3DParms params{};
      params.srcPtr = make_cudaPitchedPtr(from.get(), 16, 16, 16);
      params.srcPos = make_cudaPos(from_x, from_y, 0);
      params.dstPtr = make_cudaPitchedPtr(space.get(), 64, 64, 4);
      params.dstPos = make_cudaPos(at, 0, 0);
      params.extent = make_cudaExtent(width, 1, 1);
      params.kind = cudaMemcpyDeviceToDevice;
      cudaGraphNode_t node = nullptr;
      EXPECT_EQ(cudaSuccess, cudaGraphAddMemcpyNode(&node, g, nullptr, 0, &params));
    };
  };
  check("wider elements", "2 1 2 1 2 1 0 0 0 0 ", set(memset_params(space.get(), 7, 1, 4)),
        set(memset_params(space.get(), 0x0102, 2, 3)));
  check("elements of four bytes", "0 0 0 0 4 3 2 1 0 0 ", set(memset_params(space.get(), 7, 1, 4)),
        set(memset_params(space.get() + 4, 0x01020304, 4, 1)));
  check("narrower elements", "0 9 0 0 0 0 0 0 0 0 ", set(memset_params(space.get(), 7, 4, 4)),
        set(memset_params(space.get() + 1, 9, 1, 1)));
  check("rows elsewhere", "0 0 5 5 0 0 5 5 0 0 ", set(memset_params(space.get(), 7, 1, 2, 2, 4)),
        set(memset_params(space.get() + 2, 5, 1, 2, 2, 4)));
  check("a row of a box", "0 0 35 36 37 0 0 0 0 0 ", copy(0, 0, 0, 2), copy(2, 3, 2, 3));
}

TEST_F(GraphUpdate, ACooperativeKernelStaysOne) {
  const auto node = graph.kernel({}, store_in_grid, cell.get(), 1);
  cudaLaunchAttributeValue yes{};
  yes.cooperative = 1;
  MUST(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &yes));
  Exec exec(graph);
  KernelParams two(synchronize_and_store, cell.get(), 2);
  two.params.gridDim = 2;
  ASK_CASE("one node", cudaSuccess, cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  launch(exec);
  ASK_FACT("cells", std::string("2 2"), cells(2));
  two.params.gridDim = 1 << 20;
  ASK_CASE("more blocks than run at once", cudaErrorCooperativeLaunchTooLarge,
           cudaGraphExecKernelNodeSetParams(exec, node, &two.params));
  const auto plain = other.kernel({}, synchronize_and_store, cell.get(), 3);
  MUST(cudaGraphKernelNodeSetAttribute(plain, cudaLaunchAttributeCooperative, &yes));
  ASK_FACT("the whole", std::string("Success"), update(exec, other));
  launch(exec);
  ASK_FACT("cells after the whole", std::string("3 2"), cells(2));
}

}  // namespace
