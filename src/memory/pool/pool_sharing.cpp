// Sharing pools between processes: a pool is exported as a descriptor of its file, a pointer as a place in that file.
#include <unistd.h>

#include <cstring>

#include "diagnose/refuse.h"
#include "memory/address/imported_memory.h"
#include "memory/pool/pools.h"

namespace reprise_runtime::memory {
namespace {

using diagnose::refuse;

// The 64 bytes of an exported pointer.
struct Ticket {
  static constexpr std::uint64_t magic = 0x7265746e696f7072ULL;
  std::uint64_t mark = magic;
  std::uint64_t file = 0;  // inode of the pool's file
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t unused[4] = {};
};
static_assert(sizeof(Ticket) == sizeof(cudaMemPoolPtrExportData));

constexpr std::size_t page = 4096;

cudaError_t check_type(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", flags);
  if (type == cudaMemHandleTypePosixFileDescriptor) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "the handle type must be cudaMemHandleTypePosixFileDescriptor, not 0x%x", type);
}

}  // namespace

void Pool::note_export() {
  SpinLockGuard lock(mutex_);
  traits_.exported = true;
}

Result<Pool::Place> Pool::place_of(const void* address) {
  SpinLockGuard lock(mutex_);
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const PoolSegment* segment = traits_.exported ? segment_at(at) : nullptr;
  const PoolBlock* block = segment ? segment->starting_at(at) : nullptr;
  if (!block || block->state != PoolBlock::State::live)
    return refuse(cudaErrorInvalidValue, "%p is not memory of a pool that was exported", address);
  return Place{segment->file_offset + (at - segment->base()), block->asked};
}

cudaError_t export_pool(void* out, cudaMemPool_t handle, cudaMemAllocationHandleType type, unsigned flags) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  Result<Pool*> pool = find_pool(handle);
  if (!pool.ok()) return pool.status();
  if (cudaError_t refused = check_type(type, flags); refused != cudaSuccess) return refused;
  Ref<PoolFile> file = (*pool)->file();
  if (!file || (*pool)->traits().imported)
    return refuse(cudaErrorInvalidValue, "the pool was created without a shareable handle type");
  const int descriptor = file->share();
  if (descriptor < 0) return refuse(cudaErrorOperatingSystem, "the system provides no more file descriptors");
  (*pool)->note_export();
  std::memcpy(out, &descriptor, sizeof descriptor);
  return cudaSuccess;
}

cudaError_t import_pointer(void** out, cudaMemPool_t handle, const cudaMemPoolPtrExportData& data) {
  Result<Pool*> pool = find_pool(handle);
  if (!pool.ok()) return pool.status();
  Ticket ticket;
  std::memcpy(&ticket, &data, sizeof ticket);
  Ref<PoolFile> file = (*pool)->file();
  if (!file || !(*pool)->traits().imported)
    return refuse(cudaErrorInvalidValue,
                  "the pool belongs to this process; pointers are imported into an imported pool");
  if (ticket.mark != Ticket::magic || ticket.file != file->identity() || ticket.bytes == 0 ||
      !file->holds(ticket.offset, ticket.bytes)) {
    return refuse(cudaErrorInvalidValue, "the data describe no pointer of that pool");
  }
  if (void* existing = find_imported(ticket.file, ticket.offset)) {
    *out = existing;
    return cudaSuccess;
  }
  const std::size_t first = ticket.offset / page * page, bytes = ticket.offset - first + ticket.bytes;
  Span* span = file->map(first, bytes);
  if (!span) return refuse(cudaErrorMemoryAllocation, "%zu bytes cannot be mapped", bytes);
  void* memory = reinterpret_cast<void*>(span->base.load(std::memory_order_relaxed) + (ticket.offset - first));
  *out = add_imported(memory, ticket.bytes, (*pool)->traits().device, {span, ticket.file, ticket.offset});
  return cudaSuccess;
}

cudaError_t export_pointer(cudaMemPoolPtrExportData* out, void* address) {
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  auto* pool = dynamic_cast<Pool*>(owner_of(address));
  if (!pool) return refuse(cudaErrorInvalidValue, "%p is not memory of a pool that can be shared", address);
  Result<Pool::Place> place = pool->place_of(address);
  if (!place.ok()) return place.status();
  Ticket ticket;
  ticket.file = pool->file()->identity();
  ticket.offset = place->offset;
  ticket.bytes = place->bytes;
  std::memcpy(out, &ticket, sizeof ticket);
  return cudaSuccess;
}

}  // namespace reprise_runtime::memory
