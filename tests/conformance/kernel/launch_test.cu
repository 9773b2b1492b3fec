// Launching kernels: the three calls, built-in variables, and every refused configuration.
#include "support.h"

__global__ void write_indices(int* out) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[block * (blockDim.x * blockDim.y * blockDim.z) + thread] = block * 1000 + thread;
}
__global__ void sum_through_shared(int* out) {
  extern __shared__ int cells[];
  cells[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    int sum = 0;
    for (unsigned i = 0; i < blockDim.x; ++i) sum += cells[i];
    out[blockIdx.x] = sum;
  }
}
__global__ void nothing() {}
__global__ void __launch_bounds__(64) at_most_64() {}
__global__ void static_shared_16k(int* out) {
  __shared__ int cells[4096];
  cells[threadIdx.x] = 1;
  __syncthreads();
  if (out) *out = cells[0];
}

using Launch = Runtime;

TEST_F(Launch, EveryThreadOfEveryBlockRunsOnce) {
  DeviceArray<int> out(2 * 3 * 2 * 24);
  write_indices<<<dim3(2, 3, 2), dim3(4, 3, 2)>>>(out.get());
  MUST(cudaGetLastError());
  const auto seen = out.read();
  for (int i = 0; i < 12 * 24; ++i) EXPECT_EQ(i / 24 * 1000 + i % 24, seen[i]) << i;
}

TEST_F(Launch, ByCallIsTheSame) {
  DeviceArray<int> out(8);
  int* pointer = out.get();
  void* arguments[] = {&pointer};
  ASK(cudaSuccess,
      cudaLaunchKernel(reinterpret_cast<const void*>(write_indices), dim3(2), dim3(4), arguments, 0, nullptr));
  ASK_VALUE(1003, out.read()[7]);
}

TEST_F(Launch, TypedCallIsTheSame) {
  DeviceArray<int> out(8);
  int* pointer = out.get();
  void* arguments[] = {&pointer};
  ASK(cudaSuccess, cudaLaunchKernel(write_indices, dim3(2), dim3(4), arguments, 0, nullptr));
  ASK_VALUE(1003, out.read()[7]);
}

TEST_F(Launch, CopiesItsArguments) {
  Gate gate;
  DeviceArray<int> cell(1);
  Stream stream;
  gate.close(stream);
  {
    int* pointer = cell.get();
    int value = 6;
    void* arguments[] = {&pointer, &value};
    MUST(cudaLaunchKernel(store, dim3(1), dim3(1), arguments, 0, stream));
    pointer = nullptr;
    value = 0;
  }
  gate.open();
  ASK_VALUE(6, cell.read()[0]);
}

TEST_F(Launch, GivesDynamicSharedMemory) {
  DeviceArray<int> out(3);
  sum_through_shared<<<3, 100, 100 * sizeof(int)>>>(out.get());
  ASK_VALUE(4950, out.read()[2]);
}

TEST_F(Launch, OfAMillionBlocks) {
  DeviceArray<int> out(1 << 20);
  write_indices<<<1 << 20, 1>>>(out.get());
  const auto seen = out.read();
  ASK_VALUE(1000 * 1000, seen[1000]);
  ASK_VALUE(((1 << 20) - 1) * 1000, seen.back());
}

TEST_F(Launch, ReturnsBeforeTheKernelEnds) {
  Gate gate;
  Stream stream;
  gate.close(stream);
  for (int i = 0; i < 100; ++i) nothing<<<1, 1, 0, stream>>>();
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  gate.open();
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
}

static cudaError_t launch(dim3 grid, dim3 block, size_t shared = 0, const void* kernel = nullptr) {
  const cudaError_t error =
      cudaLaunchKernel(kernel ? kernel : reinterpret_cast<const void*>(nothing), grid, block, nullptr, shared, nullptr);
  (void)cudaGetLastError();
  return error;
}

using LaunchErrors = Runtime;

// The documentation and earlier versions have cudaErrorInvalidConfiguration for all of them.
TEST_F(LaunchErrors, OfDimensions) {
  ASK(cudaErrorInvalidValue, launch(dim3(0), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(1, 0), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(1, 1, 0), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(0)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1, 0)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1, 1, 0)));
  ASK(cudaErrorInvalidValue, launch(dim3(0), dim3(0)));
  ASK(cudaSuccess, launch(dim3(1), dim3(1024)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1025)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(32, 33)));
  ASK(cudaSuccess, launch(dim3(1), dim3(1, 1, 64)));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1, 1, 65)));
  ASK(cudaSuccess, launch(dim3(1, 65535), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(1, 65536), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(1, 1, 65536), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(2147483648u), dim3(1)));
  ASK(cudaErrorInvalidValue, launch(dim3(~0u), dim3(~0u)));
}

TEST_F(LaunchErrors, OfSharedMemory) {
  ASK(cudaSuccess, launch(dim3(1), dim3(1), 49152));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1), 49153));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(1), ~size_t{0}));
  // Only the low 32 bits of the size are checked.
  ASK(cudaSuccess, launch(dim3(1), dim3(1), size_t{1} << 40));
  const auto big = reinterpret_cast<const void*>(static_shared_16k);
  int* none = nullptr;
  void* arguments[] = {&none};
  ASK(cudaSuccess, cudaLaunchKernel(big, dim3(1), dim3(1), arguments, 32768, nullptr));
  ASK(cudaErrorInvalidValue, cudaLaunchKernel(big, dim3(1), dim3(1), arguments, 32769, nullptr));
}

TEST_F(LaunchErrors, OfLaunchBounds) {
  const auto bounded = reinterpret_cast<const void*>(at_most_64);
  ASK(cudaSuccess, launch(dim3(1), dim3(64), 0, bounded));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(65), 0, bounded));
  ASK(cudaErrorInvalidValue, launch(dim3(1), dim3(2000), 0, bounded));
}

TEST_F(LaunchErrors, OfFunctions) {
  int variable = 0;
  ASK(cudaErrorInvalidDeviceFunction,
      cudaLaunchKernel(static_cast<const void*>(nullptr), dim3(1), dim3(1), nullptr, 0, nullptr));
  ASK(cudaErrorInvalidResourceHandle, launch(dim3(1), dim3(1), 0, &variable));
  ASK(cudaErrorInvalidResourceHandle, launch(dim3(1), dim3(1), 0, reinterpret_cast<const void*>(&launch)));
  ASK(cudaErrorInvalidResourceHandle, launch(dim3(0), dim3(1), 0, &variable));
}

TEST_F(LaunchErrors, LeaveTheStreamUsable) {
  DeviceArray<int> cell(1);
  Stream stream;
  store<<<0, 1, 0, stream>>>(cell.get(), 1);
  ASK(cudaErrorInvalidValue, cudaGetLastError());
  store<<<1, 1, 0, stream>>>(cell.get(), 2);
  ASK(cudaSuccess, cudaGetLastError());
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
  ASK_VALUE(2, cell.read()[0]);
}

TEST_F(LaunchErrors, OfLargerSharedMemoryOnceAllowed) {
  const auto kernel = reinterpret_cast<const void*>(sum_through_shared);
  DeviceArray<int> out(1);
  int* pointer = out.get();
  void* arguments[] = {&pointer};
  ASK(cudaErrorInvalidValue, cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 100000, nullptr));
  MUST(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  ASK(cudaSuccess, cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 100000, nullptr));
  ASK(cudaErrorInvalidValue, cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 100001, nullptr));
  ASK_VALUE(496, out.read()[0]);
  MUST(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
}

TEST_F(LaunchErrors, OfMissingArguments) {
  ASK(cudaErrorInvalidValue, cudaLaunchKernel(store, dim3(1), dim3(1), nullptr, 0, nullptr));
  int value = 1;
  void* arguments[] = {nullptr, &value};
  ASK(cudaErrorInvalidValue, cudaLaunchKernel(store, dim3(1), dim3(1), arguments, 0, nullptr));
}
