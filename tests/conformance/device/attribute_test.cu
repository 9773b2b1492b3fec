// Attributes and properties: they agree with each other, and the values that programs size their launches by are
// plausible.
#include "support.h"

using DeviceAttributes = Runtime;

static int attribute(cudaDeviceAttr which) {
  int value = -12345;
  EXPECT_EQ(cudaSuccess, cudaDeviceGetAttribute(&value, which, 0)) << static_cast<int>(which);
  return value;
}

static cudaDeviceProp properties() {
  cudaDeviceProp answer{};
  EXPECT_EQ(cudaSuccess, cudaGetDeviceProperties(&answer, 0));
  return answer;
}

TEST_F(DeviceAttributes, NeedAnOutput) {
  ASK(cudaErrorInvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
  ASK(cudaErrorInvalidValue, cudaGetDeviceProperties(nullptr, 0));
}

TEST_F(DeviceAttributes, UnknownOnesAreInvalid) {
  int value = 7;
  ASK(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(0), 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(-1), 0));
  ASK(cudaErrorInvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(100000), 0));
  ASK_VALUE(7, value);
}

// Includes unassigned and reserved numbers.
TEST_F(DeviceAttributes, EveryNumberUpToTheLastIsAnswered) {
  for (int which = 1; which < 160; ++which) {
    int value = -12345;
    const cudaError_t error = cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(which), 0);
    EXPECT_EQ(which <= 147 ? cudaSuccess : cudaErrorInvalidValue, error) << which;
  }
}

TEST_F(DeviceAttributes, AgreeWithTheProperties) {
  const cudaDeviceProp p = properties();
#define AGREES(field, which) ASK_VALUE(static_cast<long long>(attribute(which)), static_cast<long long>(p.field))
  AGREES(maxThreadsPerBlock, cudaDevAttrMaxThreadsPerBlock);
  AGREES(maxThreadsDim[0], cudaDevAttrMaxBlockDimX);
  AGREES(maxThreadsDim[1], cudaDevAttrMaxBlockDimY);
  AGREES(maxThreadsDim[2], cudaDevAttrMaxBlockDimZ);
  AGREES(maxGridSize[0], cudaDevAttrMaxGridDimX);
  AGREES(maxGridSize[1], cudaDevAttrMaxGridDimY);
  AGREES(maxGridSize[2], cudaDevAttrMaxGridDimZ);
  AGREES(sharedMemPerBlock, cudaDevAttrMaxSharedMemoryPerBlock);
  AGREES(sharedMemPerBlockOptin, cudaDevAttrMaxSharedMemoryPerBlockOptin);
  AGREES(sharedMemPerMultiprocessor, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  AGREES(reservedSharedMemPerBlock, cudaDevAttrReservedSharedMemoryPerBlock);
  AGREES(totalConstMem, cudaDevAttrTotalConstantMemory);
  AGREES(warpSize, cudaDevAttrWarpSize);
  AGREES(memPitch, cudaDevAttrMaxPitch);
  AGREES(regsPerBlock, cudaDevAttrMaxRegistersPerBlock);
  AGREES(regsPerMultiprocessor, cudaDevAttrMaxRegistersPerMultiprocessor);
  AGREES(textureAlignment, cudaDevAttrTextureAlignment);
  AGREES(texturePitchAlignment, cudaDevAttrTexturePitchAlignment);
  AGREES(surfaceAlignment, cudaDevAttrSurfaceAlignment);
  AGREES(multiProcessorCount, cudaDevAttrMultiProcessorCount);
  AGREES(integrated, cudaDevAttrIntegrated);
  AGREES(canMapHostMemory, cudaDevAttrCanMapHostMemory);
  AGREES(concurrentKernels, cudaDevAttrConcurrentKernels);
  AGREES(ECCEnabled, cudaDevAttrEccEnabled);
  AGREES(pciBusID, cudaDevAttrPciBusId);
  AGREES(pciDeviceID, cudaDevAttrPciDeviceId);
  AGREES(pciDomainID, cudaDevAttrPciDomainId);
  AGREES(tccDriver, cudaDevAttrTccDriver);
  AGREES(asyncEngineCount, cudaDevAttrAsyncEngineCount);
  AGREES(unifiedAddressing, cudaDevAttrUnifiedAddressing);
  AGREES(memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth);
  AGREES(l2CacheSize, cudaDevAttrL2CacheSize);
  AGREES(persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize);
  AGREES(maxThreadsPerMultiProcessor, cudaDevAttrMaxThreadsPerMultiProcessor);
  AGREES(maxBlocksPerMultiProcessor, cudaDevAttrMaxBlocksPerMultiprocessor);
  AGREES(streamPrioritiesSupported, cudaDevAttrStreamPrioritiesSupported);
  AGREES(globalL1CacheSupported, cudaDevAttrGlobalL1CacheSupported);
  AGREES(localL1CacheSupported, cudaDevAttrLocalL1CacheSupported);
  AGREES(managedMemory, cudaDevAttrManagedMemory);
  AGREES(isMultiGpuBoard, cudaDevAttrIsMultiGpuBoard);
  AGREES(hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported);
  AGREES(pageableMemoryAccess, cudaDevAttrPageableMemoryAccess);
  AGREES(concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess);
  AGREES(computePreemptionSupported, cudaDevAttrComputePreemptionSupported);
  AGREES(canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem);
  AGREES(cooperativeLaunch, cudaDevAttrCooperativeLaunch);
  AGREES(pageableMemoryAccessUsesHostPageTables, cudaDevAttrPageableMemoryAccessUsesHostPageTables);
  AGREES(directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost);
  AGREES(accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize);
  AGREES(hostRegisterSupported, cudaDevAttrHostRegisterSupported);
  AGREES(hostRegisterReadOnlySupported, cudaDevAttrHostRegisterReadOnlySupported);
  AGREES(timelineSemaphoreInteropSupported, cudaDevAttrTimelineSemaphoreInteropSupported);
  AGREES(memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported);
  AGREES(memoryPoolSupportedHandleTypes, cudaDevAttrMemoryPoolSupportedHandleTypes);
  AGREES(ipcEventSupported, cudaDevAttrIpcEventSupport);
  AGREES(clusterLaunch, cudaDevAttrClusterLaunch);
  AGREES(major, cudaDevAttrComputeCapabilityMajor);
  AGREES(minor, cudaDevAttrComputeCapabilityMinor);
#undef AGREES
}

TEST_F(DeviceAttributes, AreThoseOfComputeCapabilityNine) {
  ASK_VALUE(9, attribute(cudaDevAttrComputeCapabilityMajor));
  ASK_VALUE(0, attribute(cudaDevAttrComputeCapabilityMinor));
  ASK_VALUE(32, attribute(cudaDevAttrWarpSize));
  ASK_VALUE(1024, attribute(cudaDevAttrMaxThreadsPerBlock));
  ASK_VALUE(1024, attribute(cudaDevAttrMaxBlockDimX));
  ASK_VALUE(1024, attribute(cudaDevAttrMaxBlockDimY));
  ASK_VALUE(64, attribute(cudaDevAttrMaxBlockDimZ));
  ASK_VALUE(2147483647, attribute(cudaDevAttrMaxGridDimX));
  ASK_VALUE(65535, attribute(cudaDevAttrMaxGridDimY));
  ASK_VALUE(65535, attribute(cudaDevAttrMaxGridDimZ));
  ASK_VALUE(49152, attribute(cudaDevAttrMaxSharedMemoryPerBlock));
  ASK_VALUE(232448, attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  ASK_VALUE(233472, attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  ASK_VALUE(1024, attribute(cudaDevAttrReservedSharedMemoryPerBlock));
  ASK_VALUE(65536, attribute(cudaDevAttrTotalConstantMemory));
  ASK_VALUE(65536, attribute(cudaDevAttrMaxRegistersPerBlock));
  ASK_VALUE(2147483647, attribute(cudaDevAttrMaxPitch));
  ASK_VALUE(512, attribute(cudaDevAttrTextureAlignment));
  ASK_VALUE(2048, attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
  ASK_VALUE(32, attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
}

TEST_F(DeviceAttributes, SayThatTheWholeApiIsThere) {
  ASK_VALUE(1, attribute(cudaDevAttrUnifiedAddressing));
  ASK_VALUE(1, attribute(cudaDevAttrManagedMemory));
  ASK_VALUE(1, attribute(cudaDevAttrConcurrentKernels));
  ASK_VALUE(1, attribute(cudaDevAttrCanMapHostMemory));
  ASK_VALUE(1, attribute(cudaDevAttrStreamPrioritiesSupported));
  ASK_VALUE(1, attribute(cudaDevAttrCooperativeLaunch));
  ASK_VALUE(1, attribute(cudaDevAttrHostRegisterSupported));
  ASK_VALUE(1, attribute(cudaDevAttrCanUseHostPointerForRegisteredMem));
  ASK_VALUE(1, attribute(cudaDevAttrConcurrentManagedAccess));
  ASK_VALUE(cudaComputeModeDefault, attribute(cudaDevAttrComputeMode));
}

TEST_F(DeviceAttributes, TheDeviceHasANameAndMemory) {
  const cudaDeviceProp p = properties();
  EXPECT_GT(std::strlen(p.name), 0u);
  EXPECT_GT(p.multiProcessorCount, 0);
  size_t available = 0, total = 0;
  MUST(cudaMemGetInfo(&available, &total));
  EXPECT_LE(available, total);
  ASK_VALUE(p.totalGlobalMem, total);
}

TEST_F(DeviceAttributes, TwoAnswersAreTheSame) {
  const cudaDeviceProp first = properties(), second = properties();
  EXPECT_EQ(0, std::memcmp(&first, &second, sizeof(first)));
}
