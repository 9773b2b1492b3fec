// Launch control in kernels: programmatic dependent launch, concurrent blocks, and queries on the own launch.
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

// Every block waits for the one after it, in loops with a barrier or a warp operation in each round.
enum class Wait { vote_of_block, one_thread_looks, syncwarp, vote_of_warp, told_by_a_lane };

template <Wait how>
__device__ void wait_for(int* turn, int wanted) {
  __shared__ int seen;
  const unsigned warp = threadIdx.x < blockDim.x / 32 * 32 ? ~0u : (1u << blockDim.x % 32) - 1;
  if constexpr (how == Wait::vote_of_block) {
    while (!__syncthreads_or(*static_cast<volatile int*>(turn) == wanted)) {
    }
  } else if constexpr (how == Wait::one_thread_looks) {
    for (bool done = false; !done;) {
      if (threadIdx.x == 0) seen = atomicAdd(turn, 0);
      __syncthreads();
      done = seen == wanted;
      __syncthreads();
    }
  } else if constexpr (how == Wait::syncwarp) {
    if (threadIdx.x % 32 == 0) {
      do __syncwarp(1);
      while (atomicAdd(turn, 0) != wanted);
    }
  } else if constexpr (how == Wait::vote_of_warp) {
    while (!__any_sync(warp, *static_cast<volatile int*>(turn) == wanted)) {
    }
  } else {
    int value;
    do {
      value = -1;
      if (threadIdx.x % 32 == 0) value = atomicAdd(turn, 0);
      value = __shfl_sync(warp, value, 0);
    } while (value != wanted);
  }
}

template <Wait how>
__global__ void take_turns(int* turn, int* order, int* count) {
  const int me = static_cast<int>(blockIdx.x);
  wait_for<how>(turn, me);
  __syncthreads();
  if (threadIdx.x != 0) return;
  order[atomicAdd(count, 1)] = me;
  __threadfence();
  atomicExch(turn, me - 1);
}

template <Wait how>
void expect_last_to_first(int threads) {
  int processors = 0;
  ASSERT_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  const int blocks = processors * 3;
  DeviceArray<int> turn(std::vector<int>{blocks - 1}), order(blocks), count(1);
  int *turn_pointer = turn, *order_pointer = order, *count_pointer = count;
  void* arguments[] = {&turn_pointer, &order_pointer, &count_pointer};
  ASSERT_CUDA(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(take_turns<how>), dim3(blocks), dim3(threads),
                                          arguments, 0, nullptr));
  const auto host = order.host();
  for (int i = 0; i < blocks; ++i) EXPECT_EQ(host[i], blocks - 1 - i);
}

TEST(LaunchControl, BlocksThatLiveAtOnceWaitInLoopsWithBarriers) {
  for (int threads : {64, 48}) {
    expect_last_to_first<Wait::vote_of_block>(threads);
    expect_last_to_first<Wait::one_thread_looks>(threads);
  }
}

TEST(LaunchControl, BlocksThatLiveAtOnceWaitInLoopsWithWarpOperations) {
  for (int threads : {64, 48}) {
    expect_last_to_first<Wait::syncwarp>(threads);
    expect_last_to_first<Wait::vote_of_warp>(threads);
    expect_last_to_first<Wait::told_by_a_lane>(threads);
  }
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
