#include "memory/allocate/advice.h"

#include <sys/mman.h>

#include <algorithm>
#include <bitset>
#include <cstring>
#include <optional>
#include <vector>

#include "base/devices.h"
#include "base/machine.h"
#include "base/mutex.h"
#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "memory/address/host_registration.h"
#include "memory/address/interval_map.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

constexpr std::uintptr_t page = 4096;

struct Advice {
  bool read_mostly = false;
  cudaMemLocation preferred{cudaMemLocationTypeInvalid, 0};
  cudaMemLocation prefetched{cudaMemLocationTypeInvalid, 0};
  std::bitset<max_devices + 1> accessed_by;  // the last bit is the host
};

Mutex mutex;
IntervalMap<Advice>& advices() REPRISE_REQUIRES(mutex) {
  static auto* map = new IntervalMap<Advice>;  // never destroyed: managed memory is freed at exit, too
  return *map;
}

std::uintptr_t first_page(const void* address) { return reinterpret_cast<std::uintptr_t>(address) & ~(page - 1); }
std::uintptr_t after_last_page(const void* address, std::size_t bytes) {
  return (reinterpret_cast<std::uintptr_t>(address) + bytes + page - 1) & ~(page - 1);
}

template <class Change>
void change_advice(const void* address, std::size_t bytes, Change&& change) {
  MutexLock lock(mutex);
  advices().update(first_page(address), after_last_page(address, bytes), change);
}

bool same(const cudaMemLocation& a, const cudaMemLocation& b) { return a.type == b.type && a.id == b.id; }

// Sets the fields of a location that CUDA ignores to 0, and replaces "the current node" by its number.
cudaMemLocation normal(cudaMemLocation location) {
  if (location.type == cudaMemLocationTypeHost) location.id = -1;  // as CUDA reports it
  if (location.type == cudaMemLocationTypeHostNumaCurrent) {
    location = {cudaMemLocationTypeHostNuma, std::max(0, processor().numa_node)};
  }
  return location;
}

std::size_t accessor_index(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeHost ? max_devices : static_cast<std::size_t>(location.id);
}

// The location that all of a range has in common, or none.
cudaMemLocation common_location(const std::vector<Advice>& parts, cudaMemLocation Advice::* which) {
  const cudaMemLocation first = parts.front().*which;
  const bool all =
      std::all_of(parts.begin(), parts.end(), [&](const Advice& part) { return same(part.*which, first); });
  return all ? first : cudaMemLocation{cudaMemLocationTypeInvalid, 0};
}

// A location as CUDA's older attributes report it: a device ordinal or one of the two special ids.
int as_device_id(const cudaMemLocation& location) {
  if (location.type == cudaMemLocationTypeDevice) return location.id;
  return location.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : cudaCpuDeviceId;
}

void answer_accessors(const std::vector<Advice>& parts, int* data, std::size_t room) {
  auto all = parts.front().accessed_by;
  for (const Advice& part : parts) all &= part.accessed_by;
  std::size_t filled = 0;
  for (std::size_t who = 0; who < all.size() && filled < room; ++who) {
    if (all[who]) data[filled++] = who == max_devices ? cudaCpuDeviceId : static_cast<int>(who);
  }
  std::fill(data + filled, data + room, cudaInvalidDeviceId);
}

int answer(const std::vector<Advice>& parts, cudaMemRangeAttribute which) {
  switch (which) {
    case cudaMemRangeAttributeReadMostly:
      return std::all_of(parts.begin(), parts.end(), [](const Advice& part) { return part.read_mostly; });
    case cudaMemRangeAttributePreferredLocation:
      return as_device_id(common_location(parts, &Advice::preferred));
    case cudaMemRangeAttributePreferredLocationType:
      return common_location(parts, &Advice::preferred).type;
    case cudaMemRangeAttributePreferredLocationId:
      return common_location(parts, &Advice::preferred).id;
    case cudaMemRangeAttributeLastPrefetchLocation:
      return as_device_id(common_location(parts, &Advice::prefetched));
    case cudaMemRangeAttributeLastPrefetchLocationType:
      return common_location(parts, &Advice::prefetched).type;
    default:
      return common_location(parts, &Advice::prefetched).id;
  }
}

cudaError_t check_question(const void* data, std::size_t data_bytes, cudaMemRangeAttribute which) {
  if (!data) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (which < cudaMemRangeAttributeReadMostly || which > cudaMemRangeAttributeLastPrefetchLocationId) {
    return refuse(cudaErrorInvalidValue, "%d is not a cudaMemRangeAttribute", static_cast<int>(which));
  }
  const bool list = which == cudaMemRangeAttributeAccessedBy;
  if (list ? data_bytes == 0 || data_bytes % sizeof(int) : data_bytes != sizeof(int)) {
    return refuse(cudaErrorInvalidValue, "the attribute does not have %zu bytes", data_bytes);
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t check_location(cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      if (location.id >= 0 && location.id < device_count()) return cudaSuccess;
      return refuse(cudaErrorInvalidDevice, "there is no device %d", location.id);
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    case cudaMemLocationTypeHostNuma:
      if (location.id >= 0 && location.id <= std::max(0, processor().numa_node)) return cudaSuccess;
      return refuse(cudaErrorInvalidValue, "there is no NUMA node %d", location.id);
    default:
      return refuse(cudaErrorInvalidValue, "%d is not a cudaMemLocationType", static_cast<int>(location.type));
  }
}

// CUDA allows pageable memory too where the device reads it through the host's page tables, as this one does.
cudaError_t check_managed_range(const void* address, std::size_t bytes) {
  if (!address || bytes == 0)
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p: the size must not be 0, nor the pointer null", bytes,
                  address);
  const Range range = lookup(address);
  if (range.kind == MemoryKind::managed && range.holds(address, bytes)) return cudaSuccess;
  if (range.kind == MemoryKind::pageable && is_mapped(address, bytes)) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the %zu bytes at %p are not managed memory", bytes, address);
}

cudaError_t advise(const void* address, std::size_t bytes, cudaMemoryAdvise advice, cudaMemLocation location) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy) {
    return refuse(cudaErrorInvalidValue, "%d is not a cudaMemoryAdvise", static_cast<int>(advice));
  }
  if (cudaError_t status = check_managed_range(address, bytes); status != cudaSuccess) return status;
  const bool accessor = advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
  if (accessor || advice == cudaMemAdviseSetPreferredLocation) {
    // Unlike a prefetch, advice reports every wrong location as cudaErrorInvalidValue.
    if (cudaError_t wrong = check_location(location); wrong != cudaSuccess) {
      return refuse(cudaErrorInvalidValue, "%s", diagnose::reason_of(wrong).c_str());
    }
    if (accessor && location.type != cudaMemLocationTypeDevice && location.type != cudaMemLocationTypeHost) {
      return refuse(cudaErrorInvalidValue, "the accessor must be a device or the host, not a NUMA node");
    }
  }
  location = normal(location);
  change_advice(address, bytes, [&](Advice& part) {
    switch (advice) {
      case cudaMemAdviseSetReadMostly:
        part.read_mostly = true;
        break;
      case cudaMemAdviseUnsetReadMostly:
        part.read_mostly = false;
        break;
      case cudaMemAdviseSetPreferredLocation:
        part.preferred = location;
        break;
      case cudaMemAdviseUnsetPreferredLocation:
        part.preferred = {cudaMemLocationTypeInvalid, 0};
        break;
      case cudaMemAdviseSetAccessedBy:
        part.accessed_by.set(accessor_index(location));
        break;
      case cudaMemAdviseUnsetAccessedBy:
        part.accessed_by.reset(accessor_index(location));
        break;
    }
  });
  return cudaSuccess;
}

cudaError_t range_attributes(void** data, std::size_t* data_bytes, cudaMemRangeAttribute* which, std::size_t count,
                             const void* address, std::size_t bytes) {
  if (!data || !data_bytes || !which || count == 0)
    return refuse(cudaErrorInvalidValue, "the list of attributes is null or empty");
  for (std::size_t i = 0; i < count; ++i) {
    if (cudaError_t status = check_question(data[i], data_bytes[i], which[i]); status != cudaSuccess) return status;
  }
  if (cudaError_t status = check_managed_range(address, bytes); status != cudaSuccess) return status;

  std::vector<Advice> parts;
  {
    MutexLock lock(mutex);
    advices().visit(first_page(address), after_last_page(address, bytes), [&](const Advice& a) { parts.push_back(a); });
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (which[i] == cudaMemRangeAttributeAccessedBy) {
      answer_accessors(parts, static_cast<int*>(data[i]), data_bytes[i] / sizeof(int));
    } else {
      const int value = answer(parts, which[i]);
      std::memcpy(data[i], &value, sizeof value);
    }
  }
  return cudaSuccess;
}

cudaError_t range_attribute(void* data, std::size_t data_bytes, cudaMemRangeAttribute which, const void* address,
                            std::size_t bytes) {
  return range_attributes(&data, &data_bytes, &which, 1, address, bytes);
}

void note_prefetch(const void* address, std::size_t bytes, cudaMemLocation location) {
  location = normal(location);
  change_advice(address, bytes, [&](Advice& part) { part.prefetched = location; });
}

void populate(const void* address, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  const std::uintptr_t begin = first_page(address);
  // A hint: on an older kernel, or if memory is short, the pages are allocated when they are touched.
  static_cast<void>(
      madvise(reinterpret_cast<void*>(begin), after_last_page(address, bytes) - begin, MADV_POPULATE_WRITE));
#else
  static_cast<void>(address), static_cast<void>(bytes);
#endif
}

// Discards only whole pages of managed memory: the rest of a page, or pageable memory, may hold other data.
void discard(const void* address, std::size_t bytes) {
  if (lookup(address).kind != MemoryKind::managed) return;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(address) + page - 1) & ~(page - 1);
  const std::uintptr_t end = (reinterpret_cast<std::uintptr_t>(address) + bytes) & ~(page - 1);
  if (begin < end) static_cast<void>(madvise(reinterpret_cast<void*>(begin), end - begin, MADV_FREE));
}

void forget_advice(std::uintptr_t base, std::size_t bytes) {
  MutexLock lock(mutex);
  const auto* address = reinterpret_cast<const void*>(base);
  if (!advices().empty()) advices().erase(first_page(address), after_last_page(address, bytes));
}

}  // namespace reprise_runtime::memory
