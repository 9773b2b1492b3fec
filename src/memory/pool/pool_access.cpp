// Who may reach the memory of a pool. On this machine every device reaches all memory, so that access is kept and told
// but keeps nobody out.
#include "base/devices.h"
#include "diagnose/refuse.h"
#include "memory/pool/pools.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

cudaError_t check_device_location(const cudaMemLocation& location) {
  if (location.type != cudaMemLocationTypeDevice) return refuse(cudaErrorInvalidValue, "access is a device's to have");
  if (location.id >= 0 && location.id < device_count()) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "there is no device %d; there are %d", location.id, device_count());
}

cudaError_t check_description(const cudaMemAccessDesc& access, const PoolTraits& traits) {
  if (access.location.type != cudaMemLocationTypeDevice)
    return refuse(cudaErrorNotSupported, "access is a device's to have");
  if (cudaError_t wrong = check_device_location(access.location); wrong != cudaSuccess) {
    return refuse(cudaErrorInvalidDevice, "%s", diagnose::reason_of(wrong).c_str());
  }
  if (access.flags != cudaMemAccessFlagsProtNone && access.flags != cudaMemAccessFlagsProtReadWrite) {
    return refuse(cudaErrorNotSupported, "a device reads and writes, or neither");
  }
  if (access.flags == cudaMemAccessFlagsProtNone && access.location.id == traits.device) {
    return refuse(cudaErrorInvalidDevice, "a device cannot be kept from its own memory");
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t get_pool_access(cudaMemAccessFlags* out, cudaMemPool_t handle, const cudaMemLocation& location) {
  Result<Pool*> pool = find_pool(handle);
  if (!pool.ok()) return pool.status();
  if (location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma) {
    *out = (*pool)->traits().kind == MemoryKind::device ? cudaMemAccessFlagsProtNone : cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
  }
  if (cudaError_t refused = check_device_location(location); refused != cudaSuccess) return refused;
  *out = (*pool)->accessible_from(location.id) ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
  return cudaSuccess;
}

cudaError_t set_pool_access(cudaMemPool_t handle, const cudaMemAccessDesc* list, size_t count) {
  Result<Pool*> pool = find_pool(handle);
  if (!pool.ok()) return pool.status();
  if (count && !list) return refuse(cudaErrorInvalidValue, "%zu descriptions, and none given", count);
  const PoolTraits traits = (*pool)->traits();
  for (size_t i = 0; i < count; ++i) {
    if (cudaError_t refused = check_description(list[i], traits); refused != cudaSuccess) return refused;
  }
  for (size_t i = 0; i < count; ++i) {
    (*pool)->set_accessible_from(list[i].location.id, list[i].flags == cudaMemAccessFlagsProtReadWrite);
  }
  return cudaSuccess;
}

}  // namespace reprise_runtime::memory
