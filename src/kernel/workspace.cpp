#include "kernel/workspace.h"

#include <bit>
#include <new>

#include "base/thread_local.h"

namespace reprise_runtime::kernel {
namespace {

constexpr size_t smallest = 64 * 1024;
constexpr std::align_val_t alignment{4096};

REPRISE_THREAD_LOCAL char* memory = nullptr;
REPRISE_THREAD_LOCAL size_t capacity = 0;

struct FreedWithThread {
  ~FreedWithThread() {
    ::operator delete(memory, alignment);
    memory = nullptr;
    capacity = 0;
  }
};

[[gnu::noinline, gnu::cold]] void grow(size_t bytes) {
  static thread_local FreedWithThread freed;
  static_cast<void>(freed);
  ::operator delete(memory, alignment);
  capacity = std::bit_ceil(bytes < smallest ? smallest : bytes);
  memory = static_cast<char*>(::operator new(capacity, alignment));
}

}  // namespace

char* thread_workspace(size_t bytes) {
  if (bytes > capacity || !memory) [[unlikely]]
    grow(bytes);
  return memory;
}

const char* thread_workspace_end() { return memory + capacity; }

}  // namespace reprise_runtime::kernel
