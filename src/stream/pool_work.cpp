#include "stream/pool_work.h"

#include "diagnose/refuse.h"
#include "memory/address/imported_memory.h"
#include "memory/allocate/allocation.h"
#include "memory/graph/check_mode.h"
#include "memory/graph/graph_memory.h"
#include "memory/pool/pools.h"
#include "stream/capture_memory.h"
#include "stream/capture_rules.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

using diagnose::refuse;

// The slow path: the stream has freed no block of that size.
[[gnu::noinline]] cudaError_t allocate_from_pool(void** address, size_t bytes, memory::Pool& pool, Stream& stream) {
  static_cast<void>(stream.last());  // applies the ordering with the legacy stream first
  Result<memory::Pool::Allocated> made = pool.allocate(bytes, stream.lane());
  if (!made.ok()) {
    *address = nullptr;  // as on the H200
    return made.status();
  }
  for (const exec::Marker& marker : made->first) stream.wait_for(marker);
  *address = made->address;
  return cudaSuccess;
}

// Memory that belongs to no pool: imported, or from cudaMalloc.
[[gnu::noinline]] cudaError_t free_other(void* address, Stream& stream) {
  if (const memory::ImportedMemory imported = memory::forget_imported(address); imported.span) {
    stream.submit_task([imported](exec::Lane&) { memory::unmap(imported); });
    return cudaSuccess;
  }
  const memory::Range range = memory::lookup(address);
  if (range.kind == memory::MemoryKind::managed) {
    return refuse(cudaErrorNotSupported, "%p is managed memory from cudaMallocManaged: use cudaFree", address);
  }
  if (range.kind != memory::MemoryKind::device || range.base != reinterpret_cast<uintptr_t>(address)) {
    return refuse(cudaErrorInvalidValue, "%p is %s; this call takes the start of an allocation of device memory",
                  address, describe(range.kind));
  }
  stream.synchronize();
  return memory::free_device(address);
}

// With REPRISE_CHECK=memory: makes the freed memory inaccessible.
[[gnu::noinline]] void close_pages(void* address, Stream& stream) {
  auto& memory = memory::GraphMemory::instance();
  Ref<memory::GraphAllocation> allocation = memory.starting_at(address);
  if (!allocation || !memory.is_live(*allocation)) return;
  stream.submit_task([allocation = std::move(allocation)](exec::Lane&) { allocation->close(); });
}

}  // namespace

cudaError_t allocate_async(void** address, size_t bytes, memory::Pool* pool, cudaStream_t handle) {
  Result<Stream*> stream = borrow(handle);
  if (!stream.ok()) return stream.status();
  const RefusedCall call = {"allocate before the capture, or in the capturing stream", bytes};
  if ((*stream)->kind() == Kind::legacy) {
    if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  }
  if ((*stream)->may_capture() && bytes != 0) [[unlikely]]
    return capture_allocation(**stream, address, bytes, pool);
  if (!(*stream)->may_capture()) {
    if (cudaError_t refused = check_unsafe(call); refused != cudaSuccess) return refused;
  }
  if (bytes == 0) {
    *address = nullptr;
    return cudaSuccess;
  }
  if (!pool) pool = memory::current_pool((*stream)->device());
  if (!pool) return cudaErrorMemoryAllocation;
  if (void* again = pool->allocate_recent(bytes, (*stream)->lane())) {
    *address = again;
    return cudaSuccess;
  }
  return allocate_from_pool(address, bytes, *pool, **stream);
}

cudaError_t free_async(void* address, cudaStream_t handle) {
  Result<Stream*> stream = borrow(handle);
  if (!stream.ok()) return stream.status();
  const RefusedCall call = {"free in the capturing stream, or after the capture", 0, address};
  if ((*stream)->may_capture()) [[unlikely]] {
    if (!address) return cudaSuccess;
    if ((*stream)->kind() != Kind::legacy) return capture_free(**stream, address);
    return check_outside_capture(**stream, call);
  }
  if (cudaError_t refused = check_unsafe(call); refused != cudaSuccess) return refused;
  if (!address) return cudaSuccess;
  if (memory::SpanOwner* owner = memory::owner_of(address)) {
    if (memory::checks_memory()) [[unlikely]]
      close_pages(address, **stream);
    return owner->free(address, (*stream)->last());
  }
  return free_other(address, **stream);
}

}  // namespace reprise_runtime::stream
