#include "memory/virtual/physical_memory.h"

#include <map>
#include <utility>

#include "base/devices.h"
#include "diagnose/refuse.h"
#include "memory/allocate/allocation.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

HandleTable<PhysicalMemory>& table() { return HandleTable<PhysicalMemory>::instance(); }

// Memory that cannot be exported shares one file per location: an allocator may create more pieces than a process may
// have descriptors.
struct SharedFiles {
  Mutex mutex;
  std::map<int, Ref<PoolFile>> by_location REPRISE_GUARDED_BY(mutex);

  static SharedFiles& instance() {
    static auto* files = new SharedFiles;
    return *files;
  }
};

constexpr int on_host = -1;

Capacity& capacity_for(const PhysicalMemoryProperties& properties) {
  return properties.on_device() ? capacity_of(MemoryKind::device, properties.location.id)
                                : capacity_of(MemoryKind::pinned, 0);
}

struct Part {
  Ref<PoolFile> file;
  std::size_t offset = 0;
};

// A part of a file with null as the file if the system provides none.
Part take_part(std::size_t bytes, const PhysicalMemoryProperties& properties) {
  Part part;
  const int location = properties.on_device() ? properties.location.id : on_host;
  if (properties.handle_types != cudaMemHandleTypeNone) {
    part.file = PoolFile::create(location, FileUse::allocation);
    if (part.file && !part.file->take(bytes, part.offset)) part.file = nullptr;
    return part;
  }
  SharedFiles& files = SharedFiles::instance();
  MutexLock lock(files.mutex);
  Ref<PoolFile>& file = files.by_location[location];
  if (!file) file = PoolFile::create(location, FileUse::allocation);
  if (file && file->take(bytes, part.offset)) part.file = file;
  return part;
}

}  // namespace

PhysicalMemory::PhysicalMemory(const PhysicalMemoryProperties& properties, std::size_t bytes, Ref<PoolFile> file,
                               std::size_t offset, bool imported)
    : properties_(properties), bytes_(bytes), file_(std::move(file)), offset_(offset), imported_(imported) {}

PhysicalMemory::~PhysicalMemory() {
  if (imported_) return;
  capacity_for(properties_).refund(bytes_);
  if (properties_.handle_types != cudaMemHandleTypeNone) return;  // the file ends with its last descriptor
  MutexLock lock(SharedFiles::instance().mutex);
  file_->give_back(offset_, bytes_);
}

void PhysicalMemory::add_reference() {
  MutexLock lock(mutex_);
  ++references_;
}

bool PhysicalMemory::drop_reference() {
  MutexLock lock(mutex_);
  if (references_ == 0) return false;
  --references_;
  end_if_unused();
  return true;
}

bool PhysicalMemory::add_mapping() {
  MutexLock lock(mutex_);
  if (references_ == 0 && mappings_ == 0) return false;
  ++mappings_;
  return true;
}

void PhysicalMemory::drop_mapping() {
  MutexLock lock(mutex_);
  --mappings_;
  end_if_unused();
}

// The caller's reference keeps the object until the mutex is released.
void PhysicalMemory::end_if_unused() {
  if (references_ == 0 && mappings_ == 0) static_cast<void>(table().erase(handle()));
}

cudaError_t check_properties(const PhysicalMemoryProperties& properties) {
  switch (properties.location.type) {
    case cudaMemLocationTypeDevice:
      if (properties.location.id >= 0 && properties.location.id < device_count()) break;
      return refuse(cudaErrorInvalidDevice, "there is no device %d", properties.location.id);
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      break;
    default:
      return refuse(cudaErrorInvalidValue, "location type %d is neither a device nor the host",
                    static_cast<int>(properties.location.type));
  }
  if (properties.handle_types & ~unsigned{cudaMemHandleTypePosixFileDescriptor}) {
    return refuse(cudaErrorNotSupported, "handle types 0x%x; this system shares only file descriptors",
                  properties.handle_types);
  }
  return cudaSuccess;
}

Result<Handle> create_physical_memory(std::size_t bytes, const PhysicalMemoryProperties& properties) {
  if (cudaError_t refused = check_properties(properties); refused != cudaSuccess) return refused;
  if (bytes == 0 || bytes % mapping_granularity != 0) {
    return refuse(cudaErrorInvalidValue, "%zu bytes; the size must be a multiple of %zu", bytes, mapping_granularity);
  }
  Capacity& capacity = capacity_for(properties);
  if (!capacity.charge(bytes)) {
    return refuse(cudaErrorMemoryAllocation, "%zu bytes requested; %zu of %zu are left", bytes, capacity.free(),
                  capacity.total());
  }
  Part part = take_part(bytes, properties);
  if (!part.file) {
    capacity.refund(bytes);
    return refuse(cudaErrorMemoryAllocation, "the system provides no memory file of %zu bytes", bytes);
  }
  Ref<PhysicalMemory> memory = table().create(properties, bytes, std::move(part.file), part.offset, false);
  if (!memory) {
    capacity.refund(bytes);
    return cudaErrorMemoryAllocation;
  }
  return memory->handle();
}

Result<Ref<PhysicalMemory>> find_physical_memory(Handle handle) {
  Ref<PhysicalMemory> memory = table().find(handle);
  if (memory) return memory;
  return refuse(cudaErrorInvalidValue, "0x%llx is not memory from cuMemCreate, or was released and unmapped",
                static_cast<unsigned long long>(handle.bits));
}

cudaError_t release_physical_memory(Handle handle) {
  Result<Ref<PhysicalMemory>> memory = find_physical_memory(handle);
  if (!memory.ok()) return memory.status();
  if ((*memory)->drop_reference()) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the memory was released already and exists only while it is mapped");
}

cudaError_t export_physical_memory(int* descriptor, Handle handle, unsigned handle_type) {
  Result<Ref<PhysicalMemory>> memory = find_physical_memory(handle);
  if (!memory.ok()) return memory.status();
  const bool asked = handle_type == cudaMemHandleTypePosixFileDescriptor;
  if (!asked || (*memory)->imported() || !((*memory)->properties().handle_types & handle_type)) {
    return refuse(cudaErrorInvalidValue,
                  "handle type 0x%x; only memory created here with requestedHandleTypes "
                  "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR can be exported, as such a descriptor",
                  handle_type);
  }
  const int made = (*memory)->share();
  if (made < 0) return refuse(cudaErrorOperatingSystem, "the process has no more file descriptors");
  *descriptor = made;
  return cudaSuccess;
}

Result<Handle> import_physical_memory(int descriptor, unsigned handle_type) {
  if (handle_type != cudaMemHandleTypePosixFileDescriptor) {
    return refuse(cudaErrorInvalidValue, "handle type 0x%x; this system shares only file descriptors", handle_type);
  }
  Ref<PoolFile> file = PoolFile::open(descriptor, FileUse::allocation);
  if (!file || file->size() == 0) {
    return refuse(cudaErrorUnknown, "descriptor %d is not one that cuMemExportToShareableHandle made", descriptor);
  }
  PhysicalMemoryProperties properties;
  const int location = file->device();
  if (location == on_host) {
    properties.location = {cudaMemLocationTypeHost, 0};
  } else {
    properties.location.id = location < device_count() ? location : 0;
  }
  const std::size_t bytes = file->size();
  Ref<PhysicalMemory> memory = table().create(properties, bytes, std::move(file), PoolFile::first_offset, true);
  if (!memory) return cudaErrorMemoryAllocation;
  return memory->handle();
}

}  // namespace reprise_runtime::memory
