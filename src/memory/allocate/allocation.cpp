#include "memory/allocate/allocation.h"

#include <algorithm>
#include <array>

#include "base/context_members.h"
#include "base/devices.h"
#include "base/machine.h"
#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "memory/address/history.h"
#include "memory/address/host_registration.h"
#include "memory/address/imported_memory.h"
#include "memory/address/span_owner.h"
#include "memory/allocate/advice.h"
#include "memory/allocate/heap.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

constexpr std::size_t pitch_alignment = 512;
// Advice applies to whole pages, so managed allocations do not share pages.
constexpr std::size_t smallest_managed = 4096;

struct DeviceHeaps {
  DeviceHeaps(int ordinal, Capacity& machine, std::size_t taken_by_others)
      : capacity(device_memory_bytes(), taken_by_others),
        host(machine),
        device(AddressWindow::instance(), capacity, MemoryKind::device, ordinal),
        pinned(AddressWindow::instance(), machine, MemoryKind::pinned, ordinal),
        managed(AddressWindow::instance(), machine, MemoryKind::managed, ordinal, smallest_managed) {}

  Heap& of(MemoryKind kind) {
    return kind == MemoryKind::device ? device : kind == MemoryKind::pinned ? pinned : managed;
  }

  Capacity capacity;
  Capacity& host;
  Heap device, pinned, managed;
};

// Pinned and managed memory are charged to the machine as a whole: managed memory may exceed a device's memory.
struct Heaps {
  Heaps() : host(read_machine_memory().total) {
    const MachineMemory machine = read_machine_memory();
    const std::size_t taken = machine.total - machine.available;
    // Memory of other programs counts if it leaves less than the devices' nominal memory.
    const std::size_t spare = machine.total - std::min(machine.total, device_memory_bytes() * count());
    const std::size_t share = (taken - std::min(taken, spare)) / count();
    for (int device = 0; device < device_count(); ++device) {
      devices[static_cast<std::size_t>(device)] = new DeviceHeaps(device, host, share);
    }
  }
  static std::size_t count() { return static_cast<std::size_t>(device_count()); }

  Capacity host;
  std::array<DeviceHeaps*, max_devices> devices{};
};

DeviceHeaps& heaps(int device) {
  static Heaps* all = new Heaps;  // never destroyed: memory is freed by destructors that run at exit, too
  return *all->devices[static_cast<std::size_t>(device)];
}

// Why an address cannot be freed by a call for `wanted`.
cudaError_t cannot_free(const void* address, const Range& range, const char* wanted, const char* instead) {
  if (range.size && reinterpret_cast<std::uintptr_t>(address) != range.base) {
    return refuse(cudaErrorInvalidValue, "%p is %zu bytes inside an allocation that starts at %p", address,
                  static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(address) - range.base),
                  reinterpret_cast<void*>(range.base));
  }
  return refuse(cudaErrorInvalidValue, "%p is %s; this call frees %s%s", address, describe(range.kind), wanted,
                instead);
}

bool free_range(const Range& range, void* address) {
  Span* span = AddressWindow::instance().find(address);
  return span && heaps(range.device).of(range.kind).free(span, address);
}

}  // namespace

cudaError_t allocate(MemoryKind kind, int device, std::size_t bytes, unsigned flags, void** address) {
  if (bytes == 0) {
    *address = nullptr;
    return cudaSuccess;
  }
  void* memory = heaps(device).of(kind).allocate(bytes, flags);
  *address = memory;
  if (!memory) {
    const MemoryInfo info = memory_info(device);
    return refuse(cudaErrorMemoryAllocation, "%zu bytes of %s requested; device %d has %zu of %zu bytes left", bytes,
                  describe(kind), device, info.free, info.total);
  }
  note_allocated(memory, bytes, kind);
  own_member(kind == MemoryKind::pinned ? MemberKind::host_memory : MemberKind::device_memory, memory);
  return cudaSuccess;
}

cudaError_t allocate_pitched(int device, std::size_t width, std::size_t height, std::size_t depth, void** address,
                             std::size_t* pitch) {
  if (width == 0 || height == 0 || depth == 0) {
    *address = nullptr;
    *pitch = 0;
    return cudaSuccess;
  }
  const std::size_t padded = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
  std::size_t bytes = 0;
  if (padded < width || __builtin_mul_overflow(padded, height, &bytes) ||
      __builtin_mul_overflow(bytes, depth, &bytes)) {
    return refuse(cudaErrorMemoryAllocation, "the requested size exceeds the address space");
  }
  const cudaError_t status = allocate(MemoryKind::device, device, bytes, 0, address);
  if (status == cudaSuccess) *pitch = padded;
  return status;
}

cudaError_t free_device(void* address) {
  if (!address) return cudaSuccess;
  if (SpanOwner* owner = owner_of(address)) return owner->free(address, {});
  if (const ImportedMemory imported = forget_imported(address); imported.span) {
    unmap(imported);
    return cudaSuccess;
  }
  const Range range = lookup(address);
  if ((range.kind == MemoryKind::device || range.kind == MemoryKind::managed) && free_range(range, address)) {
    if (range.kind == MemoryKind::managed) forget_advice(range.base, range.size);
    note_freed(address, range.size, range.kind);
    disown_member(address);
    return cudaSuccess;
  }
  return cannot_free(address, range, "device and managed memory",
                     range.kind == MemoryKind::pinned       ? ": use cudaFreeHost"
                     : range.kind == MemoryKind::registered ? ": use cudaHostUnregister"
                                                            : "");
}

cudaError_t free_pinned(void* address) {
  if (!address) return cudaSuccess;
  const Range range = lookup(address);
  if (range.kind == MemoryKind::pinned && free_range(range, address)) {
    note_freed(address, range.size, range.kind);
    disown_member(address);
    return cudaSuccess;
  }
  return cannot_free(address, range, "pinned host memory",
                     range.kind == MemoryKind::registered ? ": use cudaHostUnregister"
                     : range.device_side()                ? ": use cudaFree"
                                                          : "");
}

Capacity& capacity_of(MemoryKind kind, int device) {
  return kind == MemoryKind::device ? heaps(device).capacity : heaps(device).host;
}

MemoryInfo memory_info(int device) {
  const Capacity& capacity = heaps(device).capacity;
  return {capacity.free(), capacity.total()};
}

void free_all(int device) {
  DeviceHeaps& mine = heaps(device);
  mine.device.free_all();
  mine.pinned.free_all();
  mine.managed.free_all();
  unregister_all(device);
}

}  // namespace reprise_runtime::memory
