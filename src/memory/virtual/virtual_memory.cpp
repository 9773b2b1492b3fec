#include "memory/virtual/virtual_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "base/devices.h"
#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "memory/address/address_window.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

void* pointer(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

bool multiple_of_granularity(std::uintptr_t value) { return value % mapping_granularity == 0; }

int protection_of(cudaMemAccessFlags access) {
  switch (access) {
    case cudaMemAccessFlagsProtReadWrite:
      return PROT_READ | PROT_WRITE;
    case cudaMemAccessFlagsProtRead:
      return PROT_READ;
    default:
      return PROT_NONE;
  }
}

Protection as_protection(cudaMemAccessFlags access) {
  switch (access) {
    case cudaMemAccessFlagsProtReadWrite:
      return Protection::read_write;
    case cudaMemAccessFlagsProtRead:
      return Protection::read_only;
    default:
      return Protection::no_access;
  }
}

bool is_host(const cudaMemLocation& location) {
  return location.type == cudaMemLocationTypeHost || location.type == cudaMemLocationTypeHostNuma ||
         location.type == cudaMemLocationTypeHostNumaCurrent;
}

// The place of a location among a mapping's access flags; nothing if there is no such location.
std::optional<std::size_t> place_of(const cudaMemLocation& location) {
  if (is_host(location)) return static_cast<std::size_t>(device_count());
  if (location.type != cudaMemLocationTypeDevice || location.id < 0 || location.id >= device_count()) return {};
  return static_cast<std::size_t>(location.id);
}

cudaError_t check_access(const cudaMemAccessDesc& access) {
  if (!place_of(access.location)) {
    return refuse(cudaErrorInvalidValue, "location %d of type %d is no device", access.location.id,
                  static_cast<int>(access.location.type));
  }
  const int flags = access.flags;
  if (flags == cudaMemAccessFlagsProtNone || flags == cudaMemAccessFlagsProtRead ||
      flags == cudaMemAccessFlagsProtReadWrite) {
    return cudaSuccess;
  }
  return refuse(cudaErrorInvalidValue, "access flags 0x%x; they must be NONE, READ or READWRITE", flags);
}

cudaError_t not_mapped(const void* address) {
  return refuse(cudaErrorInvalidValue, "%p is not mapped by cuMemMap", address);
}

}  // namespace

VirtualMemory& VirtualMemory::instance() {
  static auto* memory = new VirtualMemory;  // never destroyed, as SpanOwner requires
  return *memory;
}

cudaMemAccessFlags VirtualMemory::Mapping::most() const { return *std::max_element(access.begin(), access.end()); }

Result<std::uintptr_t> VirtualMemory::reserve(std::size_t bytes, std::size_t alignment, std::uintptr_t preferred) {
  if (bytes == 0 || !multiple_of_granularity(bytes)) {
    return refuse(cudaErrorInvalidValue, "%zu bytes; the size must be a multiple of %zu", bytes, mapping_granularity);
  }
  if (alignment != 0 && !std::has_single_bit(alignment)) {
    return refuse(cudaErrorInvalidValue, "the alignment %zu is no power of two", alignment);
  }
  alignment = std::max(alignment, mapping_granularity);
  if (preferred % alignment != 0) {
    return refuse(cudaErrorInvalidValue, "the preferred address %p is no multiple of %zu", pointer(preferred),
                  alignment);
  }
  Span* span = AddressWindow::instance().reserve(bytes, alignment, preferred);
  if (!span) return refuse(cudaErrorMemoryAllocation, "there are no %zu bytes of addresses left", bytes);
  span->block_bytes.store(0, std::memory_order_relaxed);
  span->kind.store(MemoryKind::device, std::memory_order_relaxed);
  span->device.store(0, std::memory_order_relaxed);
  span->large_size.store(0, std::memory_order_relaxed);
  span->owner.store(this, std::memory_order_release);
  const std::uintptr_t base = span->base.load(std::memory_order_relaxed);
  {
    MutexLock lock(mutex_);
    reservations_.emplace(base, Reservation{span, bytes});
  }
  AddressWindow::instance().publish(span);
  return base;
}

cudaError_t VirtualMemory::free_addresses(std::uintptr_t address, std::size_t bytes) {
  MutexLock lock(mutex_);
  const auto found = reservations_.find(address);
  if (found == reservations_.end() || found->second.bytes != bytes) {
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p are not exactly what cuMemAddressReserve returned", bytes,
                  pointer(address));
  }
  const auto next = mappings_.lower_bound(address);
  const bool starts_inside = next != mappings_.end() && next->first < address + bytes;
  if (starts_inside || around(address) != mappings_.end()) {
    return refuse(cudaErrorInvalidValue, "memory is mapped in the reservation at %p; call cuMemUnmap first",
                  pointer(address));
  }
  AddressWindow::instance().release(found->second.span);
  reservations_.erase(found);
  return cudaSuccess;
}

cudaError_t VirtualMemory::map(std::uintptr_t address, std::size_t bytes, std::size_t offset, Handle handle) {
  Result<Ref<PhysicalMemory>> found = find_physical_memory(handle);
  if (!found.ok()) return found.status();
  PhysicalMemory& memory = **found;
  if (!multiple_of_granularity(address)) {
    return refuse(cudaErrorInvalidValue, "the address %p is no multiple of %zu", pointer(address), mapping_granularity);
  }
  if (offset != 0 || bytes != memory.bytes()) {
    return refuse(cudaErrorNotSupported, "%zu bytes at offset %zu of memory of %zu bytes; only all of it can be mapped",
                  bytes, offset, memory.bytes());
  }
  MutexLock lock(mutex_);
  if (!reserved(address, bytes)) {
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p are not reserved; see cuMemAddressReserve", bytes,
                  pointer(address));
  }
  const auto next = mappings_.lower_bound(address);
  if (around(address) != mappings_.end() || (next != mappings_.end() && next->first < address + bytes)) {
    return refuse(cudaErrorInvalidValue, "memory is mapped at %p already; call cuMemUnmap first", pointer(address));
  }
  std::vector<cudaMemAccessFlags> access(static_cast<std::size_t>(device_count()) + 1, cudaMemAccessFlagsProtNone);
  const auto made = mappings_.emplace(address, Mapping{bytes, *found, std::move(access)}).first;
  if (!memory.add_mapping()) {
    mappings_.erase(made);
    return refuse(cudaErrorInvalidValue, "the memory was released while it was being mapped");
  }
  if (memory.map(pointer(address)) && mprotect(pointer(address), bytes, PROT_NONE) == 0) return cudaSuccess;
  AddressWindow::drop_memory(pointer(address), bytes);
  mappings_.erase(made);
  memory.drop_mapping();
  return refuse(cudaErrorMemoryAllocation, "the system refuses more mappings");
}

cudaError_t VirtualMemory::unmap(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end = address + bytes;
  MutexLock lock(mutex_);
  if (bytes == 0 || end < address || !reserved(address, 1)) {
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p are not reserved; see cuMemAddressReserve", bytes,
                  pointer(address));
  }
  for (const std::uintptr_t edge : {address, end}) {
    const auto cut = around(edge);
    if (cut == mappings_.end() || cut->first == edge) continue;
    return refuse(cudaErrorInvalidValue, "%zu bytes at %p are part of the mapping of %zu bytes at %p; unmap all of it",
                  bytes, pointer(address), cut->second.bytes, pointer(cut->first));
  }
  for (auto each = mappings_.lower_bound(address); each != mappings_.end() && each->first < end;) {
    AddressWindow::drop_memory(pointer(each->first), each->second.bytes);
    each->second.memory->drop_mapping();
    each = mappings_.erase(each);
  }
  return cudaSuccess;
}

cudaError_t VirtualMemory::set_access(std::uintptr_t address, std::size_t bytes, const cudaMemAccessDesc* access,
                                      std::size_t count) {
  if (!access || count == 0) return refuse(cudaErrorInvalidValue, "the access descriptions are null or none");
  for (std::size_t i = 0; i < count; ++i) {
    if (cudaError_t refused = check_access(access[i]); refused != cudaSuccess) return refused;
  }
  MutexLock lock(mutex_);
  Result<std::vector<Mappings::iterator>> all = whole_mappings(address, address + bytes);
  if (!all.ok()) return all.status();
  for (const Mappings::iterator& each : *all) {
    if (!each->second.memory->properties().on_device()) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_host(access[i].location))
        return refuse(cudaErrorNotSupported, "the access of the host to memory of a device cannot be set");
    }
  }
  for (const Mappings::iterator& each : *all) {
    Mapping& mapping = each->second;
    for (std::size_t i = 0; i < count; ++i) mapping.access[*place_of(access[i].location)] = access[i].flags;
    if (mprotect(pointer(each->first), mapping.bytes, protection_of(mapping.most())) != 0)
      return refuse(cudaErrorMemoryAllocation, "the system refuses more mappings");
  }
  return cudaSuccess;
}

Result<std::vector<VirtualMemory::Mappings::iterator>> VirtualMemory::whole_mappings(std::uintptr_t address,
                                                                                     std::uintptr_t end) {
  std::vector<Mappings::iterator> all;
  std::uintptr_t at = address;
  for (auto each = mappings_.find(address); each != mappings_.end() && each->first == at && at < end; ++each) {
    all.push_back(each);
    at += each->second.bytes;
  }
  if (!all.empty() && at == end) return all;
  return refuse(cudaErrorInvalidValue, "%zu bytes at %p are not whole mappings of cuMemMap without gaps",
                static_cast<std::size_t>(end - address), pointer(address));
}

std::optional<VirtualMemory::MappingInfo> VirtualMemory::mapping_around(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  MutexLock lock(mutex_);
  const auto found = around(wanted);
  if (found == mappings_.end()) return {};
  const auto& [start, reservation] = *std::prev(reservations_.upper_bound(wanted));
  const Mapping& mapping = found->second;
  const auto device = static_cast<std::size_t>(mapping.memory->device());
  return MappingInfo{start, found->first, reservation.bytes, mapping.bytes, mapping.access[device], mapping.memory};
}

Result<cudaMemAccessFlags> VirtualMemory::access_of(const cudaMemLocation& location, const void* address) {
  const std::optional<std::size_t> place = place_of(location);
  if (!place) return refuse(cudaErrorInvalidDevice, "there is no device %d", location.id);
  {
    MutexLock lock(mutex_);
    const auto found = around(reinterpret_cast<std::uintptr_t>(address));
    if (found != mappings_.end()) {
      // The host can use memory of a device, whatever the devices may do.
      const bool always = is_host(location) && found->second.memory->properties().on_device();
      return always ? cudaMemAccessFlagsProtReadWrite : found->second.access[*place];
    }
  }
  if (lookup(address).device_side()) return cudaMemAccessFlagsProtReadWrite;
  return refuse(cudaErrorInvalidValue, "%p is %s", address, describe(lookup(address).kind));
}

Result<Handle> VirtualMemory::retain_mapped(const void* address) {
  MutexLock lock(mutex_);
  const auto found = around(reinterpret_cast<std::uintptr_t>(address));
  if (found == mappings_.end()) return not_mapped(address);
  found->second.memory->add_reference();
  return found->second.memory->handle();
}

Range VirtualMemory::find(std::uintptr_t address) {
  MutexLock lock(mutex_);
  const auto found = around(address);
  if (found == mappings_.end()) {
    Range range;
    range.kind = MemoryKind::dead;
    return range;
  }
  const Mapping& mapping = found->second;
  const MemoryKind kind = mapping.memory->properties().on_device() ? MemoryKind::device : MemoryKind::pinned;
  return {found->first, mapping.bytes, kind, 0, mapping.memory->device(), as_protection(mapping.most())};
}

cudaError_t VirtualMemory::free(void* address, const exec::Marker&) {
  return refuse(cudaErrorInvalidValue, "%p is in a reservation of cuMemAddressReserve; use cuMemUnmap and cuMemRelease",
                address);
}

VirtualMemory::Mappings::iterator VirtualMemory::around(std::uintptr_t address) {
  const auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return mappings_.end();
  const auto before = std::prev(after);
  return address - before->first < before->second.bytes ? before : mappings_.end();
}

bool VirtualMemory::reserved(std::uintptr_t address, std::size_t bytes) {
  const std::uintptr_t end = address + bytes;
  if (end < address) return false;
  for (std::uintptr_t at = address; at < end;) {
    const auto after = reservations_.upper_bound(at);
    if (after == reservations_.begin()) return false;
    const auto& [start, reservation] = *std::prev(after);
    if (at - start >= reservation.bytes) return false;
    at = start + reservation.bytes;
  }
  return true;
}

}  // namespace reprise_runtime::memory
