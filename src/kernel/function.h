// A kernel that the program can launch: its host stub, its device code once that is resolved, its attributes, and the
// time that its threads have taken so far.
//
// Thread safety: everything may be read and set from any thread.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <string>

#include "kernel/kernel_abi.h"
#include "kernel/limits.h"

namespace reprise_runtime::kernel {

class Function {
 public:
  Function(const void* host_stub, std::string module_id, std::string name)
      : host_stub_(host_stub), module_id_(std::move(module_id)), name_(std::move(name)) {}
  Function(const Function&) = delete;
  Function& operator=(const Function&) = delete;

  const void* host_stub() const { return host_stub_; }
  // Mangled, as cudaFuncGetName returns it, and as its author wrote it, for people to read.
  const char* name() const { return name_.c_str(); }
  std::string readable_name() const;
  const std::string& module_id() const { return module_id_; }

  // The device code, resolved lazily; null if no module has it.
  const reprise_kernel* code() const {
    const reprise_kernel* code = code_.load(std::memory_order_acquire);
    return code ? code : resolve();
  }

  // The device code if it was used before.
  const reprise_kernel* code_if_resolved() const { return code_.load(std::memory_order_acquire); }

  // Time of one thread of this kernel in nanoseconds; 0 before the first measured launch.
  float ns_per_thread() const { return ns_per_thread_.load(std::memory_order_relaxed); }
  void learn_ns_per_thread(float measured) const {
    float before = ns_per_thread();
    ns_per_thread_.store(before == 0 ? measured : 0.75f * before + 0.25f * measured, std::memory_order_relaxed);
  }

  // Where the program launches it, for reports of faults: a return address, null if it was never launched.
  struct LaunchSite {
    const void* caller;
    bool among_others;  // it was launched from other places before
  };
  LaunchSite launch_site() const {
    return {launch_site_.load(std::memory_order_relaxed), several_sites_.load(std::memory_order_relaxed)};
  }
  void note_launch_site(const void* caller) const {
    if (const void* last = launch_site_.load(std::memory_order_relaxed); last != caller) [[unlikely]] {
      if (last) several_sites_.store(true, std::memory_order_relaxed);
      launch_site_.store(caller, std::memory_order_relaxed);
    }
  }

  // The values that cudaFuncSetAttribute and related calls have set. The code itself is constant.
  struct Settings {
    std::atomic<int> max_dynamic_shared{-1};  // -1: the rest of max_shared_default
    std::atomic<int> preferred_carveout{cudaSharedmemCarveoutDefault};
    std::atomic<int> cache_preference{cudaFuncCachePreferNone};
    std::atomic<int> required_cluster[3] = {};
    std::atomic<int> non_portable_cluster{0};
    std::atomic<int> cluster_scheduling{cudaClusterSchedulingPolicyDefault};
  };
  Settings& settings() const { return settings_; }

  // The most dynamic shared memory that a launch may request.
  uint32_t max_dynamic_shared() const {
    int set = settings_.max_dynamic_shared.load(std::memory_order_relaxed);
    if (set >= 0) return static_cast<uint32_t>(set);
    uint32_t used = code() ? code()->static_shared : 0;
    return used < max_shared_default ? max_shared_default - used : 0;
  }
  uint32_t max_threads() const { return code() && code()->max_threads ? code()->max_threads : max_block_threads; }

 private:
  const reprise_kernel* resolve() const;

  const void* const host_stub_;
  const std::string module_id_;
  const std::string name_;
  mutable std::atomic<const reprise_kernel*> code_{nullptr};
  mutable std::atomic<float> ns_per_thread_{0};
  mutable std::atomic<bool> several_sites_{false};
  mutable std::atomic<const void*> launch_site_{nullptr};
  mutable Settings settings_;
};

}  // namespace reprise_runtime::kernel
