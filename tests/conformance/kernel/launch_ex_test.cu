// Launches with a configuration and attributes.
#include "support.h"

__global__ void nothing() {}
__global__ void set_two(int* where, int first, double second) {
  where[0] = first;
  where[1] = static_cast<int>(second);
}

static cudaLaunchConfig_t one_thread(cudaStream_t stream = nullptr) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  config.stream = stream;
  return config;
}

static cudaError_t launch_with(cudaLaunchAttribute attribute, cudaStream_t stream = nullptr) {
  cudaLaunchConfig_t config = one_thread(stream);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const cudaError_t error = cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(nothing), nullptr);
  (void)cudaGetLastError();
  return error;
}

static cudaLaunchAttribute attribute(int id) {
  cudaLaunchAttribute made{};
  made.id = static_cast<cudaLaunchAttributeID>(id);
  return made;
}

using LaunchEx = Runtime;

TEST_F(LaunchEx, ConvertsTypedArguments) {
  DeviceArray<int> cells(2);
  cudaLaunchConfig_t config = one_thread();
  const short first = 3;
  ASK(cudaSuccess, cudaLaunchKernelEx(&config, set_two, cells.get(), first, 4.5f));
  const auto seen = cells.read();
  ASK_VALUE(3, seen[0]);
  ASK_VALUE(4, seen[1]);
}

TEST_F(LaunchEx, TakesAnArgumentArray) {
  DeviceArray<int> cells(2);
  int* pointer = cells.get();
  int first = 1;
  double second = 2;
  void* arguments[] = {&pointer, &first, &second};
  cudaLaunchConfig_t config = one_thread();
  ASK(cudaSuccess, cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(set_two), arguments));
  ASK_VALUE(2, cells.read()[1]);
}

TEST_F(LaunchEx, WrongConfigurations) {
  cudaLaunchConfig_t config = one_thread();
  const auto kernel = reinterpret_cast<const void*>(nothing);
  ASK(cudaErrorInvalidDeviceFunction, cudaLaunchKernelExC(&config, static_cast<const void*>(nullptr), nullptr));
  config.gridDim.x = 0;
  ASK(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, kernel, nullptr));
  config = one_thread();
  config.blockDim.x = 1025;
  ASK(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, kernel, nullptr));
  config = one_thread();
  config.dynamicSmemBytes = size_t{1} << 30;
  ASK(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, kernel, nullptr));
}

TEST_F(LaunchEx, EachAttributeIsTaken) {
  auto made = attribute(cudaLaunchAttributeIgnore);
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeCooperative);
  made.val.cooperative = 1;
  ASK(cudaSuccess, launch_with(made));
  made.val.cooperative = 0;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributePriority);
  // Any number is accepted and clamped to the range.
  for (int priority : {-1, 0, 1000, -1000}) {
    made.val.priority = priority;
    ASK(cudaSuccess, launch_with(made));
  }
  made = attribute(cudaLaunchAttributeClusterDimension);
  // All zeros mean no cluster.
  ASK(cudaSuccess, launch_with(made));
  made.val.clusterDim.x = made.val.clusterDim.y = made.val.clusterDim.z = 1;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeClusterSchedulingPolicyPreference);
  made.val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeProgrammaticStreamSerialization);
  made.val.programmaticStreamSerializationAllowed = 1;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeMemSyncDomain);
  made.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeMemSyncDomainMap);
  made.val.memSyncDomainMap.remote = 1;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributePreferredSharedMemoryCarveout);
  made.val.sharedMemCarveout = 50;
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeAccessPolicyWindow);
  ASK(cudaSuccess, launch_with(made));
  made = attribute(cudaLaunchAttributeSynchronizationPolicy);
  made.val.syncPolicy = cudaSyncPolicyAuto;
  ASK(cudaErrorInvalidValue, launch_with(made));
  MUST(cudaDeviceSynchronize());
}

TEST_F(LaunchEx, WrongAttributes) {
  ASK(cudaErrorInvalidValue, launch_with(attribute(999)));
  auto made = attribute(cudaLaunchAttributeClusterDimension);
  made.val.clusterDim.x = 2;
  made.val.clusterDim.y = made.val.clusterDim.z = 1;
  ASK(cudaErrorInvalidClusterSize, launch_with(made));
  made.val.clusterDim.x = 1000;
  ASK(cudaErrorInvalidClusterSize, launch_with(made));
  made = attribute(cudaLaunchAttributePreferredSharedMemoryCarveout);
  made.val.sharedMemCarveout = 101;
  ASK(cudaErrorInvalidValue, launch_with(made));
  made = attribute(cudaLaunchAttributeMemSyncDomain);
  made.val.memSyncDomain = static_cast<cudaLaunchMemSyncDomain>(9);
  ASK(cudaErrorInvalidValue, launch_with(made));
  made = attribute(cudaLaunchAttributeLaunchCompletionEvent);
  ASK(cudaErrorInvalidResourceHandle, launch_with(made));
  made = attribute(cudaLaunchAttributeDeviceUpdatableKernelNode);
  made.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
  ASK(cudaErrorNotSupported, launch_with(made));
}

TEST_F(LaunchEx, ALaunchCompletionEventIsRecorded) {
  Event event(cudaEventDisableTiming), timed;
  auto made = attribute(cudaLaunchAttributeLaunchCompletionEvent);
  made.val.launchCompletionEvent.event = event;
  ASK(cudaSuccess, launch_with(made));
  ASK(cudaSuccess, cudaEventSynchronize(event));
  made.val.launchCompletionEvent.event = timed;
  ASK(cudaErrorNotSupported, launch_with(made));
}

TEST_F(LaunchEx, AProgrammaticEventIsRecorded) {
  Event event(cudaEventDisableTiming);
  auto made = attribute(cudaLaunchAttributeProgrammaticEvent);
  made.val.programmaticEvent.event = event;
  made.val.programmaticEvent.triggerAtBlockStart = 1;
  ASK(cudaSuccess, launch_with(made));
  ASK(cudaSuccess, cudaEventSynchronize(event));
}

TEST_F(LaunchEx, TheSameAttributeTwice) {
  cudaLaunchAttribute both[] = {attribute(cudaLaunchAttributePriority), attribute(cudaLaunchAttributePriority)};
  cudaLaunchConfig_t config = one_thread();
  config.attrs = both;
  config.numAttrs = 2;
  ASK(cudaSuccess, cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(nothing), nullptr));
  MUST(cudaDeviceSynchronize());
}

__global__ void read_after_the_wait(const int* from, int* to) {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
  *to = *from;
}

TEST_F(LaunchEx, AProgrammaticLaunchSeesWhatCameBeforeAfterItsWait) {
  DeviceArray<int> cells(2);
  Stream stream;
  store<<<1, 1, 0, stream>>>(cells.get(), 9);
  auto made = attribute(cudaLaunchAttributeProgrammaticStreamSerialization);
  made.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = one_thread(stream);
  config.attrs = &made;
  config.numAttrs = 1;
  ASK(cudaSuccess,
      cudaLaunchKernelEx(&config, read_after_the_wait, static_cast<const int*>(cells.get()), cells.get() + 1));
  MUST(cudaStreamSynchronize(stream));
  ASK_VALUE(9, cells.read()[1]);
}

using HazardLaunchEx = Runtime;

TEST_F(HazardLaunchEx, MissingConfigurationAndAttributes) {
  UNDEFINED_ON_NVIDIA("a null configuration crashes");
  const auto kernel = reinterpret_cast<const void*>(nothing);
  ASK(cudaErrorInvalidValue, cudaLaunchKernelExC(nullptr, kernel, nullptr));
  cudaLaunchConfig_t config = one_thread();
  config.numAttrs = 1;
  ASK(cudaErrorInvalidValue, cudaLaunchKernelExC(&config, kernel, nullptr));
}
