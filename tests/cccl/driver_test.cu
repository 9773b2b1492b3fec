// CUB's launcher for kernels of the driver API, which programs use that hold kernels as CUkernel.
#include <cuda.h>
#include <gtest/gtest.h>

#include <cub/detail/launcher/cuda_driver.cuh>

namespace {

__global__ void scale(int* values, int count, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] *= factor;
}

CUkernel kernel_of(const void* symbol) {
  cudaKernel_t kernel = nullptr;
  EXPECT_EQ(cudaGetKernel(&kernel, symbol), cudaSuccess);
  return reinterpret_cast<CUkernel>(kernel);
}

}  // namespace

TEST(CubDriverLauncher, LaunchesAndAsksAboutKernels) {
  constexpr int count = 1000;
  const CUkernel kernel = kernel_of(reinterpret_cast<const void*>(scale));
  const cub::detail::CudaDriverLauncherFactory factory{0, 90};
  int processors = 0, blocks = 0, widest = 0, version = 0;
  EXPECT_EQ(factory.MultiProcessorCount(processors), cudaSuccess);
  EXPECT_GT(processors, 0);
  EXPECT_EQ(factory.MaxSmOccupancy(blocks, kernel, 256), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  EXPECT_EQ(factory.MaxGridDimX(widest), cudaSuccess);
  EXPECT_EQ(widest, 2147483647);
  EXPECT_EQ(factory.PtxVersion(version), cudaSuccess);

  int* values = nullptr;
  ASSERT_EQ(cudaMallocManaged(&values, count * sizeof *values), cudaSuccess);
  for (int i = 0; i < count; ++i) values[i] = i;
  EXPECT_EQ(factory(dim3(4), dim3(256), 0, nullptr).doit(kernel, values, count, 3), cudaSuccess);
  EXPECT_EQ(factory(dim3(4), dim3(256), 0, nullptr, true).doit(kernel, values, count, 2), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (int i = 0; i < count; ++i) ASSERT_EQ(values[i], 6 * i);
  EXPECT_NE(factory(dim3(4), dim3(256), 0, nullptr).doit(nullptr, values, count, 3), cudaSuccess);
  EXPECT_EQ(cudaFree(values), cudaSuccess);
}
