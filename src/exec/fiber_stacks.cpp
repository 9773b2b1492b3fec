#include "exec/fiber_stacks.h"

#include <sys/mman.h>

namespace reprise_runtime::exec {

namespace {
constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t stride = FiberStacks::stack_bytes + guard_bytes;
}  // namespace

FiberStacks::~FiberStacks() {
  if (region_ != nullptr) munmap(region_, stride * most_threads);
#if defined(REPRISE_TSAN_FIBERS)
  for (void* fiber : tsan_fibers_)
    if (fiber != nullptr) __tsan_destroy_fiber(fiber);
#endif
}

bool FiberStacks::reserve(std::size_t count) {
  if (count > most_threads) return false;
  if (region_ == nullptr) {
    void* region = mmap(nullptr, stride * most_threads, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (region == MAP_FAILED) return false;
    region_ = static_cast<char*>(region);
  }
  for (; mapped_ < count; ++mapped_) {
    char* stack = region_ + mapped_ * stride + guard_bytes;
    if (mprotect(stack, stack_bytes, PROT_READ | PROT_WRITE) == 0) continue;
    // The number of mappings of a process is limited, and guards double it: map the remaining stacks without guards.
    char* rest = region_ + mapped_ * stride;
    if (mprotect(rest, (most_threads - mapped_) * stride, PROT_READ | PROT_WRITE) != 0) return false;
    mapped_ = most_threads;
    break;
  }
  return true;
}

void* FiberStacks::bottom(std::size_t index) const { return region_ + index * stride + guard_bytes; }

std::size_t FiberStacks::size(std::size_t index) const { return stack_bytes - index % 32 * 128; }

bool FiberStacks::holds(const void* address) const {
  const char* at = static_cast<const char*>(address);
  return region_ != nullptr && at >= region_ && at < region_ + stride * most_threads;
}

void* FiberStacks::tsan_fiber([[maybe_unused]] std::size_t index) {
#if defined(REPRISE_TSAN_FIBERS)
  if (tsan_fibers_[index] == nullptr) tsan_fibers_[index] = __tsan_create_fiber(0);
  return tsan_fibers_[index];
#else
  return nullptr;
#endif
}

}  // namespace reprise_runtime::exec
