#include "diagnose/log_callbacks.h"

#include <string>

#include "base/handle_table.h"
#include "base/thread_local.h"
#include "diagnose/refuse.h"

namespace reprise_runtime::diagnose {
namespace {

class Listener : public Handled<Listener> {
 public:
  static constexpr HandleType handle_type = HandleType::log_callback;

  Listener(LogCallback function, void* data) : function_(function), data_(data) {}

  // Callbacks of the driver API have a type of their own that differs in the name of the level's enumeration alone.
  [[clang::no_sanitize("function")]] void call(cudaLogLevel level, std::string& message) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (active_) function_(data_, level, message.data(), message.size());
  }

  // When it returns, no call runs and none will start.
  void stop() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    active_ = false;
  }
  // For a callback that unregisters itself or one that may wait for it: no further call will start.
  void stop_from_callback() REPRISE_NO_THREAD_SAFETY_ANALYSIS { active_ = false; }

 private:
  const LogCallback function_;
  void* const data_;
  Mutex mutex_;
  std::atomic<bool> active_{true};
};

REPRISE_THREAD_LOCAL bool in_callback = false;

HandleTable<Listener>& listeners() { return HandleTable<Listener>::instance(); }

}  // namespace

void call_log_callbacks(cudaLogLevel level, std::string_view message) {
  if (in_callback || listeners().live() == 0) return;
  in_callback = true;
  std::string copy;
  listeners().for_each([&](Ref<Listener> listener) {
    copy = message;  // callbacks may write to it
    listener->call(level, copy);
  });
  in_callback = false;
}

cudaError_t register_callback(LogCallback function, void* data, cudaLogsCallbackHandle* handle) {
  if (!function) return refuse(cudaErrorInvalidValue, "the callback is null");
  Ref<Listener> listener = listeners().create(function, data);
  if (!listener) return cudaErrorMemoryAllocation;
  if (handle) *handle = listener->handle().as<cudaLogsCallbackHandle>();
  return cudaSuccess;
}

cudaError_t unregister_callback(cudaLogsCallbackHandle handle) {
  Ref<Listener> listener = listeners().erase(Handle::from(handle));
  if (!listener) {
    return refuse(cudaErrorInvalidValue, "%p is no registered callback", static_cast<void*>(handle));
  }
  if (in_callback) {
    listener->stop_from_callback();
  } else {
    listener->stop();
  }
  return cudaSuccess;
}

}  // namespace reprise_runtime::diagnose
