// The figures of a device's graph memory, and its release.
#include "diagnose/refuse.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::memory {

using diagnose::refuse;

cudaError_t GraphMemory::get_attribute(int device, cudaGraphMemAttributeType attribute, void* value) {
  MutexLock lock(mutex_);
  const GraphFrames& all = frames(device);
  auto& out = *static_cast<unsigned long long*>(value);
  switch (attribute) {
    // Frames are in use from when they get memory until they are trimmed, so both figures are equal, as on an H200.
    case cudaGraphMemAttrUsedMemCurrent:
    case cudaGraphMemAttrReservedMemCurrent:
      out = all.reserved();
      return cudaSuccess;
    case cudaGraphMemAttrUsedMemHigh:
      out = all.used_high;
      return cudaSuccess;
    case cudaGraphMemAttrReservedMemHigh:
      out = all.reserved_high;
      return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "%d is not a cudaGraphMemAttributeType", static_cast<int>(attribute));
}

cudaError_t GraphMemory::set_attribute(int device, cudaGraphMemAttributeType attribute, const void* value) {
  if (attribute != cudaGraphMemAttrUsedMemHigh && attribute != cudaGraphMemAttrReservedMemHigh) {
    return refuse(cudaErrorInvalidValue, "attribute %d cannot be set; only the two high-water marks can",
                  static_cast<int>(attribute));
  }
  if (const auto wanted = *static_cast<const unsigned long long*>(value); wanted != 0) {
    return refuse(cudaErrorInvalidValue, "a high-water mark can be set only to 0, not to %llu", wanted);
  }
  MutexLock lock(mutex_);
  GraphFrames& all = frames(device);
  (attribute == cudaGraphMemAttrUsedMemHigh ? all.used_high : all.reserved_high) = all.reserved();
  return cudaSuccess;
}

void GraphMemory::trim(int device) {
  MutexLock lock(mutex_);
  release_retired();
  frames(device).trim();
}

void GraphMemory::reset(int device) {
  Lives ended;  // released after the lock
  MutexLock lock(mutex_);
  for (auto life = live_.begin(); life != live_.end();) {
    GraphAllocation& allocation = *(life++)->second;
    if (allocation.device() == device) ended.push_back(end_life(allocation, {}));
  }
  frames(device).trim();
}

}  // namespace reprise_runtime::memory
