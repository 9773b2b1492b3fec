// Device memory that other processes map: cudaIpcGetMemHandle and its counterparts.
//
// Allocations are ordinary private pages until the first handle is requested; then the pages of the span around it move
// into a memory file, at the same addresses. A handle names that file through the exporting process, so nothing remains
// when processes die.
// Thread safety: all calls may be made from any thread. No thread may write to the allocation's span during its first
// export.
#pragma once

#include <driver_types.h>

namespace reprise_runtime::memory {

cudaError_t export_memory(cudaIpcMemHandle_t* handle, void* address);
cudaError_t import_memory(void** address, const cudaIpcMemHandle_t& handle, unsigned flags, int device);
cudaError_t close_imported(void* address);

}  // namespace reprise_runtime::memory
