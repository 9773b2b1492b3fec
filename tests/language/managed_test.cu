// Variables that the host and the device both use by name.
#include "device_array.h"

__managed__ int managed_total = 40;
__managed__ double managed_table[4];
__device__ __managed__ int managed_of_device = 11;
struct Settings {
  int steps;
  float scale[2];
  struct {
    int x, y;
  } origin;
};
__device__ __managed__ Settings managed_settings = {3, {0.5f, 2.0f}, {7, 8}};
struct Node {
  Node* next;
  int value;
};
__managed__ Node* managed_list;

namespace {

__global__ void add_to_managed(int amount) {
  atomicAdd(&managed_total, amount);
  if (threadIdx.x < 4) managed_table[threadIdx.x] = managed_table[threadIdx.x] * 2 + threadIdx.x;
}

TEST(Managed, VariablesAreSharedWithTheHost) {
  EXPECT_EQ(managed_total, 40);
  managed_table[2] = 10;
  add_to_managed<<<1, 32>>>(2);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(managed_total, 104);
  EXPECT_EQ(managed_table[2], 22);
  managed_total = 1;
  add_to_managed<<<1, 1>>>(1);
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(managed_total, 2);
}

__global__ void sum_list(int* out) {
  int sum = 0;
  for (const Node* node = managed_list; node != nullptr; node = node->next) sum += node->value;
  *out = sum;
}

TEST(Managed, PointersInManagedMemoryMeanTheSameOnBothSides) {
  managed_list = nullptr;
  for (int i = 1; i <= 5; ++i) {
    Node* node = nullptr;
    ASSERT_CUDA(cudaMallocManaged(&node, sizeof(Node)));
    *node = Node{managed_list, i * i};
    managed_list = node;
  }
  DeviceArray<int> out(1);
  sum_list<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 55);
  for (Node *node = managed_list, *next; node != nullptr; node = next) {
    next = node->next;
    EXPECT_CUDA(cudaFree(node));
  }
}

__global__ void change_settings() {
  atomicAdd(&managed_of_device, managed_settings.steps);
  if (threadIdx.x == 0) managed_settings.origin.x += 100;
}

TEST(Managed, VariablesHaveTheirFirstValues) {
  EXPECT_EQ(managed_of_device, 11);
  EXPECT_EQ(managed_settings.scale[1], 2.0f);
  managed_settings.steps += 1;
  change_settings<<<1, 5>>>();
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(managed_of_device, 31);
  EXPECT_EQ(managed_settings.origin.x, 107);
  EXPECT_EQ(managed_settings.origin.y, 8);
}

}  // namespace
