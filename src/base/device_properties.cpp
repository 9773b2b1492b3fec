#include "base/device_properties.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <limits>

#include "base/devices.h"
#include "base/launch_limits.h"
#include "base/machine.h"

namespace reprise_runtime {
namespace {

int clamped(std::size_t value) {
  return static_cast<int>(std::min<std::size_t>(value, std::numeric_limits<int>::max()));
}

void describe_identity(cudaDeviceProp& p, int device) {
  std::snprintf(p.name, sizeof p.name, "Reprise CPU device (%s)", processor().name.c_str());
  static constexpr unsigned char family[] = {'R', 'e', 'p', 'r', 'i', 's', 'e', ' ', 'C', 'P', 'U', ' ', 'd', 'e', 'v'};
  static_assert(sizeof family + 1 == sizeof p.uuid.bytes);
  std::memcpy(p.uuid.bytes, family, sizeof family);
  p.uuid.bytes[sizeof family] = static_cast<char>(device);
  // On no bus: a domain that no machine uses, with the ordinal as the bus, so that each device has its own.
  p.pciDomainID = 0xffff;
  p.pciBusID = device;
  p.major = 9;
  p.minor = 0;
}

void describe_launches(cudaDeviceProp& p) {
  p.maxThreadsPerBlock = launch_limits::max_block_threads;
  std::copy_n(launch_limits::max_block, 3, p.maxThreadsDim);
  std::copy_n(launch_limits::max_grid, 3, p.maxGridSize);
  p.sharedMemPerBlock = launch_limits::max_shared_default;
  p.sharedMemPerBlockOptin = launch_limits::max_shared_opt_in;
  p.sharedMemPerMultiprocessor = launch_limits::multiprocessor_shared;
  p.reservedSharedMemPerBlock = launch_limits::reserved_shared;
  p.maxThreadsPerMultiProcessor = launch_limits::multiprocessor_threads;
  p.maxBlocksPerMultiProcessor = launch_limits::multiprocessor_blocks;
  p.regsPerBlock = p.regsPerMultiprocessor = launch_limits::multiprocessor_registers;
  p.totalConstMem = launch_limits::constant_bytes;
  p.warpSize = launch_limits::warp_size;
  p.multiProcessorCount = core_count();
  p.concurrentKernels = 1;
  p.cooperativeLaunch = 1;
  p.streamPrioritiesSupported = 1;
  p.computePreemptionSupported = 1;
  p.asyncEngineCount = 2;
}

void describe_memory(cudaDeviceProp& p) {
  p.totalGlobalMem = device_memory_bytes();
  p.memPitch = largest_pitch;
  p.textureAlignment = p.surfaceAlignment = 512;
  p.texturePitchAlignment = 32;
  p.memoryBusWidth = 64;  // one channel; the system does not report their number
  p.l2CacheSize = clamped(processor().last_level_cache);
  p.accessPolicyMaxWindowSize = launch_limits::max_policy_window;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  // Host and device are one: every address is good on both sides, with native atomics.
  p.integrated = 1;
  p.canMapHostMemory = p.unifiedAddressing = 1;
  p.managedMemory = p.concurrentManagedAccess = p.directManagedMemAccessFromHost = 1;
  p.pageableMemoryAccess = p.pageableMemoryAccessUsesHostPageTables = 1;
  p.hostNativeAtomicSupported = 1;
  p.memoryPoolsSupported = 1;
  p.memoryPoolSupportedHandleTypes = cudaMemHandleTypePosixFileDescriptor;
  p.canUseHostPointerForRegisteredMem = 1;
  p.hostRegisterSupported = p.hostRegisterReadOnlySupported = 1;
  p.timelineSemaphoreInteropSupported = 1;
  p.ipcEventSupported = 1;
  p.deviceNumaId = -1;
  p.hostNumaId = processor().numa_node;
}

using Table = std::array<cudaDeviceProp, max_devices>;

const Table* describe_devices() {
  auto* table = new Table{};
  for (int device = 0; device < device_count(); ++device) {
    cudaDeviceProp& p = (*table)[static_cast<std::size_t>(device)];
    describe_identity(p, device);
    describe_launches(p);
    describe_memory(p);
  }
  return table;
}

struct Attribute {
  cudaDeviceAttr which;
  int (*value)(const cudaDeviceProp&);
};

#define FROM(which, expression)                \
  {which, [](const cudaDeviceProp& p) -> int { \
     static_cast<void>(p);                     \
     return static_cast<int>(expression);      \
   }}

// Attributes that CUDA numbers and that are not listed are 0: textures, graphics, features of other hardware.
constexpr Attribute attributes[] = {
    FROM(cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock),
    FROM(cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]),
    FROM(cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]),
    FROM(cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]),
    FROM(cudaDevAttrMaxGridDimX, p.maxGridSize[0]),
    FROM(cudaDevAttrMaxGridDimY, p.maxGridSize[1]),
    FROM(cudaDevAttrMaxGridDimZ, p.maxGridSize[2]),
    FROM(cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock),
    FROM(cudaDevAttrTotalConstantMemory, p.totalConstMem),
    FROM(cudaDevAttrWarpSize, p.warpSize),
    FROM(cudaDevAttrMaxPitch, p.memPitch),
    FROM(cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock),
    FROM(cudaDevAttrClockRate, processor().clock_khz),
    FROM(cudaDevAttrTextureAlignment, p.textureAlignment),
    FROM(cudaDevAttrGpuOverlap, p.asyncEngineCount > 0),
    FROM(cudaDevAttrMultiProcessorCount, p.multiProcessorCount),
    FROM(cudaDevAttrIntegrated, p.integrated),
    FROM(cudaDevAttrCanMapHostMemory, p.canMapHostMemory),
    FROM(cudaDevAttrComputeMode, cudaComputeModeDefault),
    FROM(cudaDevAttrSurfaceAlignment, p.surfaceAlignment),
    FROM(cudaDevAttrConcurrentKernels, p.concurrentKernels),
    FROM(cudaDevAttrPciBusId, p.pciBusID),
    FROM(cudaDevAttrPciDeviceId, p.pciDeviceID),
    FROM(cudaDevAttrPciDomainId, p.pciDomainID),
    FROM(cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth),
    FROM(cudaDevAttrL2CacheSize, p.l2CacheSize),
    FROM(cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize),
    FROM(cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor),
    FROM(cudaDevAttrAsyncEngineCount, p.asyncEngineCount),
    FROM(cudaDevAttrUnifiedAddressing, p.unifiedAddressing),
    FROM(cudaDevAttrTexturePitchAlignment, p.texturePitchAlignment),
    FROM(cudaDevAttrComputeCapabilityMajor, p.major),
    FROM(cudaDevAttrComputeCapabilityMinor, p.minor),
    FROM(cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported),
    FROM(cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported),
    FROM(cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported),
    FROM(cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor),
    FROM(cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor),
    FROM(cudaDevAttrManagedMemory, p.managedMemory),
    FROM(cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported),
    FROM(cudaDevAttrSingleToDoublePrecisionPerfRatio, 2),
    FROM(cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess),
    FROM(cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess),
    FROM(cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported),
    FROM(cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem),
    FROM(cudaDevAttrCooperativeLaunch, p.cooperativeLaunch),
    FROM(cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin),
    FROM(cudaDevAttrHostRegisterSupported, p.hostRegisterSupported),
    FROM(cudaDevAttrPageableMemoryAccessUsesHostPageTables, p.pageableMemoryAccessUsesHostPageTables),
    FROM(cudaDevAttrDirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost),
    FROM(cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor),
    FROM(cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock),
    FROM(cudaDevAttrHostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported),
    FROM(cudaDevAttrTimelineSemaphoreInteropSupported, p.timelineSemaphoreInteropSupported),
    FROM(cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported),
    FROM(cudaDevAttrMemoryPoolSupportedHandleTypes, p.memoryPoolSupportedHandleTypes),
    FROM(cudaDevAttrClusterLaunch, p.clusterLaunch),
    FROM(cudaDevAttrIpcEventSupport, p.ipcEventSupported),
    FROM(cudaDevAttrMemSyncDomainCount, 1),
    FROM(cudaDevAttrNumaId, p.deviceNumaId),
    FROM(cudaDevAttrHostNumaId, p.hostNumaId),
};

#undef FROM

}  // namespace

const cudaDeviceProp& device_properties(int device) {
  static const Table* table = describe_devices();  // never destroyed: asked while the process exits
  return (*table)[static_cast<std::size_t>(device)];
}

cudaError_t device_attribute(int device, cudaDeviceAttr which, int* value) {
  if (which < cudaDevAttrMaxThreadsPerBlock || which >= cudaDevAttrMax) return cudaErrorInvalidValue;
  const auto* row = std::find_if(std::begin(attributes), std::end(attributes),
                                 [which](const Attribute& attribute) { return attribute.which == which; });
  *value = row == std::end(attributes) ? 0 : row->value(device_properties(device));
  return cudaSuccess;
}

}  // namespace reprise_runtime
