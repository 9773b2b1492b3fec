// Reserved and used graph memory, and physical memory shared by graphs.
#include "graph/memory/memory_support.h"

namespace {

// Checks used and reserved memory at each step, for an allocation of a given size.
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

// Launches eight graphs of 64 MiB, each in stream_of(i); returns the memory that they reserve together.
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

}  // namespace

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
