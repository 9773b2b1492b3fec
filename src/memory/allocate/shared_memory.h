// Device memory that other processes map: what cudaIpc*MemHandle stand on.
//
// Allocations are ordinary private pages until the first handle is asked for; then the pages of the span around it move
// into a memory file, at the same addresses. A handle names that file through the exporting process, so nothing is left
// behind when processes die.
// Thread safety: all calls, from anywhere. Nothing may write to the allocation's span while it is first exported.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::memory {

cudaError_t export_memory(cudaIpcMemHandle_t* handle, void* address);
cudaError_t import_memory(void** address, const cudaIpcMemHandle_t& handle, unsigned flags, int device);
cudaError_t close_imported(void* address);

}  // namespace reprise_runtime::memory
