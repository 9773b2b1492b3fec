#include "op/memory_check.h"

#include "diagnose/refuse.h"

namespace reprise_runtime::op {
namespace {

using diagnose::refuse;
using memory::MemoryKind;

[[gnu::cold]] cudaError_t wrong_side(const void* address, MemoryKind kind, const char* name) {
  if (kind == MemoryKind::dead) return refuse(cudaErrorInvalidValue, "the %s %p is %s", name, address, describe(kind));
  return refuse(cudaErrorInvalidValue, "the %s %p is %s, and must be device memory", name, address, describe(kind));
}

[[gnu::cold]] cudaError_t too_short(const void* address, const memory::Range& range, std::size_t reach,
                                    const char* name) {
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(address) - range.base;
  return refuse(cudaErrorInvalidValue, "the %s %p takes %zu bytes; %zu are left of the %zu allocated at %p", name,
                address, reach, range.size - offset, range.size, reinterpret_cast<void*>(range.base));
}

[[gnu::cold]] cudaError_t check_access(const void* address, const memory::Range& range, Use use, const char* name) {
  const bool readable = range.protection == memory::Protection::read_only;
  if (readable && use == Use::source) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the %s %p is %s; cuMemSetAccess gives access", name, address,
                readable ? "mapped for reading only" : "mapped without access");
}

}  // namespace

cudaError_t check_memory(const memory::Place& place, const memory::Extent& extent, Side side, Use use,
                         MemoryKind& kind) {
  const char* const name = use == Use::destination ? "destination" : "source";
  if (!place.address) return refuse(cudaErrorInvalidValue, "the %s is null", name);
  const memory::Range range = memory::lookup(place.address);
  kind = range.kind;
  const bool fits = side == Side::device ? range.device_side() : range.kind != MemoryKind::dead;
  if (!fits) return wrong_side(place.address, kind, name);
  if (kind == MemoryKind::pageable) return cudaSuccess;  // only the program knows its size
  if (range.protection != memory::Protection::read_write) [[unlikely]] {
    if (cudaError_t refused = check_access(place.address, range, use, name); refused != cudaSuccess) return refused;
  }
  const std::size_t reach = place.reach(extent);
  if (range.holds(place.address, reach) || memory::hold_together(range, place.address, reach)) return cudaSuccess;
  return too_short(place.address, range, reach, name);
}

}  // namespace reprise_runtime::op
