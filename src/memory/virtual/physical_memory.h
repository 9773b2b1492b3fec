// Memory without addresses, as cuMemCreate makes it. Users name it by a handle, VirtualMemory maps it.
//
// Thread safety: every function may be called from any thread.
//
// Invariants
//  1. The handle is valid as long as the user has references or the memory is mapped, as on an H200.
//  2. Memory that was created here is charged to its device until the object ends.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <cstdint>

#include "base/handle_table.h"
#include "base/mutex.h"
#include "base/status.h"
#include "memory/pool/pool_file.h"

namespace reprise_runtime::memory {

// The size and alignment of physical memory and of mappings are multiples of this, as on an H200.
inline constexpr std::size_t mapping_granularity = std::size_t{2} << 20;

struct PhysicalMemoryProperties {
  cudaMemLocation location = {cudaMemLocationTypeDevice, 0};
  unsigned handle_types = cudaMemHandleTypeNone;  // that it may be exported to
  std::uint8_t compression = 0, rdma = 0;         // without effect, but queries return them
  std::uint16_t usage = 0;

  bool on_device() const { return location.type == cudaMemLocationTypeDevice; }
};

class PhysicalMemory : public Handled<PhysicalMemory> {
 public:
  static constexpr HandleType handle_type = HandleType::physical_memory;

  PhysicalMemory(const PhysicalMemoryProperties& properties, std::size_t bytes, Ref<PoolFile> file, std::size_t offset,
                 bool imported);
  ~PhysicalMemory();

  std::size_t bytes() const { return bytes_; }
  const PhysicalMemoryProperties& properties() const { return properties_; }
  int device() const { return properties_.on_device() ? properties_.location.id : 0; }
  bool imported() const { return imported_; }
  // A new descriptor of the memory file; -1 if there are no more.
  int share() const { return file_->share(); }

  // Maps all of it, readable and writable.
  [[nodiscard]] bool map(void* address) const { return file_->map(address, offset_, bytes_); }

  void add_reference() REPRISE_EXCLUDES(mutex_);
  // False if the user has none left.
  [[nodiscard]] bool drop_reference() REPRISE_EXCLUDES(mutex_);
  // False if the user has released it meanwhile and it is mapped nowhere.
  [[nodiscard]] bool add_mapping() REPRISE_EXCLUDES(mutex_);
  void drop_mapping() REPRISE_EXCLUDES(mutex_);

 private:
  void end_if_unused() REPRISE_REQUIRES(mutex_);

  const PhysicalMemoryProperties properties_;
  const std::size_t bytes_;
  const Ref<PoolFile> file_;
  const std::size_t offset_;  // in the file
  const bool imported_;

  Mutex mutex_;
  std::uint64_t references_ REPRISE_GUARDED_BY(mutex_) = 1, mappings_ REPRISE_GUARDED_BY(mutex_) = 0;
};

// cuMemCreate and the calls that take its handle.
[[nodiscard]] cudaError_t check_properties(const PhysicalMemoryProperties& properties);
[[nodiscard]] Result<Handle> create_physical_memory(std::size_t bytes, const PhysicalMemoryProperties& properties);
[[nodiscard]] Result<Ref<PhysicalMemory>> find_physical_memory(Handle handle);
[[nodiscard]] cudaError_t release_physical_memory(Handle handle);
[[nodiscard]] cudaError_t export_physical_memory(int* descriptor, Handle handle, unsigned handle_type);
[[nodiscard]] Result<Handle> import_physical_memory(int descriptor, unsigned handle_type);

}  // namespace reprise_runtime::memory
