#include "memory/pool/pools.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <vector>

#include "base/devices.h"
#include "base/thread_local.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

HandleTable<NamedPool>& names() { return HandleTable<NamedPool>::instance(); }

// A device has two places for pools, one for its own memory and one for managed memory; the host has one.
constexpr std::size_t host_place = 2 * max_devices, place_count = host_place + 1;

struct Places {
  Mutex mutex;
  std::vector<Pool*> all REPRISE_GUARDED_BY(mutex);  // ever created
  std::array<Ref<NamedPool>, place_count> standard REPRISE_GUARDED_BY(mutex);
  std::array<Ref<NamedPool>, place_count> current REPRISE_GUARDED_BY(mutex);  // null: the default pool
};
Places& places() {
  static auto* made = new Places;
  return *made;
}

// A cache for the common case.
std::array<std::atomic<Pool*>, max_devices> current_of_device{};

cudaMemPool_t as_user(const Ref<NamedPool>& named) { return named->handle().as<cudaMemPool_t>(); }

Result<Ref<NamedPool>> make_pool(Places& all, const PoolTraits& traits, Ref<PoolFile> file)
    REPRISE_REQUIRES(all.mutex) {
  auto spare = std::find_if(all.all.begin(), all.all.end(), [](Pool* pool) { return pool->is_done(); });
  if (spare == all.all.end()) spare = all.all.insert(all.all.end(), new Pool);
  (*spare)->open(traits, std::move(file));
  Ref<NamedPool> named = names().create(**spare);
  if (named) return named;
  (*spare)->close();
  return cudaErrorMemoryAllocation;
}

Result<Ref<NamedPool>> standard_pool(Places& all, std::size_t place) REPRISE_REQUIRES(all.mutex) {
  if (all.standard[place]) return all.standard[place];
  PoolTraits traits;
  traits.kind = place == host_place   ? MemoryKind::pinned
                : place < max_devices ? MemoryKind::device
                                      : MemoryKind::managed;
  traits.device = place == host_place ? 0 : static_cast<int>(place % max_devices);
  Result<Ref<NamedPool>> made = make_pool(all, traits, nullptr);
  if (made.ok()) all.standard[place] = *made;
  return made;
}

cudaError_t no_such_device(int device) {
  return refuse(cudaErrorInvalidValue, "there is no device %d; the last one is %d", device, device_count() - 1);
}

// The place of pools of a location and a type.
Result<std::size_t> place_of(const cudaMemLocation& location, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  if (type != cudaMemAllocationTypePinned && !managed)
    return refuse(cudaErrorInvalidValue, "%d is not a type of memory that pools have", type);
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      if (location.id < 0 || location.id >= device_count()) return no_such_device(location.id);
      return static_cast<std::size_t>(location.id) + (managed ? max_devices : 0);
    case cudaMemLocationTypeHost:
      if (!managed) return std::size_t{host_place};
      break;
    case cudaMemLocationTypeNone:
      if (managed) return std::size_t{max_devices};
      break;
    case cudaMemLocationTypeHostNuma:
      if (!managed && location.id == 0) return std::size_t{host_place};
      break;
    default:
      break;
  }
  return refuse(cudaErrorInvalidValue, "memory of type %d has no pools at location type %d, id %d", type, location.type,
                location.id);
}

Result<PoolTraits> traits_of(const cudaMemPoolProps& p) {
  if (std::any_of(std::begin(p.reserved), std::end(p.reserved), [](unsigned char byte) { return byte; })) {
    return refuse(cudaErrorInvalidValue, "reserved fields must be 0");
  }
  if (p.handleTypes & ~cudaMemHandleTypePosixFileDescriptor) {
    return refuse(cudaErrorInvalidValue, "the handle type must be cudaMemHandleTypePosixFileDescriptor, not 0x%x",
                  p.handleTypes);
  }
  Result<std::size_t> place = place_of(p.location, p.allocType);
  if (!place.ok()) return place.status();
  PoolTraits traits;
  traits.kind = p.location.type == cudaMemLocationTypeHost || p.location.type == cudaMemLocationTypeHostNuma
                    ? MemoryKind::pinned
                : p.allocType == cudaMemAllocationTypeManaged ? MemoryKind::managed
                                                              : MemoryKind::device;
  traits.device = p.location.type == cudaMemLocationTypeDevice ? p.location.id : 0;
  traits.most_bytes = p.maxSize;
  if (p.maxSize > (std::size_t{1} << 44))
    return refuse(cudaErrorMemoryAllocation, "maxSize is %zu bytes, more than the address space", p.maxSize);
  traits.shared = p.handleTypes != 0;
  if (traits.shared && traits.kind != MemoryKind::device) {
    return refuse(cudaErrorInvalidValue, "only memory of a device can be shared");
  }
  return traits;
}

std::size_t place_of(const PoolTraits& traits) {
  if (traits.kind == MemoryKind::pinned) return host_place;
  return static_cast<std::size_t>(traits.device) + (traits.kind == MemoryKind::managed ? max_devices : 0);
}

void set_current(Places& all, std::size_t place, Ref<NamedPool> named) REPRISE_REQUIRES(all.mutex) {
  if (place < max_devices) current_of_device[place].store(named ? &named->pool : nullptr, std::memory_order_release);
  all.current[place] = std::move(named);
}

}  // namespace

Result<Pool*> find_pool(cudaMemPool_t handle) {
  // The pool that the calling thread used last is found without counting a reference.
  static REPRISE_THREAD_LOCAL Pool* known = nullptr;
  static REPRISE_THREAD_LOCAL std::uint64_t known_handle = 0;
  if (Handle::from(handle).bits == known_handle && names().names_live(Handle::from(handle))) return known;
  if (Ref<NamedPool> named = names().find(Handle::from(handle))) {
    known = &named->pool;
    known_handle = Handle::from(handle).bits;
    return known;
  }
  return refuse(cudaErrorInvalidValue, "%p is not a memory pool, or was destroyed", static_cast<void*>(handle));
}

cudaError_t create_pool(cudaMemPool_t* out, const cudaMemPoolProps& properties) {
  Result<PoolTraits> traits = traits_of(properties);
  if (!traits.ok()) return traits.status();
  Ref<PoolFile> file = traits->shared ? PoolFile::create(traits->device) : nullptr;
  if (traits->shared && !file)
    return refuse(cudaErrorMemoryAllocation, "the system provides no memory file for the pool");
  Places& all = places();
  MutexLock lock(all.mutex);
  Result<Ref<NamedPool>> made = make_pool(all, *traits, std::move(file));
  if (made.ok()) *out = as_user(*made);
  return made.status();
}

cudaError_t import_pool(cudaMemPool_t* out, void* shared, cudaMemAllocationHandleType type, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (flags) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", flags);
  if (type != cudaMemHandleTypePosixFileDescriptor) {
    return refuse(cudaErrorInvalidValue, "the handle type must be cudaMemHandleTypePosixFileDescriptor, not 0x%x",
                  type);
  }
  const auto descriptor = reinterpret_cast<std::intptr_t>(shared);
  Ref<PoolFile> file =
      descriptor >= 0 && descriptor <= INT_MAX ? PoolFile::open(static_cast<int>(descriptor)) : nullptr;
  if (descriptor < 0) return refuse(cudaErrorUnknown, "%td is not a file descriptor", descriptor);
  if (!file) return refuse(cudaErrorInvalidValue, "descriptor %td is not of a pool", descriptor);
  PoolTraits traits;
  traits.device = file->device() < device_count() ? file->device() : 0;
  traits.shared = traits.imported = true;
  Places& all = places();
  MutexLock lock(all.mutex);
  Result<Ref<NamedPool>> made = make_pool(all, traits, std::move(file));
  if (made.ok()) *out = as_user(*made);
  return made.status();
}

cudaError_t destroy_pool(cudaMemPool_t handle) {
  Places& all = places();
  MutexLock lock(all.mutex);
  for (const Ref<NamedPool>& each : all.standard) {
    if (each && as_user(each) == handle) return refuse(cudaErrorInvalidValue, "a default pool cannot be destroyed");
  }
  Ref<NamedPool> named = names().erase(Handle::from(handle));
  if (!named) return refuse(cudaErrorInvalidValue, "%p is not a memory pool", static_cast<void*>(handle));
  for (std::size_t place = 0; place < place_count; ++place) {
    if (all.current[place] == named) set_current(all, place, nullptr);
  }
  named->pool.close();
  return cudaSuccess;
}

Pool* current_pool(int device) {
  std::atomic<Pool*>& known = current_of_device[static_cast<std::size_t>(device)];
  if (Pool* pool = known.load(std::memory_order_acquire)) return pool;
  Places& all = places();
  MutexLock lock(all.mutex);
  const auto place = static_cast<std::size_t>(device);
  if (all.current[place]) return &all.current[place]->pool;
  Result<Ref<NamedPool>> made = standard_pool(all, place);
  if (!made.ok()) return nullptr;
  known.store(&(*made)->pool, std::memory_order_release);
  return &(*made)->pool;
}

cudaError_t get_default_pool(cudaMemPool_t* out, const cudaMemLocation& location, cudaMemAllocationType type) {
  Result<std::size_t> place = place_of(location, type);
  if (!place.ok()) return place.status();
  Places& all = places();
  MutexLock lock(all.mutex);
  Result<Ref<NamedPool>> made = standard_pool(all, *place);
  if (made.ok()) *out = as_user(*made);
  return made.status();
}

cudaError_t get_current_pool(cudaMemPool_t* out, const cudaMemLocation& location, cudaMemAllocationType type) {
  Result<std::size_t> place = place_of(location, type);
  if (!place.ok()) return place.status();
  Places& all = places();
  MutexLock lock(all.mutex);
  Result<Ref<NamedPool>> made =
      all.current[*place] ? Result<Ref<NamedPool>>(all.current[*place]) : standard_pool(all, *place);
  if (made.ok()) *out = as_user(*made);
  return made.status();
}

cudaError_t set_current_pool(const cudaMemLocation& location, cudaMemAllocationType type, cudaMemPool_t handle) {
  Result<std::size_t> place = place_of(location, type);
  if (!place.ok()) return place.status();
  Places& all = places();
  MutexLock lock(all.mutex);
  Ref<NamedPool> named = names().find(Handle::from(handle));
  if (!named) return refuse(cudaErrorInvalidValue, "%p is not a memory pool", static_cast<void*>(handle));
  const PoolTraits traits = named->pool.traits();
  if (traits.imported)
    return refuse(cudaErrorInvalidValue, "the pool belongs to another process; only that process allocates from it");
  if (place_of(traits) != *place)
    return refuse(cudaErrorInvalidValue, "the pool belongs to another location or type of memory");
  set_current(all, *place, std::move(named));
  return cudaSuccess;
}

void reset_pools(int device) {
  Places& all = places();
  MutexLock lock(all.mutex);
  names().for_each([&](const Ref<NamedPool>& named) REPRISE_NO_THREAD_SAFETY_ANALYSIS {
    const PoolTraits traits = named->pool.traits();
    if (traits.device != device) return;
    for (std::size_t place = 0; place < place_count; ++place) {
      if (all.current[place] == named) set_current(all, place, nullptr);
    }
    if (std::find(all.standard.begin(), all.standard.end(), named) == all.standard.end()) return;
    named->pool.drop_all();
    named->pool.close();
    named->pool.open(traits, nullptr);
  });
  for (Pool* pool : all.all) {
    if (!pool->is_open() && pool->traits().device == device) pool->drop_all();
  }
}

void release_unused_memory() {
  Pool::release_is_done();
  std::vector<Pool*> all;
  {
    MutexLock lock(places().mutex);
    all = places().all;
  }
  for (Pool* pool : all) pool->release_unused();
}

}  // namespace reprise_runtime::memory
