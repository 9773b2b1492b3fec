// Captured allocations and frees.
#include "graph/memory/memory_support.h"

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
