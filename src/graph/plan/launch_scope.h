// What the kernels of a plan know of the launch that they are part of: where they find it, and whose turn it is to run
// a graph that device code may launch as well as the host.
//
// Thread safety: every function may be called from any thread, except those of the set-up, which come before the first
// launch, and set_environment(), which belongs to who has the turn (or, in a graph for the host alone, runs the
// launch).
#pragma once

#include <atomic>
#include <cstdint>

#include "base/handle.h"
#include "base/waiting.h"
#include "kernel/grid_state.h"

namespace reprise_runtime::graph {

class Environment;
class Plan;

// Who may run a graph that both sides launch. Once taken it may be asked for again by the graph itself, one time.
class Turn {
 public:
  // False when the graph runs, or will run.
  bool try_take() { return !(word_.fetch_or(taken, std::memory_order_acquire) & taken); }
  // For who has it: the next turn too. False when that was asked for before.
  bool try_take_next() { return !(word_.fetch_or(next, std::memory_order_relaxed) & next); }
  // Waits for its end.
  void take();
  // Ends, or becomes the next turn.
  void give_back();

 private:
  enum : uint32_t { taken = 1, next = 2 };
  std::atomic<uint32_t> word_{0};
  EventCount given_back_;
};

class LaunchScope {
 public:
  LaunchScope() = default;
  LaunchScope(const LaunchScope&) = delete;
  LaunchScope& operator=(const LaunchScope&) = delete;

  // ---- set up -----------------------------------------------------------------------------------------------------

  // A body's: its launches are those of the graph around it.
  void put_inside(LaunchScope& outer) { outer_ = &outer; }
  // Device code may launch the executable graph, of which this is the plan's, on this device.
  void allow_launches(Handle exec, int device, Plan& plan) {
    exec_ = exec;
    device_ = device;
    plan_ = &plan;
  }
  // A kernel that launches graphs runs on this device.
  void note_launching(int device) { launching_device_ = device; }
  void note_updatable() { updatable_ = true; }

  // ---- what it is -------------------------------------------------------------------------------------------------

  // For the launches of kernels.
  kernel::GridState* state() { return &state_; }
  // Of the whole graph that the kernel's launch is part of, or null.
  static LaunchScope* of(const reprise_launch* launch) {
    auto* scope = static_cast<LaunchScope*>(kernel::GridState::graph_of(launch));
    return scope ? &scope->outermost() : nullptr;
  }
  LaunchScope& outermost() { return outer_ ? outer_->outermost() : *this; }
  bool launchable() const { return exec_.bits != 0; }
  Handle exec() const { return exec_; }
  int device() const { return device_; }
  Plan* plan() const { return plan_; }
  // -1: no kernel launches graphs.
  int launching_device() const { return launching_device_; }
  bool has_updatable_nodes() const { return updatable_; }

  // Only then may device code launch it.
  bool uploaded() const { return uploaded_.load(std::memory_order_acquire); }
  void set_uploaded() { uploaded_.store(true, std::memory_order_release); }

  Turn& turn() { return turn_; }

  // Of the launch that runs; null when there is none, or when the host launched it and no kernel has asked for it.
  Environment* environment() const { return environment_.load(std::memory_order_acquire); }
  void set_environment(Environment* environment) { environment_.store(environment, std::memory_order_release); }
  // The same, made when it is asked for.
  Environment& need_environment();

 private:
  kernel::GridState state_{kernel::GridState::Kind::plain, this};
  LaunchScope* outer_ = nullptr;
  Handle exec_;
  int device_ = 0;
  Plan* plan_ = nullptr;
  int launching_device_ = -1;
  bool updatable_ = false;
  std::atomic<bool> uploaded_{false};
  Turn turn_;
  std::atomic<Environment*> environment_{nullptr};
};

}  // namespace reprise_runtime::graph
