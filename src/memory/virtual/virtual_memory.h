// Addresses that the user reserves, and the physical memory that is mapped there.
//
//   | reservation                                       | reservation ...  |
//   | mapping, access RW | mapping, no access | nothing |                      work may cross adjoining mappings
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. Each mapping lies in one reservation or in several that adjoin; mappings do not overlap.
//  2. The pages of a mapping allow the most that any device may do. One address space serves all devices, so that an
//     access by a device without rights faults only if no other device has them.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/mutex.h"
#include "memory/address/span_owner.h"
#include "memory/virtual/physical_memory.h"

namespace reprise_runtime::memory {

class VirtualMemory final : public SpanOwner {
 public:
  static VirtualMemory& instance();

  // `alignment` 0 stands for any. The result is at `preferred` if these addresses are free.
  [[nodiscard]] Result<std::uintptr_t> reserve(std::size_t bytes, std::size_t alignment, std::uintptr_t preferred)
      REPRISE_EXCLUDES(mutex_);
  // Exactly one reservation, in which nothing is mapped.
  [[nodiscard]] cudaError_t free_addresses(std::uintptr_t address, std::size_t bytes) REPRISE_EXCLUDES(mutex_);

  // Maps all of the memory, without access. As on an H200, mapping a part of it is not supported.
  [[nodiscard]] cudaError_t map(std::uintptr_t address, std::size_t bytes, std::size_t offset, Handle memory)
      REPRISE_EXCLUDES(mutex_);
  // Whole mappings; there may be gaps between them. Does not wait for work that uses them.
  [[nodiscard]] cudaError_t unmap(std::uintptr_t address, std::size_t bytes) REPRISE_EXCLUDES(mutex_);

  // For whole mappings without gaps.
  [[nodiscard]] cudaError_t set_access(std::uintptr_t address, std::size_t bytes, const cudaMemAccessDesc* access,
                                       std::size_t count) REPRISE_EXCLUDES(mutex_);

  struct MappingInfo {
    std::uintptr_t reservation, base;
    std::size_t reservation_bytes, bytes;
    cudaMemAccessFlags access;  // of the memory's own device
    Ref<PhysicalMemory> memory;
  };
  // The mapping around an address, if there is one.
  std::optional<MappingInfo> mapping_around(const void* address) REPRISE_EXCLUDES(mutex_);
  // What a location may do with the memory at the address, of whatever kind.
  [[nodiscard]] Result<cudaMemAccessFlags> access_of(const cudaMemLocation& location, const void* address)
      REPRISE_EXCLUDES(mutex_);
  // Adds a reference for the user to the memory mapped there.
  [[nodiscard]] Result<Handle> retain_mapped(const void* address) REPRISE_EXCLUDES(mutex_);

  Range find(std::uintptr_t address) override REPRISE_EXCLUDES(mutex_);
  [[nodiscard]] cudaError_t free(void* address, const exec::Marker& in_use_until) override;
  bool joins_ranges() const override { return true; }

 private:
  struct Reservation {
    Span* span;
    std::size_t bytes;
  };
  struct Mapping {
    std::size_t bytes;
    Ref<PhysicalMemory> memory;
    std::vector<cudaMemAccessFlags> access;  // by device; the last one is the host's

    cudaMemAccessFlags most() const;
  };
  using Mappings = std::map<std::uintptr_t, Mapping>;

  Mappings::iterator around(std::uintptr_t address) REPRISE_REQUIRES(mutex_);
  // Whether the addresses are all reserved.
  bool reserved(std::uintptr_t address, std::size_t bytes) REPRISE_REQUIRES(mutex_);
  // The mappings from `address` to `end`; an error if there is a gap, or one of them lies partly outside.
  [[nodiscard]] Result<std::vector<Mappings::iterator>> whole_mappings(std::uintptr_t address, std::uintptr_t end)
      REPRISE_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<std::uintptr_t, Reservation> reservations_ REPRISE_GUARDED_BY(mutex_);
  Mappings mappings_ REPRISE_GUARDED_BY(mutex_);
};

}  // namespace reprise_runtime::memory
