// Whether the process and the calling thread have used the runtime, which the driver API needs to know: a runtime call
// initialises the driver and makes the primary context of the thread's device current.
#pragma once

#include "base/devices.h"
#include "base/thread_local.h"

namespace reprise_runtime {

enum class DriverCall : unsigned char {
  none,
  running,    // the runtime functions that it calls neither log nor keep their errors
  reporting,  // the error is logged under the driver call's name; the runtime's last error stays
};

struct ThreadUse {
  bool used_runtime = false;
  bool chose_device = false;  // cudaSetDevice was called since the driver last looked
  DriverCall driver_call = DriverCall::none;
  void* other_context = nullptr;  // the current context, unless it is a primary one
};

namespace detail {
inline REPRISE_THREAD_LOCAL ThreadUse thread_use;
}
inline ThreadUse& thread_use() { return detail::thread_use; }

// The first runtime call of a thread, or its first one after the driver API has taken the context away.
[[gnu::cold]] void begin_runtime_use();
inline void note_runtime_use() {
  if (!thread_use().used_runtime) [[unlikely]]
    begin_runtime_use();
}
// cudaSetDevice: the primary context of the device becomes the thread's.
void note_chosen_device();

// Whether cuInit or any runtime call has been made.
void initialise_driver();
bool driver_initialised();

// Whether the runtime uses a device's primary context: from its first call on that device to cudaDeviceReset.
bool runtime_uses(int device);
void end_runtime_use(int device);

}  // namespace reprise_runtime
