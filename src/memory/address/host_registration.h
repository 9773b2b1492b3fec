// Host memory that the program allocated and registered (cudaHostRegister).
// Thread safety: all functions may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime::memory {

cudaError_t register_host(void* address, std::size_t bytes, unsigned flags, int device);
cudaError_t unregister_host(void* address);

// Unregisters all memory that was registered while `device` was current.
void unregister_all(int device);

// Whether all of [address, address + bytes) is mapped in this process.
bool is_mapped(const void* address, std::size_t bytes);

}  // namespace reprise_runtime::memory
