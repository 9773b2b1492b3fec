// Limits, cache preferences and reset.
#include "support.h"

using DeviceLimits = Runtime;

static const cudaLimit limits[] = {cudaLimitStackSize,
                                   cudaLimitPrintfFifoSize,
                                   cudaLimitMallocHeapSize,
                                   cudaLimitDevRuntimePendingLaunchCount,
                                   cudaLimitMaxL2FetchGranularity,
                                   cudaLimitPersistingL2CacheSize};

TEST_F(DeviceLimits, CanBeRead) {
  for (cudaLimit limit : limits) {
    size_t value = 0;
    ASK(cudaSuccess, cudaDeviceGetLimit(&value, limit));
  }
}

TEST_F(DeviceLimits, HaveTheseDefaults) {
  size_t stack = 0, fifo = 0, heap = 0, pending = 0;
  MUST(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  MUST(cudaDeviceGetLimit(&fifo, cudaLimitPrintfFifoSize));
  MUST(cudaDeviceGetLimit(&heap, cudaLimitMallocHeapSize));
  MUST(cudaDeviceGetLimit(&pending, cudaLimitDevRuntimePendingLaunchCount));
  ASK_VALUE(1024u, stack);
  ASK_VALUE(8388608u, heap);
  ASK_VALUE(2048u, pending);
  // A GPU needs 64 KiB per multiprocessor.
  EXPECT_GE(fifo, 1u << 20);
}

TEST_F(DeviceLimits, KeepWhatTheyAreSetTo) {
  ASK(cudaSuccess, cudaDeviceSetLimit(cudaLimitStackSize, 4096));
  size_t value = 0;
  ASK(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  ASK_VALUE(4096u, value);
  ASK(cudaSuccess, cudaDeviceSetLimit(cudaLimitStackSize, 1000));
  ASK(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  ASK_VALUE(1008u, value);
  ASK(cudaSuccess, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16u << 20));
  ASK(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize));
  ASK_VALUE(16u << 20, value);
  ASK(cudaSuccess, cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 64));
  ASK(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitMaxL2FetchGranularity));
  ASK_VALUE(64u, value);
  MUST(cudaDeviceSetLimit(cudaLimitStackSize, 1024));
}

TEST_F(DeviceLimits, WrongOnes) {
  size_t value = 0;
  ASK(cudaErrorInvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  ASK(cudaErrorUnsupportedLimit, cudaDeviceGetLimit(&value, cudaLimitDevRuntimeSyncDepth));
  ASK(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
  ASK(cudaErrorInvalidValue, cudaDeviceGetLimit(&value, static_cast<cudaLimit>(-1)));
  ASK(cudaErrorInvalidValue, cudaDeviceGetLimit(&value, static_cast<cudaLimit>(1000)));
  ASK(cudaErrorInvalidValue, cudaDeviceSetLimit(static_cast<cudaLimit>(1000), 1));
  ASK(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, size_t{1} << 40));
  ASK(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 1000));
}

TEST_F(DeviceLimits, CachePreferencesAreKept) {
  cudaFuncCache config = cudaFuncCachePreferL1;
  ASK(cudaSuccess, cudaDeviceGetCacheConfig(&config));
  ASK_VALUE(cudaFuncCachePreferNone, config);
  ASK(cudaSuccess, cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  MUST(cudaDeviceGetCacheConfig(&config));
  ASK_VALUE(cudaFuncCachePreferShared, config);
  ASK(cudaErrorInvalidValue, cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(17)));
  ASK(cudaErrorInvalidValue, cudaDeviceGetCacheConfig(nullptr));
  MUST(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  ASK(cudaSuccess, cudaCtxResetPersistingL2Cache());
}

TEST_F(DeviceLimits, StreamPrioritiesRunFromZeroDownwards) {
  int least = 99, greatest = 99;
  ASK(cudaSuccess, cudaDeviceGetStreamPriorityRange(&least, &greatest));
  ASK_VALUE(0, least);
  ASK_VALUE(-5, greatest);
  ASK(cudaSuccess, cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  ASK(cudaSuccess, cudaDeviceGetStreamPriorityRange(&least, nullptr));
}

using DeviceReset = Runtime;

TEST_F(DeviceReset, FreesTheMemory) {
  void* pointer = nullptr;
  MUST(cudaMalloc(&pointer, 1024));
  ASK(cudaSuccess, cudaDeviceReset());
  cudaPointerAttributes attributes{};
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, pointer));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes.type);
  ASK(cudaErrorInvalidValue, cudaFree(pointer));
  ASK(cudaErrorInvalidValue, cudaMemset(pointer, 0, 4));
}

TEST_F(DeviceReset, RestoresTheLimits) {
  MUST(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
  MUST(cudaDeviceReset());
  size_t value = 0;
  ASK(cudaSuccess, cudaDeviceGetLimit(&value, cudaLimitStackSize));
  ASK_VALUE(1024u, value);
}

TEST_F(DeviceReset, LeavesTheDeviceUsable) {
  MUST(cudaDeviceReset());
  MUST(cudaDeviceReset());
  DeviceArray<int> cell(1);
  store<<<1, 1>>>(cell.get(), 7);
  ASK_VALUE(7, cell.read()[0]);
}

__device__ int initialised_variable = 41;

TEST_F(DeviceReset, RestoresDeviceVariables) {
  const int changed = 5;
  MUST(cudaMemcpyToSymbol(initialised_variable, &changed, sizeof(int)));
  MUST(cudaDeviceReset());
  int value = 0;
  ASK(cudaSuccess, cudaMemcpyFromSymbol(&value, initialised_variable, sizeof(int)));
  ASK_VALUE(41, value);
}

TEST_F(DeviceReset, KeepsTheLastError) {
  (void)cudaSetDevice(-1);
  MUST(cudaDeviceReset());
  ASK(cudaErrorInvalidDevice, cudaGetLastError());
}

TEST_F(DeviceReset, FreesPinnedMemoryToo) {
  PinnedArray<int> seen(1);
  store<<<1, 1>>>(seen.get(), 3);
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(3, seen[0]);
  ASK(cudaSuccess, cudaDeviceReset());
  cudaPointerAttributes attributes{};
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, seen.get()));
  ASK_VALUE(cudaMemoryTypeUnregistered, attributes.type);
}

using HazardDeviceReset = Runtime;

TEST_F(HazardDeviceReset, DestroysStreamsAndEvents) {
  UNDEFINED_ON_NVIDIA("use of a stream after its device was reset crashes");
  Stream stream;
  Event event;
  MUST(cudaDeviceReset());
  ASK(cudaErrorContextIsDestroyed, cudaStreamQuery(stream));
  ASK(cudaErrorContextIsDestroyed, cudaEventQuery(event));
}

// ---- objects from before a reset, used after it: one process per question, because NVIDIA's runtime often crashes
// ------

using HazardAfterReset = Runtime;
using AfterReset = Runtime;

static __global__ void nothing() {}

// An executable graph with one kind of node.
struct OldGraph {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  OldGraph() { EXPECT_EQ(cudaSuccess, cudaGraphCreate(&graph, 0)); }
  void instantiate() { EXPECT_EQ(cudaSuccess, cudaGraphInstantiate(&exec, graph, 0)); }
};

static OldGraph kernel_graph(void* function = reinterpret_cast<void*>(nothing), void** arguments = nullptr) {
  OldGraph old;
  cudaKernelNodeParams parameters{};
  parameters.func = function;
  parameters.gridDim = parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node = nullptr;
  EXPECT_EQ(cudaSuccess, cudaGraphAddKernelNode(&node, old.graph, nullptr, 0, &parameters));
  old.instantiate();
  return old;
}

TEST_F(HazardAfterReset, AnOldExecutableGraphOfAKernel) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  const OldGraph old = kernel_graph();
  MUST(cudaGraphLaunch(old.exec, nullptr));
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK(cudaSuccess, cudaGraphUpload(old.exec, nullptr));
  ASK(cudaSuccess, cudaGraphExecDestroy(old.exec));
  ASK(cudaSuccess, cudaGraphDestroy(old.graph));
}

TEST_F(HazardAfterReset, AnOldExecutableGraphOfAHostFunction) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  static std::atomic<int> calls{0};
  OldGraph old;
  cudaHostNodeParams parameters{[](void*) { ++calls; }, nullptr};
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddHostNode(&node, old.graph, nullptr, 0, &parameters));
  old.instantiate();
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK_VALUE(1, calls.load());
}

TEST_F(HazardAfterReset, AnOldExecutableGraphOfAnEvent) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  Event event;
  OldGraph old;
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddEventRecordNode(&node, old.graph, nullptr, 0, event));
  MUST(cudaGraphAddEventWaitNode(&node, old.graph, nullptr, 0, event));
  old.instantiate();
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
}

TEST_F(HazardAfterReset, AnOldExecutableGraphWithMemoryOfItsOwn) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  OldGraph old;
  cudaMemAllocNodeParams parameters{};
  parameters.poolProps.allocType = cudaMemAllocationTypePinned;
  parameters.poolProps.location = {cudaMemLocationTypeDevice, 0};
  parameters.bytesize = 100'000;
  cudaGraphNode_t allocated = nullptr, set = nullptr, freed = nullptr;
  MUST(cudaGraphAddMemAllocNode(&allocated, old.graph, nullptr, 0, &parameters));
  cudaMemsetParams zeros{};
  zeros.dst = parameters.dptr;
  zeros.elementSize = 1;
  zeros.width = 100'000;
  zeros.height = 1;
  MUST(cudaGraphAddMemsetNode(&set, old.graph, &allocated, 1, &zeros));
  MUST(cudaGraphAddMemFreeNode(&freed, old.graph, &set, 1, parameters.dptr));
  old.instantiate();
  MUST(cudaGraphLaunch(old.exec, nullptr));
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK(cudaSuccess, cudaGraphExecDestroy(old.exec));
  ASK(cudaSuccess, cudaGraphDestroy(old.graph));
}

TEST_F(HazardAfterReset, AnOldGraph) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  const OldGraph old = kernel_graph();
  MUST(cudaDeviceReset());
  cudaGraphNode_t node = nullptr;
  ASK(cudaSuccess, cudaGraphAddEmptyNode(&node, old.graph, nullptr, 0));
  size_t count = 0;
  ASK(cudaSuccess, cudaGraphGetNodes(old.graph, nullptr, &count));
  ASK_VALUE(2u, count);
  cudaGraph_t clone = nullptr;
  ASK(cudaSuccess, cudaGraphClone(&clone, old.graph));
  cudaGraphExec_t exec = nullptr;
  ASK(cudaSuccess, cudaGraphInstantiate(&exec, old.graph, 0));
  ASK(cudaSuccess, cudaGraphLaunch(exec, nullptr));
  ASK(cudaSuccess, cudaDeviceSynchronize());
  ASK(cudaSuccess, cudaGraphDestroy(old.graph));
}

TEST_F(HazardAfterReset, AnOldStream) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  Stream stream;
  Event event;
  MUST(cudaDeviceReset());
  nothing<<<1, 1, 0, stream>>>();
  ASK(cudaErrorContextIsDestroyed, cudaGetLastError());
  ASK(cudaErrorContextIsDestroyed, cudaStreamSynchronize(stream));
  ASK(cudaErrorContextIsDestroyed, cudaEventRecord(event, stream));
  ASK(cudaErrorContextIsDestroyed, cudaStreamDestroy(stream));
}

TEST_F(HazardAfterReset, AnOldEvent) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  Event event;
  MUST(cudaEventRecord(event));
  MUST(cudaDeviceReset());
  ASK(cudaErrorContextIsDestroyed, cudaEventRecord(event));
  ASK(cudaErrorContextIsDestroyed, cudaStreamWaitEvent(nullptr, event, 0));
  ASK(cudaErrorContextIsDestroyed, cudaEventSynchronize(event));
  ASK(cudaErrorContextIsDestroyed, cudaEventDestroy(event));
}

// Pools are not part of the state that a reset destroys: they and their memory stay.
TEST_F(AfterReset, AnOldPool) {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool = nullptr;
  MUST(cudaMemPoolCreate(&pool, &properties));
  void *memory = nullptr, *more = nullptr;
  MUST(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr));
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaFreeAsync(memory, nullptr));
  ASK(cudaSuccess, cudaMallocFromPoolAsync(&more, 1000, pool, nullptr));
  ASK(cudaSuccess, cudaMemPoolTrimTo(pool, 0));
  ASK(cudaSuccess, cudaMemPoolDestroy(pool));
}

TEST_F(AfterReset, TheDefaultPoolAsItWasBefore) {
  cudaMemPool_t pool = nullptr, now = nullptr;
  MUST(cudaDeviceGetDefaultMemPool(&pool, 0));
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaDeviceGetDefaultMemPool(&now, 0));
  ASK_VALUE(true, now == pool);
  ASK(cudaSuccess, cudaDeviceGetMemPool(&now, 0));
  ASK_VALUE(true, now == pool);
  void* memory = nullptr;
  ASK(cudaSuccess, cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr));
  ASK(cudaSuccess, cudaFreeAsync(memory, nullptr));
}

TEST_F(AfterReset, ACaptureThatWasUnderWay) {
  UNDEFINED_ON_NVIDIA("the same error in a process of its own, cudaErrorDeviceUninitialized after other tests");
  Stream stream;
  MUST(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  nothing<<<1, 1, 0, stream>>>();
  (void)cudaDeviceReset();
  cudaGraph_t graph = nullptr;
  ASK(cudaErrorContextIsDestroyed, cudaStreamEndCapture(stream, &graph));
}

// The memory was freed: a kernel or a copy that accesses it faults.
using StickyAfterReset = testing::Test;

TEST_F(StickyAfterReset, AnOldExecutableGraphThatStoresToMemoryOfBefore) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  int* cell = nullptr;
  MUST(cudaMalloc(&cell, sizeof(int)));
  int value = 5;
  void* arguments[] = {&cell, &value};
  const OldGraph old = kernel_graph(reinterpret_cast<void*>(store), arguments);
  MUST(cudaGraphLaunch(old.exec, nullptr));
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST_F(StickyAfterReset, AnOldExecutableGraphThatCopiesFromMemoryOfBefore) {
  UNDEFINED_ON_NVIDIA("use of what was made before the device was reset crashes");
  int* cells = nullptr;
  MUST(cudaMalloc(&cells, 100 * sizeof(int)));
  OldGraph old;
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddMemcpyNode1D(&node, old.graph, nullptr, 0, cells, cells + 50, 40, cudaMemcpyDeviceToDevice));
  cudaMemsetParams zeros{};
  zeros.dst = cells;
  zeros.elementSize = 4;
  zeros.width = 100;
  zeros.height = 1;
  MUST(cudaGraphAddMemsetNode(&node, old.graph, &node, 1, &zeros));
  old.instantiate();
  MUST(cudaDeviceReset());
  ASK(cudaSuccess, cudaGraphLaunch(old.exec, nullptr));
  ASK(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}
