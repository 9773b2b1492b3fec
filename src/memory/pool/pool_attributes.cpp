// The attributes of a pool: cudaMemPoolGetAttribute and cudaMemPoolSetAttribute.
#include "diagnose/refuse.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::memory {

using diagnose::refuse;

int* Pool::flag(cudaMemPoolAttr attribute) {
  switch (attribute) {
    case cudaMemPoolReuseFollowEventDependencies:
      return &follow_events_;
    case cudaMemPoolReuseAllowOpportunistic:
      return &opportunistic_;
    case cudaMemPoolReuseAllowInternalDependencies:
      return &internal_dependencies_;
    default:
      return nullptr;
  }
}

cudaError_t Pool::get_attribute(cudaMemPoolAttr attribute, void* value) {
  SpinLockGuard lock(mutex_);
  if (const int* set = flag(attribute)) {
    *static_cast<int*>(value) = *set;
    return cudaSuccess;
  }
  if (traits_.imported)
    return refuse(cudaErrorInvalidValue, "the pool belongs to another process, which keeps its figures");
  auto& out = *static_cast<std::uint64_t*>(value);
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      out = threshold_;
      break;
    case cudaMemPoolAttrReservedMemCurrent:
      out = reserved_;
      break;
    case cudaMemPoolAttrReservedMemHigh:
      out = reserved_high_;
      break;
    case cudaMemPoolAttrUsedMemCurrent:
      out = used_;
      break;
    case cudaMemPoolAttrUsedMemHigh:
      out = used_high_;
      break;
    default:
      return refuse(cudaErrorInvalidValue, "a pool has no attribute %d", static_cast<int>(attribute));
  }
  return cudaSuccess;
}

cudaError_t Pool::set_attribute(cudaMemPoolAttr attribute, const void* value) {
  SpinLockGuard lock(mutex_);
  if (int* set = flag(attribute)) {
    *set = *static_cast<const int*>(value) != 0;
    return cudaSuccess;
  }
  const auto given = [&] { return *static_cast<const std::uint64_t*>(value); };
  switch (attribute) {
    case cudaMemPoolAttrReleaseThreshold:
      threshold_ = given();
      return cudaSuccess;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: {
      if (given() != 0) return refuse(cudaErrorInvalidValue, "a high-water mark can be set only to 0");
      const bool reserved = attribute == cudaMemPoolAttrReservedMemHigh;
      (reserved ? reserved_high_ : used_high_) = reserved ? reserved_ : used_;
      return cudaSuccess;
    }
    default:
      return refuse(cudaErrorInvalidValue, "attribute %d of a pool cannot be set", static_cast<int>(attribute));
  }
}

}  // namespace reprise_runtime::memory
