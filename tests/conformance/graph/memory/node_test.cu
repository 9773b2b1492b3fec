// Defining allocation and free nodes: parameters, addresses, refusals.
#include "pool/pool_support.h"

using GraphMemoryNodes = Graphs;

TEST_F(GraphMemoryNodes, TellTheirParameters) {
  cudaMemAllocNodeParams params = alloc_params(5000), told{};
  cudaMemAccessDesc access{};
  access.location = device_location();
  access.flags = cudaMemAccessFlagsProtReadWrite;
  params.accessDescs = &access;
  params.accessDescCount = 1;
  cudaGraphNode_t alloc = nullptr, release = nullptr;
  MUST(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));
  ASK_VALUE(true, params.dptr != nullptr);
  ASK_VALUE(0, reinterpret_cast<uintptr_t>(params.dptr) % 512);
  ASK(cudaSuccess, cudaGraphMemAllocNodeGetParams(alloc, &told));
  ASK_VALUE(true, told.dptr == params.dptr);
  ASK_VALUE(5000, told.bytesize);
  ASK_VALUE(cudaMemAllocationTypePinned, told.poolProps.allocType);
  ASK_VALUE(cudaMemLocationTypeDevice, told.poolProps.location.type);
  ASK_VALUE(0, told.poolProps.location.id);
  ASK_VALUE(1, told.accessDescCount);
  ASK_VALUE(true, told.accessDescs != nullptr && told.accessDescs != &access);
  if (told.accessDescs) ASK_VALUE(cudaMemAccessFlagsProtReadWrite, told.accessDescs->flags);
  cudaGraphNodeType type{};
  MUST(cudaGraphNodeGetType(alloc, &type));
  ASK_VALUE(cudaGraphNodeTypeMemAlloc, type);
  ASK(cudaSuccess, cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr));
  MUST(cudaGraphNodeGetType(release, &type));
  ASK_VALUE(cudaGraphNodeTypeMemFree, type);
  void* freed = nullptr;
  ASK(cudaSuccess, cudaGraphMemFreeNodeGetParams(release, &freed));
  ASK_VALUE(true, freed == params.dptr);
  ASK(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(release, &told));
  ASK(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(alloc, &freed));
  ASK(cudaErrorInvalidValue, cudaGraphMemAllocNodeGetParams(alloc, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphMemFreeNodeGetParams(release, nullptr));
}

TEST_F(GraphMemoryNodes, AddressesAreNoPointersBeforeALaunch) {
  const Allocated made = add_alloc(graph, 5000);
  cudaPointerAttributes attributes{};
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, made.address));
  ASK_FACT("type of graph memory before any launch", cudaMemoryTypeUnregistered, attributes.type);
  ASK_VALUE(cudaInvalidDeviceId, attributes.device);
}

TEST_F(GraphMemoryNodes, ParametersThatAreRefused) {
  struct Case {
    const char* name;
    cudaError_t expected;
    std::function<void(cudaMemAllocNodeParams&)> change;
  };
  static cudaMemAccessDesc none{}, read{}, far{}, twice[2]{};
  none.location = read.location = twice[0].location = twice[1].location = device_location();
  far.location = device_location(4096);
  read.flags = cudaMemAccessFlagsProtRead;
  far.flags = twice[0].flags = twice[1].flags = cudaMemAccessFlagsProtReadWrite;
  const Case cases[] = {
      {"no bytes", cudaErrorInvalidValue, [](auto& p) { p.bytesize = 0; }},
      {"2^46 bytes", cudaErrorMemoryAllocation, [](auto& p) { p.bytesize = size_t{1} << 46; }},
      {"all bytes", cudaErrorMemoryAllocation, [](auto& p) { p.bytesize = ~size_t{0}; }},
      {"type managed", cudaSuccess, [](auto& p) { p.poolProps.allocType = cudaMemAllocationTypeManaged; }},
      {"type invalid", cudaErrorInvalidValue, [](auto& p) { p.poolProps.allocType = cudaMemAllocationTypeInvalid; }},
      {"handles fd", cudaErrorNotSupported,
       [](auto& p) { p.poolProps.handleTypes = cudaMemHandleTypePosixFileDescriptor; }},
      {"location none", cudaErrorInvalidValue, [](auto& p) { p.poolProps.location.type = cudaMemLocationTypeNone; }},
      {"location host", cudaErrorNotSupported, [](auto& p) { p.poolProps.location.type = cudaMemLocationTypeHost; }},
      {"location numa", cudaErrorNotSupported,
       [](auto& p) { p.poolProps.location.type = cudaMemLocationTypeHostNuma; }},
      {"device 4096", cudaErrorInvalidValue, [](auto& p) { p.poolProps.location.id = 4096; }},
      {"device -1", cudaErrorInvalidValue, [](auto& p) { p.poolProps.location.id = -1; }},
      {"largest 1 GiB", cudaSuccess, [](auto& p) { p.poolProps.maxSize = 1024 * MiB; }},
      {"reserved byte", cudaErrorInvalidValue, [](auto& p) { p.poolProps.reserved[3] = 1; }},
      {"usage 2", cudaSuccess, [](auto& p) { p.poolProps.usage = 2; }},
      {"list without count", cudaSuccess, [](auto& p) { p.accessDescs = &none; }},
      {"access none", cudaErrorNotSupported,
       [](auto& p) {
         p.accessDescs = &none;
         p.accessDescCount = 1;
       }},
      {"access read", cudaErrorNotSupported,
       [](auto& p) {
         p.accessDescs = &read;
         p.accessDescCount = 1;
       }},
      {"access from 4096", cudaErrorInvalidDevice,
       [](auto& p) {
         p.accessDescs = &far;
         p.accessDescCount = 1;
       }},
      {"access twice", cudaErrorInvalidValue,
       [](auto& p) {
         p.accessDescs = twice;
         p.accessDescCount = 2;
       }},
      {"dptr preset", cudaSuccess, [](auto& p) { p.dptr = &p; }},
  };
  for (const Case& each : cases) {
    cudaMemAllocNodeParams params = alloc_params(1000);
    each.change(params);
    void* const before = params.dptr;
    cudaGraphNode_t node = nullptr;
    const size_t nodes_before = nodes_of(graph).size();
    ASK_CASE(each.name, each.expected, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
    if (!node) {
      ASK_FACT(std::string(each.name) + " leaves no node", nodes_before, nodes_of(graph).size());
      FACT(std::string(each.name) + " leaves dptr", params.dptr == before);
    }
    (void)cudaGetLastError();
  }
}

TEST_F(GraphMemoryNodes, NullArguments) {
  cudaMemAllocNodeParams params = alloc_params(1000);
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(nullptr, graph, nullptr, 0, &params));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, nullptr, nullptr, 0, &params));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, nullptr));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemAllocNode(&node, graph, nullptr, 1, &params));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, nullptr));
  const Allocated made = add_alloc(graph, 100);
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(nullptr, graph, &made.node, 1, made.address));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, nullptr, &made.node, 1, made.address));
}

TEST_F(GraphMemoryNodes, FreesThatAreRefused) {
  const Allocated made = add_alloc(graph, 5000);
  DeviceArray<int> plain(10);
  Stream stream;
  Pool pool;
  char* pooled = take(pool, 100, stream);
  int local = 0;
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, made.address + 512));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, plain.get()));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, pooled));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, &local));
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, reinterpret_cast<void*>(0x1000)));
  // Not ordered after its allocation.
  const Allocated other = add_alloc(graph, 5000);
  ASK_CASE("free that does not follow the allocation", cudaSuccess,
           cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, other.address));
  const cudaGraphNode_t between = graph.empty({made.node});
  ASK_CASE("free behind a node behind the allocation", cudaSuccess,
           cudaGraphAddMemFreeNode(&node, graph, &between, 1, made.address));
  cudaGraphNode_t second = nullptr;
  ASK_CASE("second free", cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&second, graph, &node, 1, made.address));
  ASK_CASE("second free, not after the first", cudaErrorInvalidValue,
           cudaGraphAddMemFreeNode(&second, graph, &made.node, 1, made.address));
  MUST(cudaFreeAsync(pooled, stream));
}

TEST_F(GraphMemoryNodes, FreedInAnotherGraph) {
  const Allocated made = add_alloc(graph, 5000);
  Graph other, third;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("free in another graph", cudaSuccess, cudaGraphAddMemFreeNode(&node, other, nullptr, 0, made.address));
  ASK_CASE("a second one there", cudaErrorInvalidValue,
           cudaGraphAddMemFreeNode(&node, other, nullptr, 0, made.address));
  ASK_CASE("free in a third graph", cudaSuccess, cudaGraphAddMemFreeNode(&node, third, nullptr, 0, made.address));
  ASK_CASE("now in its own", cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, made.address));
}

TEST_F(GraphMemoryNodes, FreedInItsOwnGraphNotInAnother) {
  const Allocated made = add_alloc(graph, 5000);
  add_free(graph, made.address, {made.node});
  Graph other;
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, other, nullptr, 0, made.address));
  ASK(cudaErrorInvalidValue, cudaFree(made.address));
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaFreeAsync(made.address, stream));
}

TEST_F(GraphMemoryNodes, ByTheGeneralCall) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemAlloc;
  params.alloc.poolProps = pool_props();
  params.alloc.bytesize = 3000;
  cudaGraphNode_t alloc = nullptr, release = nullptr;
  ASK(cudaSuccess, cudaGraphAddNode(&alloc, graph, nullptr, nullptr, 0, &params));
  void* const address = params.alloc.dptr;
  ASK_VALUE(true, address != nullptr);
  ASK_CASE("set by the general call", cudaErrorNotSupported, cudaGraphNodeSetParams(alloc, &params));
  cudaGraphNodeParams free_params{};
  free_params.type = cudaGraphNodeTypeMemFree;
  free_params.free.dptr = address;
  ASK(cudaSuccess, cudaGraphAddNode(&release, graph, &alloc, nullptr, 1, &free_params));
  ASK_CASE("free set by the general call", cudaErrorNotSupported, cudaGraphNodeSetParams(release, &free_params));
  run(graph);
}

TEST_F(GraphMemoryNodes, CannotBeTakenOut) {
  const Allocated made = add_alloc(graph, 5000);
  const cudaGraphNode_t first = graph.empty({made.node}), second = graph.empty({first});
  const cudaGraphNode_t release = add_free(graph, made.address, {first});
  ASK_CASE("the allocation", cudaErrorNotSupported, cudaGraphDestroyNode(made.node));
  ASK_CASE("the free", cudaErrorNotSupported, cudaGraphDestroyNode(release));
  ASK_CASE("an empty node in the graph", cudaErrorNotSupported, cudaGraphDestroyNode(second));
  ASK_CASE("an edge from the allocation", cudaErrorNotSupported,
           cudaGraphRemoveDependencies(graph, &made.node, &first, nullptr, 1));
  ASK_CASE("an edge between other nodes", cudaErrorNotSupported,
           cudaGraphRemoveDependencies(graph, &first, &second, nullptr, 1));
  ASK_CASE("an edge added", cudaSuccess, cudaGraphAddDependencies(graph, &release, &second, nullptr, 1));
  const cudaGraphNode_t more = graph.empty({second});
  ASK_VALUE(true, more != nullptr);
  cudaGraph_t clone = nullptr;
  ASK_CASE("clone", cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  Graph parent;
  cudaGraphNode_t child = nullptr;
  ASK_CASE("child by copy", cudaErrorNotSupported, cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, graph));
}

TEST_F(GraphMemoryNodes, FreeAloneCannotBeTakenOutEither) {
  const Allocated made = add_alloc(graph, 5000);
  Graph other;
  const cudaGraphNode_t release = add_free(other, made.address, {}), plain = other.empty({release});
  ASK_CASE("the free", cudaErrorNotSupported, cudaGraphDestroyNode(release));
  ASK_CASE("an empty node", cudaErrorNotSupported, cudaGraphDestroyNode(plain));
  cudaGraph_t clone = nullptr;
  ASK_CASE("clone", cudaErrorNotSupported, cudaGraphClone(&clone, other));
}

TEST_F(GraphMemoryNodes, OneExecutableGraphAtATime) {
  const Allocated made = add_alloc(graph, 5000);
  add_free(graph, made.address, {made.node});
  cudaGraphExec_t first = nullptr, second = nullptr;
  MUST(cudaGraphInstantiate(&first, graph, 0));
  ASK_CASE("second instantiation", cudaErrorNotSupported, cudaGraphInstantiate(&second, graph, 0));
  (void)cudaGetLastError();
  cudaGraphInstantiateParams params{};
  ASK_CASE("second instantiation with parameters", cudaErrorNotSupported,
           cudaGraphInstantiateWithParams(&second, graph, &params));
  ASK_FACT("its result", cudaGraphInstantiateError, params.result_out);
  ASK_FACT("its node is null", true, params.errNode_out == nullptr);
  (void)cudaGetLastError();
  ASK_CASE("a node added meanwhile", cudaSuccess, [&] {
    cudaGraphNode_t node = nullptr;
    return cudaGraphAddEmptyNode(&node, graph, nullptr, 0);
  }());
  MUST(cudaGraphExecDestroy(first));
  ASK_CASE("after the first is gone", cudaSuccess, cudaGraphInstantiate(&second, graph, 0));
  if (second) MUST(cudaGraphExecDestroy(second));
}

TEST_F(GraphMemoryNodes, FreeGraphsToo) {
  const Allocated made = add_alloc(graph, 5000);
  Graph other;
  add_free(other, made.address, {});
  cudaGraphExec_t first = nullptr, second = nullptr;
  MUST(cudaGraphInstantiate(&first, other, 0));
  ASK_CASE("second instantiation of a graph that frees", cudaErrorNotSupported,
           cudaGraphInstantiate(&second, other, 0));
  MUST(cudaGraphExecDestroy(first));
  if (second) MUST(cudaGraphExecDestroy(second));
}

TEST_F(GraphMemoryNodes, ChildThatIsMoved) {
  Graph child;
  const Allocated made = add_alloc(child, 5000);
  const cudaGraphNode_t set = child.set(made.address, 5, 5000, {made.node});
  add_free(child, made.address, {set});
  auto params = moved(child);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("moved child with memory", cudaSuccess, cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  if (!node) return;
  (void)child.release();
  cudaGraph_t clone = nullptr;
  ASK_CASE("clone of the parent", cudaErrorNotSupported, cudaGraphClone(&clone, graph));
  ASK_CASE("the child node taken out", cudaErrorNotSupported, cudaGraphDestroyNode(node));
  run(graph);
}

TEST_F(GraphMemoryNodes, MemoryOfAMovedChildFreedInTheParent) {
  Graph child;
  const Allocated made = add_alloc(child, 5000);
  auto params = moved(child);
  cudaGraphNode_t node = nullptr, release = nullptr;
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  (void)child.release();
  ASK_CASE("freed by the parent behind the child", cudaSuccess,
           cudaGraphAddMemFreeNode(&release, graph, &node, 1, made.address));
  run(graph);
  run(graph);
}

TEST_F(GraphMemoryNodes, MemoryOfTheParentFreedInAMovedChild) {
  const Allocated made = add_alloc(graph, 5000);
  Graph child;
  add_free(child, made.address, {});
  auto params = moved(child);
  cudaGraphNode_t node = nullptr;
  ASK_CASE("child that frees the parent's", cudaSuccess,
           cudaGraphAddNode(&node, graph, &made.node, nullptr, 1, &params));
  if (!node) return;
  (void)child.release();
  run(graph);
  run(graph);
}

TEST_F(GraphMemoryNodes, AddedToAGraphInsideAnother) {
  Graph child;
  child.empty();
  const cudaGraphNode_t node = graph.child(child);
  cudaGraph_t inside = nullptr;
  MUST(cudaGraphChildGraphNodeGetGraph(node, &inside));
  cudaMemAllocNodeParams params = alloc_params(100);
  cudaGraphNode_t added = nullptr;
  ASK_CASE("allocation added to a copied child", cudaErrorNotSupported,
           cudaGraphAddMemAllocNode(&added, inside, nullptr, 0, &params));
}

TEST_F(GraphMemoryNodes, AddressesOfOneGraphAreUsedAgain) {
  const Allocated first = add_alloc(graph, 1 * MiB);
  const cudaGraphNode_t set = graph.set(first.address, 1, 1 * MiB, {first.node});
  const cudaGraphNode_t release = add_free(graph, first.address, {set});
  const Allocated beside = add_alloc(graph, 1 * MiB, {first.node});
  const Allocated after = add_alloc(graph, 1 * MiB, {release});
  ASK_FACT("parallel allocation has the address", false, beside.address == first.address);
  ASK_FACT("later allocation has the address", true, after.address == first.address);
  const Allocated smaller = add_alloc(graph, 5000, {release});
  ASK_FACT("smaller, while the later one has the address", 2 * MiB, smaller.address - first.address);
  add_free(graph, beside.address, {beside.node});
  add_free(graph, after.address, {after.node});
  add_free(graph, smaller.address, {smaller.node});
  run(graph);
}

TEST_F(GraphMemoryNodes, AddressesOfSeveralAreJoined) {
  const Allocated a = add_alloc(graph, 2 * MiB), b = add_alloc(graph, 2 * MiB, {a.node});
  ASK_FACT("distance of two of 2 MiB", 2 * MiB, b.address - a.address);
  const cudaGraphNode_t free_a = add_free(graph, a.address, {b.node}), free_b = add_free(graph, b.address, {free_a});
  const Allocated both = add_alloc(graph, 4 * MiB, {free_b});
  ASK_FACT("4 MiB after both: distance from the first", 0, both.address - a.address);
  add_free(graph, both.address, {both.node});
  run(graph);
}

TEST_F(GraphMemoryNodes, AddressesOfOtherGraphsAreOthers) {
  const Allocated here = add_alloc(graph, 1 * MiB);
  add_free(graph, here.address, {here.node});
  Graph other;
  const Allocated there = add_alloc(other, 1 * MiB);
  add_free(other, there.address, {there.node});
  ASK_FACT("two graphs share an address", false, here.address == there.address);
  FACT("distance", static_cast<long long>(there.address - here.address));
}

TEST_F(GraphMemoryNodes, SmallOnesLieSideBySide) {
  const Allocated a = add_alloc(graph, 1), b = add_alloc(graph, 1), c = add_alloc(graph, 1000), d = add_alloc(graph, 1);
  ASK_FACT("b - a", 512, b.address - a.address);
  ASK_FACT("c - a", 1024, c.address - a.address);
  ASK_FACT("d - a", 2048, d.address - a.address);
  FACT("a in 2 MiB", reinterpret_cast<uintptr_t>(a.address) % (2 * MiB));
}

TEST_F(GraphMemoryNodes, UpdateOfAnExecutableGraph) {
  Allocated made = add_alloc(graph, 5000);
  cudaGraphNode_t set = graph.set(made.address, 1, 5000, {made.node});
  add_free(graph, made.address, {set});
  Graph same;
  Allocated other = add_alloc(same, 5000);
  cudaGraphNode_t other_set = same.set(other.address, 1, 5000, {other.node});
  add_free(same, other.address, {other_set});
  Exec exec(graph);
  cudaGraphExecUpdateResultInfo info{};
  ASK_CASE("update by itself", cudaSuccess, cudaGraphExecUpdate(exec, graph, &info));
  ASK_FACT("result", cudaGraphExecUpdateSuccess, info.result);
  (void)cudaGetLastError();
  ASK_CASE("update by an equal graph", cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, same, &info));
  FACT("result of the equal graph", static_cast<int>(info.result));
  FACT("error node is the other's allocation", info.errorNode == other.node);
  (void)cudaGetLastError();
  MUST(cudaGraphLaunch(exec, nullptr));
  MUST(cudaDeviceSynchronize());
}

using HazardGraphMemory = Graphs;

TEST_F(HazardGraphMemory, FreeOfAGraphThatIsGone) {
  UNDEFINED_ON_NVIDIA("memory of a graph that is gone");
  auto gone = std::make_unique<Graph>();
  const Allocated made = add_alloc(*gone, 5000);
  gone.reset();
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, nullptr, 0, made.address));
  ASK(cudaErrorInvalidValue, cudaFree(made.address));
}
