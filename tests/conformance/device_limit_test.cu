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
  // 64 KiB for each multiprocessor of a GPU.
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
