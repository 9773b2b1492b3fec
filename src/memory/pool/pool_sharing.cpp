// Pools between processes: the pool goes as a descriptor of its file, a pointer as the place in that file.
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
  std::uint64_t file = 0;  // the pool's file, by its number
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t unused[4] = {};
};
static_assert(sizeof(Ticket) == sizeof(cudaMemPoolPtrExportData));

constexpr std::size_t page = 4096;

cudaError_t check_type(cudaMemAllocationHandleType type, unsigned flags) {
  if (flags) return refuse(cudaErrorInvalidValue, "flags are 0x%x and must be 0", flags);
  if (type == cudaMemHandleTypePosixFileDescriptor) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "memory is shared by file descriptors here, not by type 0x%x", type);
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
  if (!out) return refuse(cudaErrorInvalidValue, "no place for the handle");
  Result<Pool*> pool = find_pool(handle);
  if (!pool.ok()) return pool.status();
  if (cudaError_t refused = check_type(type, flags); refused != cudaSuccess) return refused;
  Ref<PoolFile> file = (*pool)->file();
  if (!file || (*pool)->traits().imported) return refuse(cudaErrorInvalidValue, "the pool was not made to be shared");
  const int descriptor = file->share();
  if (descriptor < 0) return refuse(cudaErrorOperatingSystem, "there are no more file descriptors");
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
  if (!file || !(*pool)->traits().imported) return refuse(cudaErrorInvalidValue, "the pool is this process's own");
  if (ticket.mark != Ticket::magic || ticket.file != file->identity() || ticket.bytes == 0 ||
      !file->holds(ticket.offset, ticket.bytes)) {
    return refuse(cudaErrorInvalidValue, "this is no pointer of that pool");
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
  if (!out) return refuse(cudaErrorInvalidValue, "no place for the data");
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
