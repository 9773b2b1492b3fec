// malloc and free in device code: a heap with a limit of its own (cudaLimitMallocHeapSize), as on a GPU. There is one
// for all devices, which share the machine's memory; the largest of their limits applies.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "base/device_settings.h"
#include "base/devices.h"
#include "base/export.h"
#include "kernel/kernel_abi.h"

namespace reprise_runtime::device {
namespace {

// Precedes every allocation. It reveals a pointer that was not allocated here before the C library sees it, which would
// end the process instead of the kernel.
struct alignas(16) Header {
  std::uint64_t seal;
  std::uint64_t bytes;
};
constexpr std::uint64_t seal_of_live_blocks = 0x52657072697365ull;

std::uint64_t seal_at(const Header* header) { return seal_of_live_blocks ^ reinterpret_cast<std::uintptr_t>(header); }

std::atomic<std::size_t> in_use = 0;

std::size_t heap_limit() {
  std::size_t largest = 0;
  for (int device = 0; device < device_count(); ++device) {
    std::size_t limit = 0;
    if (device_limit(device, cudaLimitMallocHeapSize, &limit) == cudaSuccess) largest = std::max(largest, limit);
  }
  return largest;
}

bool take(std::size_t bytes) {
  const std::size_t most = heap_limit();
  std::size_t before = in_use.load(std::memory_order_relaxed);
  do {
    if (before > most || bytes > most - before) return false;
  } while (!in_use.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
  return true;
}

}  // namespace

}  // namespace reprise_runtime::device

using reprise_runtime::device::Header;

REPRISE_EXPORT void* __reprise_malloc(size_t size) {
  if (size == 0 || !reprise_runtime::device::take(size)) return nullptr;
  Header* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) {
    reprise_runtime::device::in_use -= size;
    return nullptr;
  }
  header->bytes = size;
  header->seal = reprise_runtime::device::seal_at(header);
  return header + 1;
}

REPRISE_EXPORT void __reprise_free(void* pointer) {
  if (pointer == nullptr) return;
  Header* header = static_cast<Header*>(pointer) - 1;
  if (header->seal != reprise_runtime::device::seal_at(header)) __reprise_trap();
  header->seal = 0;
  reprise_runtime::device::in_use -= header->bytes;
  std::free(header);
}
