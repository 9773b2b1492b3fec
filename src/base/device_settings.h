// What a program sets on a device: limits, flags, preferences, and which peers it may reach.
// Thread safety: all calls, from anywhere.
#pragma once

#include <driver_types.h>

#include <cstddef>

namespace reprise_runtime {

cudaError_t device_limit(int device, cudaLimit which, std::size_t* value);
cudaError_t set_device_limit(int device, cudaLimit which, std::size_t value);

// With cudaDeviceMapHost, which is always on.
unsigned device_flags(int device);
cudaError_t set_device_flags(int device, unsigned flags);

cudaFuncCache cache_preference(int device);
cudaError_t set_cache_preference(int device, cudaFuncCache preference);

// All devices are the same memory, so each can reach every other; CUDA's rules about asking first still hold.
bool can_access_peer(int device, int peer);
cudaError_t enable_peer_access(int device, int peer, unsigned flags);
cudaError_t disable_peer_access(int device, int peer);

// Back to how everything was when the process started.
void reset_device_settings(int device);

}  // namespace reprise_runtime
