// The pools that there are: users' own, each place's default one, and the current one that plain requests go to.
// Thread safety: all calls, from anywhere.
#pragma once

#include <driver_types.h>

#include "base/handle_table.h"
#include "memory/pool/pool.h"

namespace reprise_runtime::memory {

// What a handle names.
class NamedPool : public Handled<NamedPool> {
 public:
  static constexpr HandleType handle_type = HandleType::memory_pool;
  explicit NamedPool(Pool& named) : pool(named) {}
  Pool& pool;
};

// Pools are never destroyed, so what is found can be used without holding on to it.
Result<Pool*> find_pool(cudaMemPool_t handle);

[[nodiscard]] cudaError_t create_pool(cudaMemPool_t* out, const cudaMemPoolProps& properties);
[[nodiscard]] cudaError_t destroy_pool(cudaMemPool_t handle);

// The pool of a device that requests without a pool go to.
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

// For cudaDeviceReset: the device's default pool is as new, and the current one again. Pools that the program made
// stay, with their memory, as on the H200.
void reset_pools(int device);

// After a thread has waited for work: pools give back what they hold beyond their thresholds.
[[gnu::cold]] void release_unused_memory();
inline void after_synchronisation() {
  if (Pool::release_is_due()) [[unlikely]]
    release_unused_memory();
}

}  // namespace reprise_runtime::memory
