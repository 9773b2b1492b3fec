#include "base/device_settings.h"

#include <array>
#include <bitset>

#include "base/devices.h"
#include "base/machine.h"
#include "base/mutex.h"

namespace reprise_runtime {
namespace {

struct Settings {
  // Stack, printf buffer, heap of device malloc, (sync depth), pending launches, fetch granularity, persisting cache.
  std::array<std::size_t, 7> limits = {1024, std::size_t{1} << 20, std::size_t{8} << 20, 0, 2048, 128, 0};
  unsigned flags = 0;
  cudaFuncCache cache = cudaFuncCachePreferNone;
  std::bitset<max_devices> peers;
};

Mutex mutex;
std::array<Settings, max_devices> all_settings REPRISE_GUARDED_BY(mutex);

Settings& settings(int device) REPRISE_REQUIRES(mutex) { return all_settings[static_cast<std::size_t>(device)]; }

cudaError_t check_limit(cudaLimit which) {
  if (which < cudaLimitStackSize || which > cudaLimitPersistingL2CacheSize) return cudaErrorInvalidValue;
  // Device-side synchronization went away with compute capability 9.0.
  return which == cudaLimitDevRuntimeSyncDepth ? cudaErrorUnsupportedLimit : cudaSuccess;
}

bool valid_ordinal(int device) { return device >= 0 && device < device_count(); }

}  // namespace

cudaError_t device_limit(int device, cudaLimit which, std::size_t* value) {
  if (!value) return cudaErrorInvalidValue;
  if (cudaError_t status = check_limit(which); status != cudaSuccess) return status;
  MutexLock lock(mutex);
  *value = settings(device).limits[static_cast<std::size_t>(which)];
  return cudaSuccess;
}

cudaError_t set_device_limit(int device, cudaLimit which, std::size_t value) {
  if (cudaError_t status = check_limit(which); status != cudaSuccess) return status;
  if (which == cudaLimitMaxL2FetchGranularity && value > 128) return cudaErrorInvalidValue;
  if (which == cudaLimitPersistingL2CacheSize) value = 0;  // this device sets no cache aside
  if (which <= cudaLimitMallocHeapSize && value > device_memory_bytes()) return cudaErrorInvalidValue;
  if (which == cudaLimitStackSize) value = (value + 15) / 16 * 16;
  MutexLock lock(mutex);
  settings(device).limits[static_cast<std::size_t>(which)] = value;
  return cudaSuccess;
}

unsigned device_flags(int device) {
  MutexLock lock(mutex);
  return settings(device).flags | cudaDeviceMapHost;
}

cudaError_t set_device_flags(int device, unsigned flags) {
  constexpr unsigned known =
      cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax | cudaDeviceSyncMemops;
  const unsigned schedule = flags & cudaDeviceScheduleMask;
  if ((flags & ~known) || (schedule & (schedule - 1))) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  settings(device).flags = flags;
  return cudaSuccess;
}

cudaFuncCache cache_preference(int device) {
  MutexLock lock(mutex);
  return settings(device).cache;
}

cudaError_t set_cache_preference(int device, cudaFuncCache preference) {
  if (preference < cudaFuncCachePreferNone || preference > cudaFuncCachePreferEqual) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  settings(device).cache = preference;
  return cudaSuccess;
}

bool can_access_peer(int device, int peer) { return device != peer; }

cudaError_t enable_peer_access(int device, int peer, unsigned flags) {
  if (!valid_ordinal(peer)) return cudaErrorInvalidDevice;
  if (peer == device) return cudaErrorPeerAccessUnsupported;
  if (flags != 0) return cudaErrorInvalidValue;
  MutexLock lock(mutex);
  if (settings(device).peers[static_cast<std::size_t>(peer)]) return cudaErrorPeerAccessAlreadyEnabled;
  settings(device).peers.set(static_cast<std::size_t>(peer));
  return cudaSuccess;
}

cudaError_t disable_peer_access(int device, int peer) {
  if (!valid_ordinal(peer)) return cudaErrorInvalidDevice;
  MutexLock lock(mutex);
  if (!settings(device).peers[static_cast<std::size_t>(peer)]) return cudaErrorPeerAccessNotEnabled;
  settings(device).peers.reset(static_cast<std::size_t>(peer));
  return cudaSuccess;
}

void reset_device_settings(int device) {
  MutexLock lock(mutex);
  settings(device) = Settings{};
  for (Settings& other : all_settings) other.peers.reset(static_cast<std::size_t>(device));
}

}  // namespace reprise_runtime
