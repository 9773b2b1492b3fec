// The launch that the kernels of a plan are part of: how device code finds it, and the lock that keeps a graph which
// the host and device code both launch from running twice at a time.
//
// Thread safety: every function may be called from any thread, with two exceptions. Those under "set up" come before
// the first launch. device_launches() is reset by the thread that holds the launch lock or, in a graph that device code
// cannot launch, runs the launch.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/handle.h"
#include "base/waiting.h"
#include "kernel/grid_state.h"

namespace reprise_runtime::graph {

class Plan;

// Held by a graph that runs, or that will run as the tail of a launch. Any thread may release it. The holder may
// reserve one more run of the same graph: then the next unlock() keeps the lock for that run.
class LaunchLock {
 public:
  bool try_lock() { return !(word_.fetch_or(locked, std::memory_order_acquire) & locked); }
  void lock();
  // False when one more run is reserved already.
  bool try_reserve_next() { return !(word_.fetch_or(next_reserved, std::memory_order_relaxed) & next_reserved); }
  void unlock();

 private:
  enum : uint32_t { locked = 1, next_reserved = 2 };
  std::atomic<uint32_t> word_{0};
  EventCount unlocked_;
};

// The graphs that the kernels of a launch have launched. Implemented by graph/device_launch.
class DeviceLaunches {
 public:
  // The replay of `plan`, which the host launched, has ended. Waits for the graphs that it launched, runs those that
  // follow it, releases its launch lock, and destroys this object.
  virtual void finish(Plan& plan) = 0;

 protected:
  ~DeviceLaunches() = default;
};

class LaunchScope {
 public:
  LaunchScope() = default;
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  // ---- set up -----------------------------------------------------------------------------------------------------

  // For the body of a conditional node: its launches are those of the graph around it.
  void put_inside(LaunchScope& outer) { outer_ = &outer; }
  // Device code may launch the executable graph `exec`, which has this plan, on this device.
  void allow_launches(Handle exec, int device, Plan& plan) {
    exec_ = exec;
    device_ = device;
    plan_ = &plan;
  }
  // A kernel that launches graphs runs on this device.
  void note_launching(int device) { launching_device_ = device; }
  void note_updatable() { updatable_ = true; }

  // ---- properties -------------------------------------------------------------------------------------------------

  // For the launches of the plan's kernels.
  kernel::GridState* state() { return &state_; }
  // The scope of the outermost graph that a kernel's launch is part of; null for a kernel outside of graphs.
  static LaunchScope* of(const reprise_launch* launch) {
    auto* scope = static_cast<LaunchScope*>(kernel::GridState::graph_of(launch));
    return scope ? &scope->outermost() : nullptr;
  }
  LaunchScope& outermost() { return outer_ ? outer_->outermost() : *this; }
  // Whether device code may launch the graph.
  bool launchable() const { return exec_.bits != 0; }
  Handle exec() const { return exec_; }
  int device() const { return device_; }
  Plan* plan() const { return plan_; }
  // The device whose kernels launch graphs; -1 if no kernel does.
  int launching_device() const { return launching_device_; }
  bool has_updatable_nodes() const { return updatable_; }

  // ---- launches ---------------------------------------------------------------------------------------------------

  // Device code may launch the graph only after it was uploaded.
  bool uploaded() const { return uploaded_.load(std::memory_order_acquire); }
  void set_uploaded() { uploaded_.store(true, std::memory_order_release); }

  LaunchLock& launch_lock() { return launch_lock_; }

  // Of the current launch. Null when there is none, or when the host launched it and no kernel has launched anything.
  std::atomic<DeviceLaunches*>& device_launches() { return device_launches_; }
  // Ends a launch by the host, after its replay.
  void end_launch(Plan& plan) {
    if (DeviceLaunches* launches = device_launches_.load(std::memory_order_acquire)) [[unlikely]]
      return launches->finish(plan);
    if (launchable()) [[unlikely]]
      launch_lock_.unlock();
  }

 private:
  kernel::GridState state_{kernel::GridState::Kind::plain, this};
  LaunchScope* outer_ = nullptr;
  Handle exec_;
  int device_ = 0;
  Plan* plan_ = nullptr;
  int launching_device_ = -1;
  bool updatable_ = false;
  std::atomic<bool> uploaded_{false};
  LaunchLock launch_lock_;
  std::atomic<DeviceLaunches*> device_launches_{nullptr};
};

}  // namespace reprise_runtime::graph
