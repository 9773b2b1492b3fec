// Several files compiled separately (-rdc=true) that use each other's device functions and variables.
#include "../device_array.h"
#include "shapes.h"

namespace {

__global__ void use_other_file(const Shape* shapes, float* areas, int* factorials, float* transformed) {
  const int i = static_cast<int>(threadIdx.x);
  areas[i] = area(shapes[i]);
  factorials[i] = factorial(i + 1);
  transformed[i] = transform_of(i % 2)(static_cast<float>(i) + 0.5f);
  atomicAdd(&shared_total, areas[i]);
}

TEST(SeparateCompilation, FunctionsOfAnotherFile) {
  const std::vector<Shape> shapes = {{3, 2}, {4, 3}, {1, 10}, {7, 1}};
  DeviceArray<Shape> device(shapes);
  DeviceArray<float> areas(4), transformed(4);
  DeviceArray<int> factorials(4);
  use_other_file<<<1, 4>>>(device, areas, factorials, transformed);
  EXPECT_EQ(areas.host(), (std::vector<float>{2, 36, 100, 7}));
  EXPECT_EQ(factorials.host(), (std::vector<int>{1, 2, 6, 24}));
  EXPECT_EQ(transformed.host(), (std::vector<float>{1, 2.25f, 5, 12.25f}));
  float total = 0;
  ASSERT_CUDA(cudaMemcpyFromSymbol(&total, shared_total, sizeof total));
  EXPECT_EQ(total, 245);
}

}  // namespace

static __device__ int private_counter = 1;
static __global__ void private_kernel(int* out) { *out = private_counter++; }

namespace {

TEST(SeparateCompilation, PrivateNamesDoNotMeet) {
  DeviceArray<int> out(1);
  private_kernel<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 1);
  launch_from_other_file(out);
  EXPECT_EQ(out.host()[0], 1000);
  private_kernel<<<1, 1>>>(out);
  EXPECT_EQ(out.host()[0], 2);
}

__global__ void add_to_managed_of_another_file() {
  atomicAdd(&managed_by_both, 1);
  atomicAdd(&managed_plainly, 2);
}

TEST(SeparateCompilation, ManagedVariablesOfAnotherFile) {
  EXPECT_EQ(managed_by_both, 40);
  managed_plainly += 5;
  add_to_managed_of_another_file<<<1, 32>>>();
  ASSERT_CUDA(cudaDeviceSynchronize());
  EXPECT_EQ(managed_by_both, 72);
  EXPECT_EQ(managed_plainly, 119);
}

}  // namespace
