// The settings of a device: limits, flags, preferences, and the peers that it may access.
//
// Thread safety: every function may be called from any thread.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime {

cudaError_t device_limit(int device, cudaLimit which, std::size_t* value);
cudaError_t set_device_limit(int device, cudaLimit which, std::size_t value);

// Includes cudaDeviceMapHost, which is always set.
unsigned device_flags(int device);
cudaError_t set_device_flags(int device, unsigned flags);

cudaFuncCache cache_preference(int device);
cudaError_t set_cache_preference(int device, cudaFuncCache preference);

// All devices share one memory, so each can access every other. As in CUDA, a program must enable access first.
bool can_access_peer(int device, int peer);
cudaError_t enable_peer_access(int device, int peer, unsigned flags);
cudaError_t disable_peer_access(int device, int peer);

// Restores the settings that the process started with.
void reset_device_settings(int device);

}  // namespace reprise_runtime
