// The attributes of a stream: cudaStreamSetAttribute, cudaStreamGetAttribute, cudaStreamCopyAttributes.
#include "diagnose/refuse.h"
#include "stream/priority.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

bool known(cudaLaunchAttributeID id) {
  return id == cudaLaunchAttributeAccessPolicyWindow || id == cudaLaunchAttributeSynchronizationPolicy ||
         id == cudaLaunchAttributeMemSyncDomainMap || id == cudaLaunchAttributeMemSyncDomain ||
         id == cudaLaunchAttributePriority;
}

bool valid(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  switch (id) {
    case cudaLaunchAttributeAccessPolicyWindow:
      return kernel::check_policy_window(value.accessPolicyWindow) == cudaSuccess;
    case cudaLaunchAttributeSynchronizationPolicy:
      return value.syncPolicy >= cudaSyncPolicyAuto && value.syncPolicy <= cudaSyncPolicyBlockingSync;
    case cudaLaunchAttributeMemSyncDomainMap:
      return value.memSyncDomainMap.default_ < kernel::sync_domains &&
             value.memSyncDomainMap.remote < kernel::sync_domains;
    case cudaLaunchAttributeMemSyncDomain:
      return value.memSyncDomain == cudaLaunchMemSyncDomainDefault ||
             value.memSyncDomain == cudaLaunchMemSyncDomainRemote;
    case cudaLaunchAttributePriority:
      return true;  // Outside the range it means the nearest inside.
    default:
      return false;
  }
}

cudaLaunchAttributeValue default_value(cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value = {};
  // Not one of the enumerators, but what NVIDIA's runtime says of a stream for which none was set.
  if (id == cudaLaunchAttributeSynchronizationPolicy) value.syncPolicy = static_cast<cudaSynchronizationPolicy>(-1);
  if (id == cudaLaunchAttributeMemSyncDomainMap) value.memSyncDomainMap.remote = 1;
  return value;
}

[[gnu::cold]] cudaError_t refuse_attribute(cudaLaunchAttributeID id, const char* why) {
  return diagnose::refuse(cudaErrorInvalidValue, "attribute %d: %s", static_cast<int>(id), why);
}

}  // namespace

cudaError_t Stream::set_attribute(cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  if (!valid(id, value))
    return refuse_attribute(id, known(id) ? "the value is out of range" : "a stream has no such attribute");
  if (id == cudaLaunchAttributePriority) set_priority(clamp_priority(value.priority));
  if (id == cudaLaunchAttributeSynchronizationPolicy) policy_.store(value.syncPolicy, std::memory_order_relaxed);
  MutexLock lock(attribute_mutex_);
  has_attributes_.store(true, std::memory_order_relaxed);
  attributes_.set(id, value);
  return cudaSuccess;
}

cudaError_t Stream::get_attribute(cudaLaunchAttributeID id, cudaLaunchAttributeValue* value) {
  if (!known(id)) return refuse_attribute(id, "a stream has no such attribute");
  MutexLock lock(attribute_mutex_);
  const cudaLaunchAttributeValue* set = attributes_.find(id);
  *value = set ? *set : default_value(id);
  if (id == cudaLaunchAttributePriority) value->priority = priority();
  return cudaSuccess;
}

void Stream::copy_attributes(Stream& from) {
  if (this == &from) return;
  kernel::LaunchAttributes copy;
  {
    MutexLock lock(from.attribute_mutex_);
    copy = from.attributes_;
  }
  set_priority(from.priority());
  policy_.store(from.policy_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  MutexLock lock(attribute_mutex_);
  has_attributes_.store(!copy.empty(), std::memory_order_relaxed);
  attributes_ = std::move(copy);
}

}  // namespace reprise_runtime::stream
