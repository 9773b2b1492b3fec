// The access of devices to the memory of a pool. On this machine every device reaches all memory, so access settings
// are stored and returned, and restrict nothing.
#include "base/devices.h"
#include "diagnose/refuse.h"
#include "memory/pool/pools.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

cudaError_t check_device_location(const cudaMemLocation& location) {
  if (location.type != cudaMemLocationTypeDevice) return refuse(cudaErrorInvalidValue, "the location must be a device");
  if (location.id >= 0 && location.id < device_count()) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "there is no device %d; the last one is %d", location.id, device_count() - 1);
}

cudaError_t check_description(const cudaMemAccessDesc& access, const PoolTraits& traits) {
  if (access.location.type != cudaMemLocationTypeDevice)
    return refuse(cudaErrorNotSupported, "the location must be a device");
  if (cudaError_t wrong = check_device_location(access.location); wrong != cudaSuccess) {
    return refuse(cudaErrorInvalidDevice, "%s", diagnose::reason_of(wrong).c_str());
  }
  if (access.flags != cudaMemAccessFlagsProtNone && access.flags != cudaMemAccessFlagsProtReadWrite) {
    return refuse(cudaErrorNotSupported, "flags must be cudaMemAccessFlagsProtNone or cudaMemAccessFlagsProtReadWrite");
  }
  if (access.flags == cudaMemAccessFlagsProtNone && access.location.id == traits.device) {
    return refuse(cudaErrorInvalidDevice, "a device always has access to its own memory");
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
  if (count && !list) return refuse(cudaErrorInvalidValue, "count is %zu and the list of descriptions is null", count);
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
