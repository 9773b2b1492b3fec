// Queries on kernels: attributes, name, occupancy.
#include "support.h"

__global__ void plain(int* out) { *out = 1; }
// Settings of a kernel persist, so tests that change them have kernels of their own.
__global__ void adjusted(int* out) { *out = 1; }
__global__ void shared_4k(int* out) {
  __shared__ int cells[1024];
  cells[threadIdx.x % 1024] = 1;
  __syncthreads();
  *out = cells[0];
}
__global__ void __launch_bounds__(128) bounded(int* out) { *out = 1; }
extern "C" __global__ void with_c_name() {}
__global__ void compiled_for(int* out) {
#ifdef __CUDA_ARCH__
  *out = __CUDA_ARCH__ / 10;
#endif
}
namespace inside {
template <typename T>
__global__ void generic(T) {}
}  // namespace inside

static const void* address(void (*kernel)(int*)) { return reinterpret_cast<const void*>(kernel); }

using FunctionAttributes = Runtime;

TEST_F(FunctionAttributes, OfAPlainKernel) {
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, plain));
  ASK_VALUE(0u, a.sharedSizeBytes);
  ASK_VALUE(0u, a.constSizeBytes);
  ASK_VALUE(1024, a.maxThreadsPerBlock);
  ASK_VALUE(49152, a.maxDynamicSharedSizeBytes);
  ASK_VALUE(-1, a.preferredShmemCarveout);
  ASK_VALUE(0, a.cacheModeCA);
  ASK_VALUE(0, a.clusterDimMustBeSet);
  ASK_VALUE(0, a.requiredClusterWidth);
  EXPECT_GT(a.numRegs, 0);
  ASK_VALUE(0u, a.localSizeBytes);
}

TEST_F(FunctionAttributes, SayWhichArchitectureTheCodeIsFor) {
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, compiled_for));
  DeviceArray<int> number(1);
  compiled_for<<<1, 1>>>(number.get());
  MUST(cudaDeviceSynchronize());
  ASK_VALUE(number.read()[0], a.ptxVersion);
  // The code is compiled for this device.
  int major = 0, minor = 0;
  MUST(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  MUST(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  ASK_VALUE(10 * major + minor, a.binaryVersion);
}

TEST_F(FunctionAttributes, OfStaticSharedMemoryAndBounds) {
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, shared_4k));
  ASK_VALUE(4096u, a.sharedSizeBytes);
  ASK_VALUE(45056, a.maxDynamicSharedSizeBytes);
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, bounded));
  ASK_VALUE(128, a.maxThreadsPerBlock);
}

TEST_F(FunctionAttributes, WrongQuestions) {
  cudaFuncAttributes a{};
  int variable = 0;
  ASK(cudaErrorInvalidValue, cudaFuncGetAttributes(nullptr, plain));
  // An unregistered pointer is treated as a cudaKernel_t.
  ASK(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, static_cast<const void*>(nullptr)));
  ASK(cudaErrorInvalidResourceHandle, cudaFuncGetAttributes(&a, static_cast<const void*>(&variable)));
}

TEST_F(FunctionAttributes, CanBeSet) {
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(100000, a.maxDynamicSharedSizeBytes);
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(0, a.maxDynamicSharedSizeBytes);
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  MUST(cudaFuncGetAttributes(&a, adjusted));
  ASK_VALUE(50, a.preferredShmemCarveout);
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
}

TEST_F(FunctionAttributes, SetWrongly) {
  ASK(cudaSuccess, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(shared_4k, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, static_cast<cudaFuncAttribute>(0), 1));
  ASK(cudaErrorInvalidValue, cudaFuncSetAttribute(adjusted, static_cast<cudaFuncAttribute>(99), 1));
  ASK(cudaErrorInvalidDeviceFunction,
      cudaFuncSetAttribute(static_cast<const void*>(nullptr), cudaFuncAttributePreferredSharedMemoryCarveout, 1));
  MUST(cudaFuncSetAttribute(adjusted, cudaFuncAttributeMaxDynamicSharedMemorySize, 49152));
}

TEST_F(FunctionAttributes, CachePreference) {
  ASK(cudaSuccess, cudaFuncSetCacheConfig(adjusted, cudaFuncCachePreferL1));
  ASK(cudaErrorInvalidValue, cudaFuncSetCacheConfig(adjusted, static_cast<cudaFuncCache>(9)));
  ASK(cudaErrorInvalidDeviceFunction, cudaFuncSetCacheConfig(static_cast<const void*>(nullptr), cudaFuncCachePreferL1));
}

using FunctionName = Runtime;

TEST_F(FunctionName, IsTheMangledName) {
  const char* name = nullptr;
  ASK(cudaSuccess, cudaFuncGetName(&name, address(plain)));
  ASK_VALUE(std::string("_Z5plainPi"), std::string(name));
  ASK(cudaSuccess, cudaFuncGetName(&name, reinterpret_cast<const void*>(with_c_name)));
  ASK_VALUE(std::string("with_c_name"), std::string(name));
  ASK(cudaSuccess, cudaFuncGetName(&name, reinterpret_cast<const void*>(inside::generic<double>)));
  ASK_VALUE(std::string("_ZN6inside7genericIdEEvT_"), std::string(name));
}

TEST_F(FunctionName, WrongQuestions) {
  const char* name = nullptr;
  int variable = 0;
  ASK(cudaErrorInvalidValue, cudaFuncGetName(nullptr, address(plain)));
  ASK(cudaErrorInvalidDeviceFunction, cudaFuncGetName(&name, nullptr));
  ASK(cudaErrorInvalidResourceHandle, cudaFuncGetName(&name, &variable));
}

using FunctionHandles = Runtime;

TEST_F(FunctionHandles, ComeFromTheSymbol) {
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  int variable = 0;
  ASK(cudaSuccess, cudaGetFuncBySymbol(&function, address(plain)));
  ASK_VALUE(false, function == nullptr);
  ASK(cudaSuccess, cudaGetKernel(&kernel, address(plain)));
  ASK_VALUE(false, kernel == nullptr);
  ASK(cudaErrorInvalidDeviceFunction, cudaGetFuncBySymbol(&function, &variable));
  ASK(cudaErrorInvalidDeviceFunction, cudaGetKernel(&kernel, &variable));
  ASK(cudaSuccess, cudaGetFuncBySymbol(nullptr, address(plain)));
}

TEST_F(FunctionHandles, AKernelHandleHasAttributesForADevice) {
  cudaKernel_t kernel = nullptr;
  MUST(cudaGetKernel(&kernel, address(adjusted)));
  const auto most = cudaFuncAttributeMaxDynamicSharedMemorySize;
  ASK(cudaSuccess, cudaKernelSetAttributeForDevice(kernel, most, 60000, 0));
  cudaFuncAttributes a{};
  ASK(cudaSuccess, cudaFuncGetAttributes(&a, static_cast<const void*>(kernel)));
  ASK_VALUE(60000, a.maxDynamicSharedSizeBytes);
  ASK(cudaSuccess, cudaKernelSetAttributeForDevice(kernel, most, 49152, 0));
  ASK(cudaErrorInvalidDevice, cudaKernelSetAttributeForDevice(kernel, most, 60000, 4096));
  ASK(cudaErrorInvalidValue, cudaKernelSetAttributeForDevice(kernel, most, -1, 0));
}

TEST_F(FunctionHandles, AKernelHandleCanBeLaunched) {
  DeviceArray<int> cell(1);
  cudaKernel_t kernel = nullptr;
  MUST(cudaGetKernel(&kernel, address(plain)));
  int* pointer = cell.get();
  void* arguments[] = {&pointer};
  ASK(cudaSuccess, cudaLaunchKernel(static_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, nullptr));
  ASK_VALUE(1, cell.read()[0]);
}

using Occupancy = Runtime;

TEST_F(Occupancy, OfAPlainKernelIsLimitedByThreadsAndBlocks) {
  int blocks = 0;
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1024, 0));
  ASK_VALUE(2, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 256, 0));
  ASK_VALUE(8, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1, 0));
  ASK_VALUE(32, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 33, 0));
  ASK_VALUE(32, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 1025, 0));
  ASK_VALUE(0, blocks);
}

TEST_F(Occupancy, IsLimitedBySharedMemory) {
  int blocks = 0;
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 49152));
  ASK_VALUE(4, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 32, 49153));
  ASK_VALUE(0, blocks);
  // Launch bounds are ignored here: a launch of 129 threads would be refused.
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 129, 0));
  ASK_VALUE(12, blocks);
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shared_4k, 32, 0));
  ASK_VALUE(32, blocks);
}

TEST_F(Occupancy, WrongQuestions) {
  int blocks = 0;
  ASK(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, plain, 32, 0));
  ASK(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0));
  ASK(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, -1, 0));
  ASK(cudaErrorInvalidDeviceFunction,
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const void*>(nullptr), 32, 0));
  ASK(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 32, 0, 2));
  ASK(cudaSuccess, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 32, 0,
                                                                          cudaOccupancyDisableCachingOverride));
}

TEST_F(Occupancy, ABlockSizeIsSuggested) {
  int grid = 0, block = 0, processors = 0;
  ASK(cudaSuccess, cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 0));
  MUST(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  ASK_VALUE(1024, block);
  ASK_VALUE(2 * processors, grid);
  ASK(cudaSuccess, cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 100));
  // 21 blocks of 96 threads are 2016, 32 of 64 are all 2048 that fit.
  ASK_VALUE(64, block);
}

TEST_F(Occupancy, SharedMemoryLeftForSoManyBlocks) {
  size_t bytes = 0;
  ASK(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 2, 128));
  ASK_VALUE(49152u, bytes);
  ASK(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 0, 128));
  ASK(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 1000, 128));
  ASK(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 16, 128));
  ASK_VALUE(14592u, bytes);
  ASK(cudaSuccess, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, shared_4k, 16, 128));
  ASK_VALUE(10496u, bytes);
}

using HazardOccupancy = Runtime;

TEST_F(HazardOccupancy, NeedsAnOutputForSharedMemory) {
  UNDEFINED_ON_NVIDIA("a null output crashes");
  ASK(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, plain, 2, 128));
}
