// Pools of a device: the H200's answers, for when there are pools here.
#include "../support.h"

using MemoryPools = Runtime;

TEST_F(MemoryPools, AreThere) {
  int supported = 0;
  MUST(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  ASK_VALUE(1, supported);
}

TEST_F(MemoryPools, WrongOrdinals) {
  cudaMemPool_t pool = nullptr;
  ASK(cudaErrorInvalidDevice, cudaDeviceGetDefaultMemPool(&pool, 4096));
  ASK(cudaErrorInvalidValue, cudaDeviceGetMemPool(&pool, -1));
}
