// The stacks that the threads of a block run on, mapped once for a processor thread and reused by every block. A guard
// page below each makes endless recursion in device code fault instead of overwriting the next stack.
//
// Thread safety: none; each processor thread has its own.
#pragma once

#include <cstddef>

#include "exec/fiber_switch.h"

namespace reprise_runtime::exec {

class FiberStacks {
 public:
  static constexpr std::size_t stack_bytes = 256 << 10;  // reserved; a stack takes only the pages it touches
  static constexpr std::size_t most_threads = 1024;

  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  // Maps at least `count` stacks. Returns false when the system has no address space left for them.
  [[nodiscard]] bool reserve(std::size_t count);

  // The usable range of one stack. Its top is shifted by a different number of lines for each, because stacks at equal
  // offsets would all compete for the same few cache sets.
  void* bottom(std::size_t index) const;
  std::size_t size(std::size_t index) const;
  bool holds(const void* address) const;

  void* tsan_fiber(std::size_t index);

 private:
  char* region_ = nullptr;
  std::size_t mapped_ = 0;  // stacks
#if defined(REPRISE_TSAN_FIBERS)
  void* tsan_fibers_[most_threads] = {};
#endif
};

}  // namespace reprise_runtime::exec
