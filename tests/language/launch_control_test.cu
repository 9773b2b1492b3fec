// What kernels say about launches: programmatic dependent launch, and the kernel's own view of its launch.
#include "device_array.h"

namespace {

__global__ void produce(int* values, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) values[i] = i * 3;
  __threadfence();
  cudaTriggerProgrammaticLaunchCompletion();
}
__global__ void consume(const int* values, int* out, int count) {
  cudaGridDependencySynchronize();
  for (int i = threadIdx.x; i < count; i += blockDim.x) out[i] = values[i] + 1;
}

TEST(LaunchControl, ADependentKernelSeesWhatTheOneBeforeWrote) {
  DeviceArray<int> values(1000), out(1000);
  cudaStream_t stream;
  ASSERT_CUDA(cudaStreamCreate(&stream));
  produce<<<1, 64, 0, stream>>>(values, 1000);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(64);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  ASSERT_CUDA(cudaLaunchKernelEx(&config, consume, static_cast<const int*>(values.get()), out.get(), 1000));
  ASSERT_CUDA(cudaStreamSynchronize(stream));
  const auto host = out.host();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(host[i], i * 3 + 1);
  EXPECT_CUDA(cudaStreamDestroy(stream));
}

TEST(LaunchControl, WithoutProgrammaticLaunchTheCallsDoNothing) {
  DeviceArray<int> values(100), out(100);
  produce<<<1, 32>>>(values, 100);
  consume<<<1, 32>>>(values, out, 100);
  const auto host = out.host();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(host[i], i * 3 + 1);
}

__global__ void architecture(int* out) {
#if __CUDA_ARCH__ >= 700
  out[0] = __CUDA_ARCH__ / 10;
#endif
  out[1] = warpSize;
}

TEST(LaunchControl, DeviceCodeKnowsItsArchitecture) {
  DeviceArray<int> out(2);
  architecture<<<1, 1>>>(out);
  const auto host = out.host();
  EXPECT_GE(host[0], 70);
  EXPECT_EQ(host[1], 32);
}

}  // namespace
