#include "memory/allocate/capacity.h"

#include "base/machine.h"

namespace reprise_runtime::memory {
namespace {

// Asking the system how much memory is left costs tens of microseconds, which smaller requests avoid.
constexpr std::size_t worth_asking = std::size_t{256} << 20;

}  // namespace

bool Capacity::charge(std::size_t bytes) {
  std::size_t used = used_.load(std::memory_order_relaxed);
  do {
    if (bytes > total_ || used > total_ - bytes) return false;
  } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
  if (bytes >= worth_asking && bytes > read_machine_memory().available) {
    refund(bytes);
    return false;
  }
  return true;
}

std::size_t Capacity::free() const {
  const std::size_t taken = used() + others_;
  return taken < total_ ? total_ - taken : 0;
}

}  // namespace reprise_runtime::memory
