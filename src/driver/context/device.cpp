// Devices. Their attributes have the runtime's numbers.
#include <cstring>

#include "api/entry/arguments.h"
#include "base/device_properties.h"
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;

namespace {

cudaError_t get(CUdevice* device, int ordinal) {
  if (!device) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (cudaError_t status = api::check_device(ordinal); status != cudaSuccess) return status;
  *device = ordinal;
  return cudaSuccess;
}

cudaError_t name_of(char* name, int length, CUdevice device) {
  if (!name || length <= 0) return refuse(cudaErrorInvalidValue, "there is no room for the name");
  if (cudaError_t status = api::check_device(device); status != cudaSuccess) return status;
  std::strncpy(name, device_properties(device).name, static_cast<size_t>(length) - 1);
  name[length - 1] = '\0';
  return cudaSuccess;
}

// Calls `use(properties)` for a device that there is, where `out` is no null pointer.
template <class Use>
cudaError_t with_properties(const void* out, CUdevice device, Use&& use) {
  if (cudaError_t status = api::check_device(device); status != cudaSuccess) return status;
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  use(device_properties(device));
  return cudaSuccess;
}

void describe(const cudaDeviceProp& from, CUdevprop& to) {
  to.maxThreadsPerBlock = from.maxThreadsPerBlock;
  for (int i = 0; i < 3; ++i) {
    to.maxThreadsDim[i] = from.maxThreadsDim[i];
    to.maxGridSize[i] = from.maxGridSize[i];
  }
  to.sharedMemPerBlock = static_cast<int>(from.sharedMemPerBlock);
  to.totalConstantMemory = static_cast<int>(from.totalConstMem);
  to.SIMDWidth = from.warpSize;
  to.memPitch = static_cast<int>(from.memPitch);
  to.regsPerBlock = from.regsPerBlock;
  to.textureAlign = static_cast<int>(from.textureAlignment);
  static_cast<void>(cudaDeviceGetAttribute(&to.clockRate, cudaDevAttrClockRate, 0));
}

}  // namespace

extern "C" {

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
  return driver::entry_initialised([&] { return get(device, ordinal); }, ARGUMENTS(device, ordinal));
}

CUresult cuDeviceGetCount(int* count) {
  return driver::entry_initialised([&] { return cudaGetDeviceCount(count); }, ARGUMENTS(count));
}

CUresult cuDeviceGetName(char* name, int len, CUdevice dev) {
  return driver::entry_initialised([&] { return name_of(name, len, dev); }, ARGUMENTS(name, len, dev));
}

CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice dev) {
  return driver::entry_initialised([&] { return with_properties(uuid, dev, [&](const auto& of) { *uuid = of.uuid; }); },
                                   ARGUMENTS(uuid, dev));
}

CUresult cuDeviceTotalMem(size_t* bytes, CUdevice dev) {
  return driver::entry_initialised(
      [&] { return with_properties(bytes, dev, [&](const auto& of) { *bytes = of.totalGlobalMem; }); },
      ARGUMENTS(bytes, dev));
}

CUresult cuDeviceGetAttribute(int* pi, CUdevice_attribute attrib, CUdevice dev) {
  return driver::entry_initialised([&] { return cudaDeviceGetAttribute(pi, as_runtime(attrib), dev); },
                                   ARGUMENTS(pi, attrib, dev));
}

CUresult cuDeviceGetProperties(CUdevprop* prop, CUdevice dev) {
  return driver::entry_initialised(
      [&] { return with_properties(prop, dev, [&](const auto& of) { describe(of, *prop); }); }, ARGUMENTS(prop, dev));
}

CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice dev) {
  return driver::entry_initialised(
      [&] {
        return with_properties(minor ? major : nullptr, dev, [&](const auto& of) {
          *major = of.major;
          *minor = of.minor;
        });
      },
      ARGUMENTS(major, minor, dev));
}

CUresult cuDeviceGetByPCIBusId(CUdevice* dev, const char* pciBusId) {
  return driver::entry_initialised([&] { return cudaDeviceGetByPCIBusId(dev, pciBusId); }, ARGUMENTS(dev, pciBusId));
}

CUresult cuDeviceGetPCIBusId(char* pciBusId, int len, CUdevice dev) {
  return driver::entry_initialised([&] { return cudaDeviceGetPCIBusId(pciBusId, len, dev); },
                                   ARGUMENTS(pciBusId, len, dev));
}

CUresult cuDeviceCanAccessPeer(int* canAccessPeer, CUdevice dev, CUdevice peerDev) {
  return driver::entry_initialised([&] { return cudaDeviceCanAccessPeer(canAccessPeer, dev, peerDev); },
                                   ARGUMENTS(canAccessPeer, dev, peerDev));
}

CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute attrib, CUdevice srcDevice, CUdevice dstDevice) {
  return driver::entry_initialised(
      [&] { return cudaDeviceGetP2PAttribute(value, as_runtime(attrib), srcDevice, dstDevice); },
      ARGUMENTS(value, attrib, srcDevice, dstDevice));
}

CUresult cuDeviceGetP2PAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                          unsigned int count, CUdevice srcDevice, CUdevice dstDevice) {
  return driver::entry_initialised(
      [&] {
        return cudaDeviceGetP2PAtomicCapabilities(capabilities, as_runtime(operations), count, srcDevice, dstDevice);
      },
      ARGUMENTS(capabilities, operations, count, srcDevice, dstDevice));
}

CUresult cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities, const CUatomicOperation* operations,
                                           unsigned int count, CUdevice dev) {
  return driver::entry_initialised(
      [&] { return cudaDeviceGetHostAtomicCapabilities(capabilities, as_runtime(operations), count, dev); },
      ARGUMENTS(capabilities, operations, count, dev));
}

CUresult cuDeviceGetExecAffinitySupport(int* pi, CUexecAffinityType type, CUdevice dev) {
  return driver::entry_initialised([&] { return with_properties(pi, dev, [&](const auto&) { *pi = 0; }); },
                                   ARGUMENTS(pi, type, dev));
}

CUresult cuDeviceRegisterAsyncNotification(CUdevice device, CUasyncCallback callbackFunc, void* userData,
                                           CUasyncCallbackHandle* callback) {
  return driver::entry_initialised(
      [&] {
        return cudaDeviceRegisterAsyncNotification(device, as_runtime(callbackFunc), userData, as_runtime(callback));
      },
      ARGUMENTS(device, callbackFunc, userData, callback));
}

CUresult cuDeviceUnregisterAsyncNotification(CUdevice device, CUasyncCallbackHandle callback) {
  return driver::entry_initialised([&] { return cudaDeviceUnregisterAsyncNotification(device, as_runtime(callback)); },
                                   ARGUMENTS(device, callback));
}

CUresult cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target, CUflushGPUDirectRDMAWritesScope scope) {
  return driver::entry([&] { return cudaDeviceFlushGPUDirectRDMAWrites(as_runtime(target), as_runtime(scope)); },
                       ARGUMENTS(target, scope));
}
}
