// All pools: those that the program created, the default pool of each place, and the current pool of each device.
// Thread safety: all calls may be made from any thread.
#pragma once

#include <driver_types.h>

#include "base/handle_table.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::memory {

// The object that a handle names.
class NamedPool : public Handled<NamedPool> {
 public:
  static constexpr HandleType handle_type = HandleType::memory_pool;
  explicit NamedPool(Pool& named) : pool(named) {}
  Pool& pool;
};

// Pools are never destroyed, so the result can be used without a reference.
Result<Pool*> find_pool(cudaMemPool_t handle);

[[nodiscard]] cudaError_t create_pool(cudaMemPool_t* out, const cudaMemPoolProps& properties);
[[nodiscard]] cudaError_t destroy_pool(cudaMemPool_t handle);

// The pool that serves requests without a pool.
Pool* current_pool(int device);
[[nodiscard]] cudaError_t get_default_pool(cudaMemPool_t* out, const cudaMemLocation& location,
                                           cudaMemAllocationType type);
[[nodiscard]] cudaError_t get_current_pool(cudaMemPool_t* out, const cudaMemLocation& location,
                                           cudaMemAllocationType type);
[[nodiscard]] cudaError_t set_current_pool(const cudaMemLocation& location, cudaMemAllocationType type,
                                           cudaMemPool_t handle);

[[nodiscard]] cudaError_t get_pool_access(cudaMemAccessFlags* out, cudaMemPool_t handle,
                                          const cudaMemLocation& location);
[[nodiscard]] cudaError_t set_pool_access(cudaMemPool_t handle, const cudaMemAccessDesc* list, size_t count);

[[nodiscard]] cudaError_t export_pool(void* out, cudaMemPool_t handle, cudaMemAllocationHandleType type,
                                      unsigned flags);
[[nodiscard]] cudaError_t import_pool(cudaMemPool_t* out, void* shared, cudaMemAllocationHandleType type,
                                      unsigned flags);
[[nodiscard]] cudaError_t export_pointer(cudaMemPoolPtrExportData* out, void* address);
[[nodiscard]] cudaError_t import_pointer(void** out, cudaMemPool_t handle, const cudaMemPoolPtrExportData& data);

// For cudaDeviceReset: the device's default pool is emptied and becomes the current one again. Pools that the program
// created stay, with their memory, as on an H200.
void reset_pools(int device);

// After a thread has waited for work: pools return memory beyond their release thresholds.
[[gnu::cold]] void release_unused_memory();
inline void after_synchronization() {
  if (Pool::release_is_due()) [[unlikely]]
    release_unused_memory();
}

}  // namespace reprise_runtime::memory
