#include "device/device_heap.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "base/export.h"
#include "kernel/kernel_abi.h"

namespace reprise::device {
namespace {

// Before every allocation: a pointer that was not allocated here is found out before the C library sees it, since that
// would end the process instead of the kernel.
struct alignas(16) Header {
  std::uint64_t seal;
  std::uint64_t bytes;
};
constexpr std::uint64_t seal_of_live_blocks = 0x52657072697365ull;

std::uint64_t seal_at(const Header* header) {
  return seal_of_live_blocks ^ reinterpret_cast<std::uintptr_t>(header);
}

std::atomic<std::size_t> limit = 8u << 20;
std::atomic<std::size_t> in_use = 0;

bool take(std::size_t bytes) {
  std::size_t before = in_use.load(std::memory_order_relaxed);
  do {
    const std::size_t most = limit.load(std::memory_order_relaxed);
    if (before > most || bytes > most - before) return false;
  } while (!in_use.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  return true;
}

}  // namespace

void set_device_heap_limit(std::size_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
std::size_t device_heap_limit() { return limit.load(std::memory_order_relaxed); }

}  // namespace reprise::device

using reprise::device::Header;

REPRISE_EXPORT void* __reprise_malloc(size_t size) {
  if (size == 0 || !reprise::device::take(size)) return nullptr;
  Header* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) {
    reprise::device::in_use -= size;
    return nullptr;
  }
  header->bytes = size;
  header->seal = reprise::device::seal_at(header);
  return header + 1;
}

REPRISE_EXPORT void __reprise_free(void* pointer) {
  if (pointer == nullptr) return;
  Header* header = static_cast<Header*>(pointer) - 1;
  if (header->seal != reprise::device::seal_at(header)) __reprise_trap();
  header->seal = 0;
  reprise::device::in_use -= header->bytes;
  std::free(header);
}
