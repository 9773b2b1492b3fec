// Graph memory in launches: data, repeated launches, frees elsewhere.
#include "graph/memory/memory_support.h"

namespace {

static __global__ void fill(int* cells, int count, int value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) cells[i] = value + i;
}

static __global__ void sum(const int* cells, int count, int* out) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += cells[i];
  *out = total;
}

// Launches that fail to allocate leave an H200 short of memory for the rest of the process.
using StickyGraphMemory = GraphMemory;

}  // namespace

TEST_F(GraphMemory, HoldsDataBetweenItsNodes) {
  DeviceArray<int> out(1);
  const Allocated made = add_alloc(graph, 4000);
  const auto filled = graph.kernel({made.node}, fill, made.ints(), 1000, 5);
  const auto summed = graph.kernel({filled}, sum, static_cast<const int*>(made.ints()), 1000, out.get());
  add_free(graph, made.address, {summed});
  Exec exec(graph);
  Stream stream;
  for (int i = 0; i < 3; ++i) {
    MUST(cudaMemset(out.get(), 0, 4));
    ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_VALUE(999 * 500 + 5000, out.read()[0]);
  }
}

TEST_F(GraphMemory, StaysAfterTheLaunchAndIsFreedInTheStream) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Exec exec(graph);
  Stream stream;
  for (int i = 0; i < 3; ++i) {
    ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
    int value = 0;
    ASK(cudaSuccess, cudaMemcpyAsync(&value, made.ints() + 999, 4, cudaMemcpyDefault, stream));
    ASK(cudaSuccess, cudaFreeAsync(made.address, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_VALUE(1006, value);
  }
  ASK_CASE("freed a second time", cudaErrorInvalidValue, cudaFreeAsync(made.address, stream));
}

TEST_F(GraphMemory, FreedByCudaFree) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Exec exec(graph);
  Stream stream;
  ASK_CASE("before any launch", cudaErrorInvalidValue, cudaFree(made.address));
  ASK_CASE("before any launch, in a stream", cudaErrorInvalidValue, cudaFreeAsync(made.address, stream));
  for (int i = 0; i < 2; ++i) {
    ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
    ASK(cudaSuccess, cudaFree(made.address));
    ASK_CASE("again", cudaErrorInvalidValue, cudaFree(made.address));
  }
}

TEST_F(GraphMemory, LaunchAgainWhileItLives) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Exec exec(graph);
  Stream stream;
  MUST(cudaGraphLaunch(exec, stream));
  ASK_CASE("second launch", cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
  ASK_CASE("upload", cudaSuccess, cudaGraphUpload(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_CASE("second launch after waiting", cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
  (void)cudaGetLastError();
  ASK(cudaSuccess, cudaFreeAsync(made.address, stream));
  ASK_CASE("after the free", cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaFreeAsync(made.address, stream));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphMemory, LaunchAgainAfterAPendingFree) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Exec exec(graph);
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Gate gate;
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  gate.close(other);
  MUST(cudaFreeAsync(made.address, other));
  ASK_CASE("launch in a stream not ordered after the free", cudaSuccess, cudaGraphLaunch(exec, stream));
  gate.open();
  MUST(cudaDeviceSynchronize());
  (void)cudaFree(made.address);
}

TEST_F(GraphMemory, AutoFreeOnLaunch) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Exec exec(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  Stream stream;
  for (int i = 0; i < 3; ++i) ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  int value = 0;
  MUST(cudaMemcpyAsync(&value, made.ints(), 4, cudaMemcpyDefault, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(7, value);
  ASK_CASE("freed by hand", cudaSuccess, cudaFreeAsync(made.address, stream));
  ASK_CASE("and again", cudaErrorInvalidValue, cudaFreeAsync(made.address, stream));
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  const auto before = graph_used();
  ASK(cudaSuccess, cudaGraphExecDestroy(exec.release()));
  FACT("used before and after the exec is destroyed", std::make_pair(before, graph_used()));
  ASK_CASE("freed after the exec is gone", cudaSuccess, cudaFree(made.address));
}

TEST_F(GraphMemory, OutlivesExecAndGraph) {
  auto own = std::make_unique<Graph>();
  const Allocated made = add_alloc(*own, 4000);
  own->kernel({made.node}, fill, made.ints(), 1000, 9);
  Stream stream;
  {
    Exec exec(*own);
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  }
  int value = 0;
  ASK_CASE("read after the exec is gone", cudaSuccess, cudaMemcpy(&value, made.ints(), 4, cudaMemcpyDefault));
  ASK_VALUE(9, value);
  {
    cudaGraphExec_t again = nullptr;
    ASK_CASE("instantiated again while it lives", cudaSuccess, cudaGraphInstantiate(&again, *own, 0));
    if (again) {
      ASK_CASE("launched while the earlier exec's memory lives", cudaErrorInvalidValue, cudaGraphLaunch(again, stream));
      (void)cudaGetLastError();
      MUST(cudaStreamSynchronize(stream));
      (void)cudaGraphExecDestroy(again);
    }
  }
  own.reset();
  value = 0;
  ASK_CASE("read after the graph is gone", cudaSuccess, cudaMemcpy(&value, made.ints(), 4, cudaMemcpyDefault));
  ASK_VALUE(9, value);
  ASK_CASE("freed after the graph is gone", cudaSuccess, cudaFreeAsync(made.address, stream));
  MUST(cudaStreamSynchronize(stream));
  FACT("used at the end", graph_used() - start_used);
}

TEST_F(GraphMemory, FreedByAnotherGraph) {
  const Allocated made = add_alloc(graph, 4000);
  graph.kernel({made.node}, fill, made.ints(), 1000, 7);
  Graph other;
  DeviceArray<int> out(1);
  const auto summed = other.kernel({}, sum, static_cast<const int*>(made.ints()), 1000, out.get());
  add_free(other, made.address, {summed});
  Exec exec(graph), freeing(other);
  Stream stream;
  ASK_CASE("free launched before the allocation", cudaErrorInvalidValue, [&] {
    Graph only_free;
    const cudaError_t added = [&] {
      cudaGraphNode_t node = nullptr;
      return cudaGraphAddMemFreeNode(&node, only_free, nullptr, 0, made.address);
    }();
    if (added != cudaSuccess) return added;
    Exec frees(only_free);
    const cudaError_t launched = cudaGraphLaunch(frees, stream);
    (void)cudaStreamSynchronize(stream);
    return launched;
  }());
  (void)cudaGetLastError();
  for (int i = 0; i < 2; ++i) {
    ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
    ASK(cudaSuccess, cudaGraphLaunch(freeing, stream));
    MUST(cudaStreamSynchronize(stream));
    ASK_VALUE(999 * 500 + 7000, out.read()[0]);
  }
  ASK_CASE("free launched twice", cudaErrorInvalidValue, [&] {
    Graph only_free;
    cudaGraphNode_t node = nullptr;
    const cudaError_t added = cudaGraphAddMemFreeNode(&node, only_free, nullptr, 0, made.address);
    if (added != cudaSuccess) return added;
    Exec frees(only_free);
    const cudaError_t launched = cudaGraphLaunch(frees, stream);
    (void)cudaStreamSynchronize(stream);
    return launched;
  }());
}

TEST_F(GraphMemory, OfSeveralAllocationsSomeLive) {
  const Allocated kept = add_alloc(graph, 4000), freed = add_alloc(graph, 4000, {kept.node});
  add_free(graph, freed.address, {freed.node});
  Exec exec(graph);
  Stream stream;
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaErrorInvalidValue, cudaGraphLaunch(exec, stream));
  (void)cudaGetLastError();
  ASK_CASE("memory that the graph frees itself", cudaErrorInvalidValue, cudaFreeAsync(freed.address, stream));
  ASK(cudaSuccess, cudaFreeAsync(kept.address, stream));
  ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaFreeAsync(kept.address, stream));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphMemory, ReadByNodesBesideIt) {
  // Two branches, each with its own memory, joined at the end.
  DeviceArray<int> out(2);
  const Allocated a = add_alloc(graph, 40000), b = add_alloc(graph, 40000);
  const auto fill_a = graph.kernel({a.node}, fill, a.ints(), 10000, 0);
  const auto fill_b = graph.kernel({b.node}, fill, b.ints(), 10000, 1);
  const auto sum_a = graph.kernel({fill_a, fill_b}, sum, static_cast<const int*>(a.ints()), 10000, out.get());
  const auto sum_b = graph.kernel({fill_a, fill_b}, sum, static_cast<const int*>(b.ints()), 10000, out.get() + 1);
  add_free(graph, a.address, {sum_a});
  add_free(graph, b.address, {sum_b});
  Exec exec(graph);
  for (int i = 0; i < 10; ++i) MUST(cudaGraphLaunch(exec, nullptr));
  ASK_VALUE(9999 * 5000, out.read()[0]);
  ASK_VALUE(9999 * 5000 + 10000, out.read()[1]);
}

TEST_F(GraphMemory, IsSetAndCopiedFromOutside) {
  const Allocated made = add_alloc(graph, 4000);
  Exec exec(graph);
  Stream stream;
  ASK_CASE("set before the launch", cudaErrorInvalidValue, cudaMemset(made.address, 1, 4000));
  (void)cudaGetLastError();
  MUST(cudaGraphLaunch(exec, stream));
  ASK(cudaSuccess, cudaMemsetAsync(made.address, 3, 4000, stream));
  unsigned char value = 0;
  ASK(cudaSuccess, cudaMemcpyAsync(&value, made.address + 3999, 1, cudaMemcpyDefault, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(3, int{value});
  ASK_CASE("copy past the end", cudaErrorInvalidValue, cudaMemcpy(made.address, &value, 4001 + 512, cudaMemcpyDefault));
  (void)cudaGetLastError();
  MUST(cudaFreeAsync(made.address, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK_CASE("set after the free", cudaErrorInvalidValue, cudaMemset(made.address, 1, 4000));
}

TEST_F(StickyGraphMemory, MoreThanThereIs) {
  size_t free_bytes = 0, total = 0;
  MUST(cudaMemGetInfo(&free_bytes, &total));
  cudaMemAllocNodeParams params = alloc_params(total + 1024 * MiB);
  cudaGraphNode_t node = nullptr;
  const cudaError_t added = cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params);
  ASK_CASE("adding", cudaSuccess, added);
  if (added != cudaSuccess) return;
  cudaGraphExec_t exec = nullptr;
  const cudaError_t made = cudaGraphInstantiate(&exec, graph, 0);
  ASK_CASE("instantiating", cudaSuccess, made);
  if (made != cudaSuccess) return;
  ASK_CASE("launching", cudaErrorMemoryAllocation, cudaGraphLaunch(exec, nullptr));
  (void)cudaGraphExecDestroy(exec);
}

TEST_F(GraphMemory, OfAnExecutableGraphNothingChanges) {
  const Allocated made = add_alloc(graph, 4000);
  const cudaGraphNode_t release = add_free(graph, made.address, {made.node});
  Exec exec(graph);
  ASK_CASE("disabling an allocation", cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, made.node, 0));
  ASK_CASE("disabling a free", cudaErrorInvalidValue, cudaGraphNodeSetEnabled(exec, release, 0));
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeMemAlloc;
  params.alloc.poolProps = pool_props();
  params.alloc.bytesize = 4000;
  ASK_CASE("parameters of an allocation", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, made.node, &params));
  cudaGraphNodeParams free_params{};
  free_params.type = cudaGraphNodeTypeMemFree;
  free_params.free.dptr = made.address;
  ASK_CASE("parameters of a free", cudaErrorNotSupported, cudaGraphExecNodeSetParams(exec, release, &free_params));
}

TEST_F(GraphMemory, AutoFreeFreesWhatAnEarlierExecLeft) {
  const Allocated made = add_alloc(graph, 4000);
  Stream stream;
  {
    Exec first(graph);
    MUST(cudaGraphLaunch(first, stream));
    MUST(cudaStreamSynchronize(stream));
  }
  Exec second(graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  ASK(cudaSuccess, cudaGraphLaunch(second, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaFree(made.address));
}

TEST_F(GraphMemory, AFreeElsewhereRulesOutOneInItsOwnGraphForEver) {
  const Allocated made = add_alloc(graph, 4000);
  {
    Graph other;
    add_free(other, made.address, {});
  }
  cudaGraphNode_t node = nullptr;
  ASK(cudaErrorInvalidValue, cudaGraphAddMemFreeNode(&node, graph, &made.node, 1, made.address));
}

TEST_F(GraphMemory, CountsInPointerAttributesWhileItLives) {
  const Allocated made = add_alloc(graph, 4000);
  Exec exec(graph);
  Stream stream;
  MUST(cudaGraphLaunch(exec, stream));
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, made.address + 100));
  ASK_VALUE(cudaMemoryTypeDevice, attributes.type);
  ASK_VALUE(0, attributes.device);
  MUST(cudaStreamSynchronize(stream));
  MUST(cudaFree(made.address));
  MUST(cudaPointerGetAttributes(&attributes, made.address + 100));
  FACT("type after the free", static_cast<int>(attributes.type));
}

TEST_F(GraphMemory, IsNotForGraphsThatDeviceCodeLaunches) {
  const Allocated made = add_alloc(graph, 4000);
  add_free(graph, made.address, {made.node});
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams params{};
  params.flags = cudaGraphInstantiateFlagDeviceLaunch;
  ASK(cudaErrorInvalidValue, cudaGraphInstantiateWithParams(&exec, graph, &params));
  ASK_VALUE(cudaGraphInstantiateNodeOperationNotSupported, params.result_out);
}

TEST_F(GraphMemory, CallsWithItsAddressWhileItLives) {
  const Allocated made = add_alloc(graph, 8192);
  Exec exec(graph);
  Stream stream;
  MUST(cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
  cudaIpcMemHandle_t handle{};
  cudaMemPoolPtrExportData data{};
  ASK(cudaErrorInvalidValue, cudaFreeAsync(made.address + 512, stream));
  ASK(cudaErrorInvalidValue, cudaFree(made.address + 512));
  ASK(cudaErrorInvalidValue, cudaFreeHost(made.address));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, made.address));
  ASK(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, made.address));
  ASK(cudaErrorInvalidValue, cudaHostUnregister(made.address));
  ASK(cudaErrorInvalidValue, cudaMemAdvise(made.address, 4096, cudaMemAdviseSetReadMostly, device_location()));
  ASK(cudaErrorInvalidValue, cudaMemPrefetchAsync(made.address, 4096, device_location(), 0, stream));
  (void)cudaGetLastError();
  ASK(cudaSuccess, cudaMemset(made.address, 1, 8192));
  ASK(cudaErrorInvalidValue, cudaMemset(made.address, 1, 128 * MiB));
  (void)cudaGetLastError();
  ASK(cudaSuccess, cudaFreeAsync(made.address, stream));
  MUST(cudaStreamSynchronize(stream));
  ASK(cudaErrorInvalidValue, cudaMemset(made.address, 1, 8192));
  (void)cudaGetLastError();
}

TEST_F(GraphMemory, FreedInAnotherStreamThanItWasMadeIn) {
  const Allocated made = add_alloc(graph, 8192);
  Exec exec(graph);
  Stream first(cudaStreamNonBlocking), second(cudaStreamNonBlocking);
  for (int i = 0; i < 3; ++i) {
    ASK(cudaSuccess, cudaGraphLaunch(exec, first));
    MUST(cudaStreamSynchronize(first));
    ASK(cudaSuccess, cudaFreeAsync(made.address, second));
    ASK(cudaErrorInvalidValue, cudaFreeAsync(made.address, first));
  }
  MUST(cudaStreamSynchronize(second));
}

TEST_F(StickyGraphMemory, DeviceReset) {
  {
    const Allocated made = add_alloc(graph, 8192);
    cudaGraphExec_t exec = nullptr;
    MUST(cudaGraphInstantiate(&exec, graph, 0));
    MUST(cudaGraphLaunch(exec, nullptr));
    MUST(cudaDeviceSynchronize());
    ASK_VALUE(32 * MiB, graph_used());
    ASK(cudaSuccess, cudaDeviceReset());
    FACT("used after the reset", graph_used());  // the H200 counts on
    (void)made;
  }
  cudaGraph_t fresh = nullptr;
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphCreate(&fresh, 0));
  const Allocated made = add_alloc(fresh, 8192);
  add_free(fresh, made.address, {made.node});
  MUST(cudaGraphInstantiate(&exec, fresh, 0));
  ASK(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
}
