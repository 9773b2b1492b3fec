// A context: a view of a device that owns what is made while it is current. Each device has a primary one, which the
// runtime uses; the driver API can make others.
//
// Each thread has a stack of contexts; the top one is current. cudaSetDevice replaces the top by the device's primary
// context, and a runtime call on a thread with none makes the primary context of its device current.
//
// Thread safety: every function may be called from any thread. Contexts are never freed, so that a stale handle is
// recognised.
#pragma once

#include <cuda.h>

#include <atomic>
#include <cstdint>

#include "base/runtime_use.h"
#include "base/thread_local.h"

namespace reprise_runtime::driver {

class Context {
 public:
  Context(int device, bool primary, unsigned flags);
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  int device() const { return device_; }
  bool primary() const { return primary_; }
  uint64_t id() const { return id_; }
  CUcontext handle() { return reinterpret_cast<CUcontext>(this); }
  bool destroyed() const { return destroyed_.load(std::memory_order_relaxed); }
  std::atomic<unsigned>& flags() { return flags_; }
  // How often the primary context has been retained.
  std::atomic<int>& retained() { return retained_; }

  // Null for a handle that never was a context, or whose context is destroyed.
  static Context* find(CUcontext handle);
  static Context& primary_of(int device);
  static Context& create(int device, unsigned flags);
  // The context of a stream, which is the current one for default streams; null for the primary one of its device.
  static Context* of_stream(CUstream stream);
  // The context that owns a stream, an event or memory; null if that is a primary one. May be destroyed.
  static Context* owner_of(const void* member);
  void destroy();

  // The calling thread's; null if it has none.
  static Context* current() {
    if (Context* top = top_; top && !thread_use().chose_device && !top->destroyed()) [[likely]]
      return top;
    return adopt();
  }
  static void push(Context& context);
  static Context* pop();
  // Replaces the top; null removes it.
  static void set_current(Context* context);

 private:
  // Follows what the runtime did since the last call.
  [[gnu::cold, gnu::noinline]] static Context* adopt();
  static void set_top(Context* context);

  static inline REPRISE_THREAD_LOCAL Context* top_ = nullptr;

  const int device_;
  const bool primary_;
  const uint64_t id_;
  std::atomic<unsigned> flags_;
  std::atomic<int> retained_{0};
  std::atomic<bool> destroyed_{false};
};

}  // namespace reprise_runtime::driver
