// The number of devices and cores, and the device that the calling thread uses.
#pragma once

#include "base/thread_local.h"

namespace reprise_runtime {

inline constexpr int max_devices = 64;

// The devices of REPRISE_DEVICES, or 1, that CUDA_VISIBLE_DEVICES shows; 0 if it shows none. Read once.
int device_count();

// The number of cores in the affinity mask of the process, at least 1. Read once.
int core_count();

namespace detail {
inline REPRISE_THREAD_LOCAL int current_device = 0;
}
inline int current_device() { return detail::current_device; }
inline void set_current_device(int ordinal) { detail::current_device = ordinal; }

}  // namespace reprise_runtime
