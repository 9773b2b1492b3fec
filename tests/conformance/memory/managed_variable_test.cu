// Variables that host and device share.
#include "support.h"

__managed__ int shared_number = 5;
__managed__ float shared_array[4];

__global__ void double_it() { shared_number *= 2; }

using ManagedVariable = Runtime;

TEST_F(ManagedVariable, IsReadAndWrittenOnBothSides) {
  shared_number = 6;
  double_it<<<1, 1>>>();
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(12, shared_number);
  shared_number = 5;
}

TEST_F(ManagedVariable, StartsWithItsInitialiser) { ASK_VALUE(5, shared_number); }

TEST_F(ManagedVariable, IsASymbolToo) {
  void* address = nullptr;
  size_t size = 0;
  ASK(cudaSuccess, cudaGetSymbolAddress(&address, shared_array));
  ASK_VALUE(true, address == static_cast<void*>(shared_array));
  ASK(cudaSuccess, cudaGetSymbolSize(&size, shared_array));
  ASK_VALUE(16u, size);
  cudaPointerAttributes attributes{};
  MUST(cudaPointerGetAttributes(&attributes, address));
  ASK_VALUE(cudaMemoryTypeManaged, attributes.type);
}
