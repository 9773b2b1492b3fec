// Graph memory at work: data, launches again, freeing elsewhere, the figures, physical memory shared by graphs.
#include "pool/pool_support.h"

class GraphMemory : public Graphs {
 protected:
  void SetUp() override {
    Graphs::SetUp();
    MUST(cudaDeviceSynchronize());
    MUST(cudaDeviceGraphMemTrim(0));
    start_used = graph_used();
    start_reserved = graph_reserved();
  }
  unsigned long long start_used = 0, start_reserved = 0;
};

static __global__ void fill(int* cells, int count, int value) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) cells[i] = value + i;
}
static __global__ void sum(const int* cells, int count, int* out) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += cells[i];
  *out = total;
}

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

TEST_F(GraphMemory, LaunchAgainAfterAFreeThatIsNotDone) {
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

TEST_F(GraphMemory, FiguresOfAttributes) {
  unsigned long long value = 0;
  ASK(cudaErrorInvalidValue, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, nullptr));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetGraphMemAttribute(4096, cudaGraphMemAttrUsedMemCurrent, &value));
  ASK(cudaErrorInvalidDevice, cudaDeviceGetGraphMemAttribute(-1, cudaGraphMemAttrUsedMemCurrent, &value));
  ASK(cudaErrorInvalidValue, cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(4), &value));
  ASK(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &value));
  ASK(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &value));
  ASK(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, nullptr));
  ASK(cudaErrorInvalidDevice, cudaDeviceSetGraphMemAttribute(4096, cudaGraphMemAttrUsedMemHigh, &value));
  ASK(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  ASK(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &value));
  value = 1;
  ASK(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &value));
  ASK(cudaErrorInvalidValue, cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &value));
  ASK(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(4096));
  ASK(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(-1));
  ASK(cudaSuccess, cudaDeviceGraphMemTrim(0));
}

// Used and reserved at each step, for an allocation of a given size.
static void figures(size_t bytes, unsigned long long base_used, unsigned long long base_reserved, size_t expected_used,
                    size_t expected_reserved) {
  const std::string size = std::to_string(bytes) + ": ";
  auto tell = [&](const char* when, size_t used_now, size_t reserved_now) {
    ASK_FACT(size + "used " + when, used_now, graph_used() - base_used);
    ASK_FACT(size + "reserved " + when, reserved_now, graph_reserved() - base_reserved);
  };
  Graph graph;
  const Allocated made = add_alloc(graph, bytes);
  tell("after adding", 0, 0);
  {
    Exec exec(graph);
    Stream stream;
    tell("after instantiating", 0, 0);
    MUST(cudaGraphUpload(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    tell("after uploading", expected_used, expected_reserved);
    MUST(cudaGraphLaunch(exec, stream));
    tell("after launching", expected_used, expected_reserved);
    MUST(cudaStreamSynchronize(stream));
    tell("after waiting", expected_used, expected_reserved);
    MUST(cudaFreeAsync(made.address, stream));
    tell("after freeing", expected_used, expected_reserved);
    MUST(cudaStreamSynchronize(stream));
    tell("after waiting for the free", expected_used, expected_reserved);
    MUST(cudaDeviceGraphMemTrim(0));
    tell("after trimming", 0, 0);
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
    tell("after launching again", expected_used, expected_reserved);
    MUST(cudaDeviceGraphMemTrim(0));
    tell("after trimming while it lives", expected_used, expected_reserved);
    MUST(cudaFree(made.address));
    tell("after cudaFree", expected_used, expected_reserved);
  }
  tell("after the exec is gone", expected_used, expected_reserved);
  MUST(cudaDeviceGraphMemTrim(0));
  tell("at the end", 0, 0);
}

TEST_F(GraphMemory, FiguresOfOneByte) { figures(1, start_used, start_reserved, 32 * MiB, 32 * MiB); }
TEST_F(GraphMemory, FiguresOfThreeMebibytes) { figures(3 * MiB, start_used, start_reserved, 32 * MiB, 32 * MiB); }
TEST_F(GraphMemory, FiguresOfThirtyThreeMebibytes) {
  figures(33 * MiB, start_used, start_reserved, 64 * MiB, 64 * MiB);
}

TEST_F(GraphMemory, FiguresOfMemoryThatIsFreedInside) {
  const Allocated a = add_alloc(graph, 3 * MiB);
  const auto free_a = add_free(graph, a.address, {a.node});
  const Allocated b = add_alloc(graph, 3 * MiB, {free_a});
  add_free(graph, b.address, {b.node});
  unsigned long long zero = 0;
  MUST(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  MUST(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrReservedMemHigh, &zero));
  {
    Exec exec(graph);
    Stream stream;
    MUST(cudaGraphLaunch(exec, stream));
    ASK_FACT("used after launching", 32 * MiB, graph_used() - start_used);
    ASK_FACT("reserved after launching", 32 * MiB, graph_reserved() - start_reserved);
    MUST(cudaStreamSynchronize(stream));
    ASK_FACT("used after waiting", 32 * MiB, graph_used() - start_used);
    FACT("used high", graph_value(cudaGraphMemAttrUsedMemHigh));
    FACT("reserved high", graph_value(cudaGraphMemAttrReservedMemHigh));
    MUST(cudaDeviceGraphMemTrim(0));
    ASK_FACT("used after trimming", 0, graph_used() - start_used);
    ASK_FACT("reserved after trimming", 0, graph_reserved() - start_reserved);
  }
  ASK_FACT("used at the end", 0, graph_used() - start_used);
}

// Eight graphs of 64 MiB each, launched as told by `stream_of`; what they reserve together.
template <typename StreamOf>
static unsigned long long reserved_by_eight(StreamOf stream_of, bool wait_between) {
  const auto before = graph_reserved(), used_before = graph_used();
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<std::unique_ptr<Exec>> execs;
  for (int i = 0; i < 8; ++i) {
    graphs.push_back(std::make_unique<Graph>());
    const Allocated made = add_alloc(*graphs[i], 64 * MiB);
    const auto set = graphs[i]->set(made.address, i, 64 * MiB, {made.node});
    add_free(*graphs[i], made.address, {set});
    execs.push_back(std::make_unique<Exec>(*graphs[i]));
  }
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(cudaSuccess, cudaGraphLaunch(*execs[i], stream_of(i)));
      if (wait_between) EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    }
  }
  EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  FACT("used by eight graphs", graph_used() - used_before);
  return graph_reserved() - before;
}

TEST_F(GraphMemory, PagesAreSharedByGraphsOfOneStream) {
  Stream stream(cudaStreamNonBlocking);
  ASK_FACT("reserved by eight in one stream", 64 * MiB,
           reserved_by_eight([&](int) -> cudaStream_t { return stream; }, false));
}

TEST_F(GraphMemory, PagesAreNotSharedAcrossStreams) {
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 8; ++i) streams.push_back(std::make_unique<Stream>(cudaStreamNonBlocking));
  Gate gate;
  for (auto& stream : streams) gate.close(*stream);
  const auto before = graph_reserved();
  std::vector<std::unique_ptr<Graph>> graphs;
  std::vector<std::unique_ptr<Exec>> execs;
  for (int i = 0; i < 8; ++i) {
    graphs.push_back(std::make_unique<Graph>());
    const Allocated made = add_alloc(*graphs[i], 64 * MiB);
    add_free(*graphs[i], made.address, {made.node});
    execs.push_back(std::make_unique<Exec>(*graphs[i]));
    MUST(cudaGraphLaunch(*execs[i], *streams[i]));
  }
  ASK_FACT("reserved by eight in eight streams", 8 * 64 * MiB, graph_reserved() - before);
  gate.open();
  MUST(cudaDeviceSynchronize());
}

TEST_F(GraphMemory, PagesOfGraphsThatAreDone) {
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 8; ++i) streams.push_back(std::make_unique<Stream>(cudaStreamNonBlocking));
  ASK_FACT("reserved by eight in eight streams, one after the other", 64 * MiB,
           reserved_by_eight([&](int i) -> cudaStream_t { return *streams[i]; }, true));
}

TEST_F(GraphMemory, PagesOfMemoryThatLivesAreNotShared) {
  Graph other;
  const Allocated a = add_alloc(graph, 4 * MiB), b = add_alloc(other, 4 * MiB);
  graph.set(a.address, 1, 4 * MiB, {a.node});
  other.set(b.address, 2, 4 * MiB, {b.node});
  Exec first(graph), second(other);
  Stream stream;
  MUST(cudaGraphLaunch(first, stream));
  MUST(cudaGraphLaunch(second, stream));
  MUST(cudaStreamSynchronize(stream));
  unsigned char of_a = 0, of_b = 0;
  MUST(cudaMemcpy(&of_a, a.address + 4 * MiB - 1, 1, cudaMemcpyDefault));
  MUST(cudaMemcpy(&of_b, b.address + 4 * MiB - 1, 1, cudaMemcpyDefault));
  ASK_VALUE(1, int{of_a});
  ASK_VALUE(2, int{of_b});
  MUST(cudaFreeAsync(a.address, stream));
  MUST(cudaFreeAsync(b.address, stream));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphMemory, ReadByNodesBesideIt) {
  // Two branches with memory of their own, joined at the end.
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

// Launches that found no memory leave the H200 short of it for the rest of the process.
using StickyGraphMemory = GraphMemory;

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

TEST_F(GraphMemory, CapturedAllocationsAreNodes) {
  Stream stream;
  cudaGraph_t captured = nullptr;
  void* address = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  ASK(cudaSuccess, cudaMallocAsync(&address, 4000, stream));
  ASK(cudaSuccess, cudaMemsetAsync(address, 1, 4000, stream));
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
  MUST(cudaStreamEndCapture(stream, &captured));
  Graph taken(captured);
  const Nodes nodes = nodes_of(taken);
  ASK_VALUE(3, nodes.size());
  if (nodes.size() != 3) return;
  cudaMemAllocNodeParams told{};
  ASK(cudaSuccess, cudaGraphMemAllocNodeGetParams(nodes[0], &told));
  ASK_VALUE(true, told.dptr == address);
  ASK_VALUE(4000, told.bytesize);
  FACT("access descriptors of a captured allocation", told.accessDescCount);
  void* freed = nullptr;
  ASK(cudaSuccess, cudaGraphMemFreeNodeGetParams(nodes[2], &freed));
  ASK_VALUE(true, freed == address);
  run(taken);
}

TEST_F(GraphMemory, CapturedFreesOfOtherMemory) {
  Stream stream;
  Pool pool;
  char* outside = take(pool, 1000, stream);
  MUST(cudaStreamSynchronize(stream));
  cudaGraph_t captured = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  ASK_CASE("free of pool memory while capturing", cudaErrorInvalidValue, cudaFreeAsync(outside, stream));
  FACT("end of that capture", static_cast<int>(cudaStreamEndCapture(stream, &captured)));
  (void)cudaGetLastError();
  if (captured) (void)cudaGraphDestroy(captured);
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  void* zero = &zero;
  ASK_CASE("nothing asked for while capturing", cudaSuccess, cudaMallocAsync(&zero, 0, stream));
  ASK_CASE("end of it", cudaSuccess, cudaStreamEndCapture(stream, &captured));
  if (captured) {
    ASK_VALUE(0, nodes_of(captured).size());
    (void)cudaGraphDestroy(captured);
  }
  (void)cudaGetLastError();
  MUST(cudaFreeAsync(outside, stream));
}

TEST_F(GraphMemory, CapturedFromAPool) {
  Stream stream;
  Pool pool;
  cudaGraph_t captured = nullptr;
  void* address = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  ASK(cudaSuccess, cudaMallocFromPoolAsync(&address, 4000, pool, stream));
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
  ASK_CASE("freed twice in the capture", cudaErrorInvalidValue, cudaFreeAsync(address, stream));
  (void)cudaGetLastError();
  ASK_CASE("the capture ends well", cudaSuccess, cudaStreamEndCapture(stream, &captured));
  if (!captured) return;
  Graph taken(captured);
  const Nodes nodes = nodes_of(taken);
  ASK_VALUE(2, nodes.size());
  cudaMemAllocNodeParams told{};
  MUST(cudaGraphMemAllocNodeGetParams(nodes[0], &told));
  ASK_VALUE(cudaMemAllocationTypePinned, told.poolProps.allocType);
  ASK_VALUE(cudaMemLocationTypeDevice, told.poolProps.location.type);
  ASK_VALUE(0, told.poolProps.location.id);
  ASK_FACT("used by the pool", 0, used(pool));
  run(taken);
  ASK_FACT("used by the pool after a launch", 0, used(pool));
}

TEST_F(GraphMemory, CapturedAcrossStreams) {
  Stream stream(cudaStreamNonBlocking), other(cudaStreamNonBlocking);
  Event forked, joined;
  cudaGraph_t captured = nullptr;
  void *a = nullptr, *b = nullptr, *c = nullptr;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  MUST(cudaMallocAsync(&a, 1 * MiB, stream));
  MUST(cudaEventRecord(forked, stream));
  MUST(cudaStreamWaitEvent(other, forked, 0));
  MUST(cudaMallocAsync(&b, 1 * MiB, other));
  MUST(cudaMemsetAsync(b, 2, 1 * MiB, other));
  MUST(cudaFreeAsync(b, other));
  MUST(cudaFreeAsync(a, stream));
  MUST(cudaMallocAsync(&c, 1 * MiB, stream));
  ASK_FACT("beside the first", false, a == b);
  ASK_FACT("after the first, beside the second", true, c == a);
  MUST(cudaEventRecord(joined, other));
  MUST(cudaStreamWaitEvent(stream, joined, 0));
  MUST(cudaFreeAsync(c, stream));
  MUST(cudaStreamEndCapture(stream, &captured));
  Graph taken(captured);
  run(taken);
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

TEST_F(GraphMemory, CapturedIntoAGraphThatIsThere) {
  Stream stream;
  const Allocated made = add_alloc(graph, 8192);
  MUST(cudaStreamBeginCaptureToGraph(stream, graph, &made.node, nullptr, 1, cudaStreamCaptureModeRelaxed));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMemsetAsync(made.address, 1, 8192, stream));
  ASK(cudaSuccess, cudaFreeAsync(made.address, stream));
  ASK(cudaSuccess, cudaMallocAsync(&address, 8192, stream));
  ASK_FACT("the place of what was freed is used again", true, address == made.address);
  ASK(cudaSuccess, cudaFreeAsync(address, stream));
  cudaGraph_t same = nullptr;
  ASK(cudaSuccess, cudaStreamEndCapture(stream, &same));
  ASK_VALUE(true, same == graph);
  ASK_VALUE(5, nodes_of(graph).size());
  Exec exec(graph);
  for (int i = 0; i < 3; ++i) ASK(cudaSuccess, cudaGraphLaunch(exec, stream));
  MUST(cudaStreamSynchronize(stream));
}

TEST_F(GraphMemory, OfAnInvalidatedCaptureIsNothing) {
  Stream stream(cudaStreamNonBlocking);
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  void* address = nullptr;
  ASK(cudaSuccess, cudaMallocAsync(&address, 8192, stream));
  ASK(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(stream));
  void* another = nullptr;
  ASK(cudaErrorStreamCaptureInvalidated, cudaMallocAsync(&another, 8192, stream));
  ASK(cudaErrorStreamCaptureInvalidated, cudaFreeAsync(address, stream));
  cudaGraph_t captured = nullptr;
  ASK(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(stream, &captured));
  (void)cudaGetLastError();
  ASK_VALUE(start_used, graph_used());
  ASK_VALUE(start_reserved, graph_reserved());
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
