#include "memory/allocate/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>

#include "base/mutex.h"
#include "diagnose/refuse.h"
#include "memory/address/address_map.h"
#include "memory/address/address_window.h"
#include "memory/address/foreign_ranges.h"
#include "memory/address/span_owner.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

constexpr std::size_t page = 4096;

// The 64 bytes of a handle.
struct Ticket {
  static constexpr std::uint64_t magic = 0x656d70726975736dULL;
  std::uint64_t mark = magic;
  std::int32_t process = 0;
  std::int32_t fd = -1;
  std::uint64_t inode = 0;   // tells this memory file from a later one with the same number
  std::uint64_t offset = 0;  // of the allocation in the file
  std::uint64_t size = 0;
  std::uint64_t file_bytes = 0;
  std::uint64_t unused[2] = {};
};
static_assert(sizeof(Ticket) == sizeof(cudaIpcMemHandle_t));

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

// Copies pages that are not zero; untouched pages stay holes.
bool copy_into_file(int fd, const char* from, std::size_t bytes) {
  static const char zeros[page] = {};
  for (std::size_t at = 0; at < bytes; at += page) {
    if (std::memcmp(from + at, zeros, page) == 0) continue;
    if (pwrite(fd, from + at, page, static_cast<off_t>(at)) != static_cast<ssize_t>(page)) return false;
  }
  return true;
}

Mutex export_mutex;

// Moves a span's pages into a memory file, in place. Returns whether they are in one.
bool move_to_file(Span& span) REPRISE_REQUIRES(export_mutex) {
  if (span.shared_fd.load(std::memory_order_relaxed) >= 0) return true;
  const std::size_t bytes = span.bytes.load(std::memory_order_relaxed);
  auto* start = reinterpret_cast<char*>(span.base.load(std::memory_order_relaxed));
  Descriptor file(memfd_create("reprise-device-memory", MFD_CLOEXEC));
  if (file.get() < 0 || ftruncate(file.get(), static_cast<off_t>(bytes)) != 0) return false;
  if (!copy_into_file(file.get(), start, bytes)) return false;
  if (mmap(start, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file.get(), 0) == MAP_FAILED) return false;
  span.shared_fd.store(file.release(), std::memory_order_relaxed);
  return true;
}

struct Mapping {
  Span* span;
  void* address;
  int opened;
};
struct FileRange {
  std::uint64_t inode, offset;
  friend auto operator<=>(const FileRange&, const FileRange&) = default;
};

Mutex import_mutex;
std::map<FileRange, Mapping>& mappings() REPRISE_REQUIRES(import_mutex) {
  static auto* map = new std::map<FileRange, Mapping>;
  return *map;
}

// Opens the exporter's memory file, if the ticket is valid.
int open_exported(const Ticket& ticket) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", ticket.process, ticket.fd);
  Descriptor file(open(path, O_RDWR | O_CLOEXEC));
  struct stat facts{};
  if (file.get() < 0 || fstat(file.get(), &facts) != 0) return -1;
  const bool same = facts.st_ino == ticket.inode && static_cast<std::uint64_t>(facts.st_size) == ticket.file_bytes;
  return same ? file.release() : -1;
}

bool plausible(const Ticket& ticket) {
  return ticket.mark == Ticket::magic && ticket.process > 0 && ticket.fd >= 0 && ticket.size > 0 &&
         ticket.size <= ticket.file_bytes && ticket.offset <= ticket.file_bytes - ticket.size;
}

}  // namespace

cudaError_t export_memory(cudaIpcMemHandle_t* handle, void* address) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  const Range range = lookup(address);
  if (range.kind != MemoryKind::device || owner_of(address)) {
    return refuse(cudaErrorInvalidValue, "%p is not memory from cudaMalloc; only such memory can be shared", address);
  }
  Span* span = AddressWindow::instance().find(address);
  MutexLock lock(export_mutex);
  if (!span || !move_to_file(*span))
    return refuse(cudaErrorMemoryAllocation, "the system provides no memory file of %zu bytes", range.size);

  Ticket ticket;
  ticket.process = getpid();
  ticket.fd = span->shared_fd.load(std::memory_order_relaxed);
  struct stat facts{};
  if (fstat(ticket.fd, &facts) != 0) return refuse(cudaErrorMapBufferObjectFailed, "the memory file no longer exists");
  ticket.inode = facts.st_ino;
  ticket.file_bytes = static_cast<std::uint64_t>(facts.st_size);
  ticket.offset = range.base - span->base.load(std::memory_order_relaxed);
  ticket.size = range.size;
  std::memcpy(handle, &ticket, sizeof ticket);
  return cudaSuccess;
}

cudaError_t import_memory(void** address, const cudaIpcMemHandle_t& handle, unsigned flags, int device) {
  if (!address) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (flags != cudaIpcMemLazyEnablePeerAccess) {
    return refuse(cudaErrorInvalidValue, "flags must be cudaIpcMemLazyEnablePeerAccess, not 0x%x", flags);
  }
  Ticket ticket;
  std::memcpy(&ticket, &handle, sizeof ticket);
  if (!plausible(ticket))
    return refuse(cudaErrorMapBufferObjectFailed, "the bytes are no handle of cudaIpcGetMemHandle");
  if (ticket.process == getpid()) {
    return refuse(cudaErrorDeviceUninitialized, "the handle was created by this process; use the pointer itself");
  }

  MutexLock lock(import_mutex);
  const FileRange key{ticket.inode, ticket.offset};
  if (auto known = mappings().find(key); known != mappings().end()) {
    ++known->second.opened;
    *address = known->second.address;
    return cudaSuccess;
  }
  Descriptor file(open_exported(ticket));
  if (file.get() < 0)
    return refuse(cudaErrorMapBufferObjectFailed, "process %d no longer has the memory", ticket.process);
  const std::uint64_t first = ticket.offset / page * page;
  const std::size_t bytes = ticket.offset - first + ticket.size;
  Span* span = AddressWindow::instance().map_file(file.get(), first, bytes);
  if (!span) return refuse(cudaErrorMapBufferObjectFailed, "%zu bytes cannot be mapped", bytes);
  void* memory = reinterpret_cast<void*>(span->base.load(std::memory_order_relaxed) + (ticket.offset - first));
  ForeignRanges::instance().add({reinterpret_cast<std::uintptr_t>(memory), ticket.size, MemoryKind::imported, 0,
                                 static_cast<std::int16_t>(device)});
  mappings().emplace(key, Mapping{span, memory, 1});
  *address = memory;
  return cudaSuccess;
}

cudaError_t close_imported(void* address) {
  MutexLock lock(import_mutex);
  const auto found = std::find_if(mappings().begin(), mappings().end(),
                                  [&](const auto& entry) { return entry.second.address == address; });
  if (found == mappings().end()) {
    return refuse(cudaErrorInvalidValue, "%p was not opened by cudaIpcOpenMemHandle", address);
  }
  if (--found->second.opened == 0) {
    ForeignRanges::instance().remove(address, MemoryKind::imported);
    AddressWindow::instance().release(found->second.span);
    mappings().erase(found);
  }
  return cudaSuccess;
}

}  // namespace reprise_runtime::memory
