// What may change of a node when an executable graph is updated from another graph.
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

__device__ int in_a_variable[8];

// All of one device, and of one kind. Of copies, memory of a pool does not become other memory, nor the other way
// round.
TEST_F(GraphUpdate, OperandsFromOtherAllocations) {
  PinnedArray<int> pinned(8);
  DeviceArray<int> plain(8);
  std::vector<int> registered(4096), pageable(8);
  int *managed = nullptr, *pooled = nullptr;
  void* symbol = nullptr;
  MUST(cudaMallocManaged(&managed, 32));
  MUST(cudaMallocAsync(&pooled, 32, 0));
  MUST(cudaGetSymbolAddress(&symbol, in_a_variable));
  MUST(cudaHostRegister(registered.data(), registered.size() * sizeof(int), 0));
  const struct {
    const char* name;
    void* at;
  } places[] = {{"cudaMalloc", plain.get()},  {"a pool", pooled},       {"managed", managed},
                {"a variable", symbol},       {"pinned", pinned.get()}, {"registered", registered.data()},
                {"pageable", pageable.data()}};
  for (const auto& before : places) {
    for (const auto& after : places) {
      const std::string name = std::string(before.name) + ", then " + after.name;
      for (bool source : {false, true}) {
        Graph a, b;
        const auto copy = source ? a.copy(cell.get(), before.at, 8) : a.copy(before.at, cell.get(), 8);
        source ? b.copy(cell.get(), after.at, 8) : b.copy(after.at, cell.get(), 8);
        Exec exec(a);
        const bool fits = (before.at == pooled) == (after.at == pooled);
        ASK_FACT(name + (source ? ", copied from" : ", copied to"),
                 fits ? std::string("Success") : refused("ParametersChanged", "0"), update(exec, b));
        ASK_CASE(name + ", by one node", fits ? cudaSuccess : cudaErrorInvalidValue,
                 cudaGraphExecMemcpyNodeSetParams1D(exec, copy, source ? cell.get() : after.at,
                                                    source ? after.at : cell.get(), 8, cudaMemcpyDefault));
      }
      if (before.at == pageable.data() || after.at == pageable.data()) continue;  // which is not set
      Graph a, b;
      const auto set = a.set(before.at, 1, 8);
      b.set(after.at, 1, 8);
      Exec exec(a);
      ASK_FACT(name + ", set", std::string("Success"), update(exec, b));
      const auto params = memset_params(after.at, 2, 1, 8);
      ASK_CASE(name + ", set by one node", cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &params));
    }
  }
  MUST(cudaHostUnregister(registered.data()));
  MUST(cudaFree(managed));
  MUST(cudaFreeAsync(pooled, 0));
}

// What a graph allocates is neither a pool's memory nor other memory.
TEST_F(GraphUpdate, OperandsFromGraphMemoryAndPools) {
  auto with_memory = [&](Graph& g, cudaGraphNode_t& copy, cudaGraphNode_t& set) {
    const Allocated made = add_alloc(g, 64);
    set = g.set(made.address, 1, 8, {made.node}), copy = g.copy(cell.get(), made.address, 8, {set});
    add_free(g, made.address, {copy});
    return made.address;
  };
  cudaGraphNode_t copy = nullptr, set = nullptr;
  char* const mine = with_memory(graph, copy, set);
  cudaMemPool_t pool = nullptr;
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  MUST(cudaMemPoolCreate(&pool, &props));
  char *pooled = nullptr, *pooled_too = nullptr, *of_pool = nullptr;
  MUST(cudaMallocAsync(&pooled, 64, 0));
  MUST(cudaMallocAsync(&pooled_too, 4 << 20, 0));
  MUST(cudaMallocFromPoolAsync(&of_pool, 64, pool, 0));
  MUST(cudaDeviceSynchronize());
  PinnedArray<char> pinned(64);
  const struct {
    const char* name;
    char* at;
    int sort;
  } places[] = {{"graph memory", mine, 2},    {"the same elsewhere", mine + 8, 2},
                {"a pool", pooled, 1},        {"the same pool", pooled_too, 1},
                {"another pool", of_pool, 1}, {"cudaMalloc", reinterpret_cast<char*>(cell.get() + 4), 0},
                {"pinned", pinned.get(), 0}};
  Exec exec(graph);
  for (const auto& before : places) {
    if (before.at == mine + 8) continue;  // which belongs to nothing in another graph
    Graph plain;
    const auto node = before.at == mine ? copy : plain.copy(cell.get(), before.at, 8);
    Exec plain_exec(plain);
    for (const auto& after : places) {
      ASK_CASE(std::string(before.name) + ", then " + after.name,
               before.sort == after.sort ? cudaSuccess : cudaErrorInvalidValue,
               cudaGraphExecMemcpyNodeSetParams1D(before.at == mine ? exec : plain_exec, node, cell.get(), after.at, 8,
                                                  cudaMemcpyDefault));
    }
  }
  const auto set_params = memset_params(cell.get() + 4, 2, 1, 8);
  ASK_CASE("set, then cudaMalloc", cudaSuccess, cudaGraphExecMemsetNodeSetParams(exec, set, &set_params));
  MUST(cudaFreeAsync(pooled, 0));
  MUST(cudaFreeAsync(pooled_too, 0));
  MUST(cudaFreeAsync(of_pool, 0));
  MUST(cudaMemPoolDestroy(pool));
}

// A graph with memory nodes updates what was made from it, or, if nothing was, what was made from another: that then
// has its memory, and nothing else is made from it.
TEST_F(GraphUpdate, GraphsWithMemory) {
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  auto fill = [&](Graph& g) {
    cudaGraphNode_t made = nullptr, gone = nullptr;
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemAllocNode(&made, g, nullptr, 0, &params));
    const auto set = g.set(params.dptr, 1, 8, {made}), copy = g.copy(cell.get(), params.dptr, 8, {set});
    EXPECT_EQ(cudaSuccess, cudaGraphAddMemFreeNode(&gone, g, &copy, 1, params.dptr));
    return Nodes{made, copy, gone};
  };
  Graph instantiated, inner, around;
  fill(instantiated);
  const Nodes nodes = fill(graph);
  inner.empty({inner.empty({inner.empty({inner.empty()})})});
  const auto child = around.child(inner);
  Exec exec(graph), of_other(instantiated), of_child(around);
  MUST(cudaGraphMemcpyNodeSetParams1D(nodes[1], cell.get() + 2, params.dptr, 8, cudaMemcpyDefault));
  ASK_FACT("the graph itself", std::string("Success"), update(exec, graph));
  launch(exec);
  ASK_FACT("cells", std::string("0 0 16843009 16843009 0"), cells(5));
  other.empty({other.copy(cell.get(), cell.get() + 4, 8, {other.set(cell.get(), 1, 8, {other.empty()})})});
  ASK_FACT("a graph without memory", refused("NodeTypeChanged", "3"), update(exec, other));
  const std::string not_supported = "cudaErrorNotSupported Success node - from -";
  Exec without(other);
  ASK_FACT("memory for a graph without", not_supported, update(without, graph));
  ASK_FACT("a graph of which there is another executable", not_supported, update(exec, instantiated));
  ASK_CASE("for a child graph", cudaErrorGraphExecUpdateFailure,
           cudaGraphExecChildGraphNodeSetParams(of_child, child, instantiated));
  MUST(cudaGraphExecDestroy(of_other.release()));
  // A set of memory that the new graph allocates and frees.
  ASK_FACT("when that is gone", refused("Error", "1"), update(exec, instantiated));
  ASK_FACT("when that is gone, for a graph without", refused("NodeTypeChanged", "3"), update(without, instantiated));
  cudaGraphNodeParams any{};
  any.type = cudaGraphNodeTypeMemAlloc;
  std::memcpy(&any.alloc, &params, sizeof params);
  ASK_CASE("an allocation's parameters", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, nodes[0], &any));
  ASK_CASE("an allocation's for a free", cudaErrorInvalidValue, cudaGraphExecNodeSetParams(exec, nodes[2], &any));
  any = {};
  any.type = cudaGraphNodeTypeMemFree;
  any.free.dptr = params.dptr;
  ASK_CASE("a free's parameters", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, nodes[2], &any));
  graph.empty();
  ASK_FACT("the graph itself, grown", refused("TopologyChanged"), update(exec, graph));
}

// Letters are nodes of a chain: allocation, free, set, kernel and copy from the memory; E is an empty node.
TEST_F(GraphUpdate, GraphsWithOtherMemory) {
  auto fill = [&](Graph& g, const std::string& letters, int value) {
    Allocated made;
    Nodes last;
    for (const char letter : letters) {
      cudaGraphNode_t node = nullptr;
      if (letter == 'a') made = add_alloc(g, 64, last), node = made.node;
      if (letter == 'f') node = add_free(g, made.address, last);
      if (letter == 's') node = g.set(made.address, value, 8, last);
      if (letter == 'k') node = g.store(made.address ? made.ints() : cell.get(), value, last);
      if (letter == 'c') node = g.copy(cell.get(), made.address, 4, last);
      if (letter == 'E') node = g.empty(last);
      last = {node};
    }
  };
  const struct {
    const char *before, *after;
    std::string expected;
  } cases[] = {{"af", "af", "Success"},
               {"a", "a", "Success"},
               {"akcf", "akcf", "Success"},
               {"aEkcf", "aEkcf", "Success"},
               {"as", "as", "Success"},
               {"asf", "asf", refused("Error", "1")},
               {"asEf", "asEf", refused("Error", "1")},
               {"akf", "asf", refused("NodeTypeChanged", "1")},
               {"EkE", "akf", refused("NodeTypeChanged", "2")},
               {"akf", "EkE", refused("NodeTypeChanged", "2")},
               {"EEEE", "akf", refused("TopologyChanged")}};
  for (const auto& each : cases) {
    Graph a, b;
    const std::string name = std::string(each.before) + " from " + each.after;
    fill(a, each.before, 1), fill(b, each.after, 2);
    Exec exec(a);
    ASK_FACT(name, each.expected, update(exec, b));
    const bool done = each.expected == "Success";
    cudaGraphExec_t own = nullptr;
    ASK_CASE(name + ", instantiated", done ? cudaErrorNotSupported : cudaSuccess, cudaGraphInstantiate(&own, b, 0));
    if (own) MUST(cudaGraphExecDestroy(own));
    if (!done) continue;
    ASK_FACT(name + ", again", each.expected, update(exec, b));
    const bool copies = std::string(each.before).find('c') != std::string::npos;
    if (!copies) continue;
    launch(exec);
    ASK_FACT(name + ", runs", std::string("2"), cells(1));
    ASK_FACT(name + ", back", each.expected, update(exec, a));
    launch(exec);
    ASK_FACT(name + ", runs back", std::string("1"), cells(1));
  }
}

// The launch that is queued has the memory of before.
TEST_F(GraphUpdate, OtherMemoryWhileALaunchIsQueued) {
  auto fill = [&](Graph& g, int value, int* to) {
    const Allocated made = add_alloc(g, 64);
    add_free(g, made.address, {g.copy(to, made.address, 4, {g.store(made.ints(), value, {made.node})})});
  };
  fill(graph, 1, cell.get()), fill(other, 2, cell.get() + 1);
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking);
  std::atomic<int> open{0};
  MUST(cudaLaunchHostFunc(
      stream,
      [](void* gate) {
        while (static_cast<std::atomic<int>*>(gate)->load() == 0) {
        }
      },
      &open));
  MUST(cudaGraphLaunch(exec, stream));
  const std::string said = update(exec, other);
  const cudaError_t launched = cudaGraphLaunch(exec, stream);
  open = 1;
  MUST(cudaStreamSynchronize(stream));
  ASK_FACT("an update from a graph with other memory", std::string("Success"), said);
  ASK_FACT("a launch after it", cudaSuccess, launched);
  ASK_FACT("cells", std::string("1 2"), cells(2));
}

// A graph of one node, updated by another whose node has other parameters.
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

// That what an update says it has done is done.
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
