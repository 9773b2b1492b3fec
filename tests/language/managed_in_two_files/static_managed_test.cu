// Managed variables that are static, or in an unnamed namespace: each file has its own of that name.
#include "../device_array.h"
#include "other.h"

static __managed__ int counter = 1;
namespace {
__managed__ int hidden[2] = {3, 4};
}

static __global__ void count_up(int amount) {
  counter += amount;
  hidden[1] += amount;
}

TEST(StaticManaged, EachFileHasItsOwn) {
  count_up<<<1, 1>>>(10);
  OtherFile::count(100);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(counter, 11);
  EXPECT_EQ(hidden[0], 3);
  EXPECT_EQ(hidden[1], 14);
  EXPECT_EQ(OtherFile::counter(), 1100);
  EXPECT_EQ(OtherFile::second_hidden(), 106);
}

TEST(StaticManaged, IsManagedMemory) {
  cudaPointerAttributes attributes = {};
  ASSERT_CUDA(cudaPointerGetAttributes(&attributes, &counter));
  EXPECT_EQ(attributes.type, cudaMemoryTypeManaged);
  int value = 0;
  ASSERT_CUDA(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT_EQ(value, counter);
}
