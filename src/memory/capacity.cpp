#include "memory/capacity.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <string>

namespace reprise::memory {
namespace {

// Asking the system how much is left costs tens of microseconds; requests below this are cheaper than the question.
constexpr std::size_t worth_asking = std::size_t{256} << 20;

std::optional<std::size_t> read_number(const char* path) {
  std::ifstream file(path);
  std::size_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

// The limits that containers set, in either version of control groups.
std::optional<std::size_t> control_group_limit() {
  if (auto limit = read_number("/sys/fs/cgroup/memory.max")) return limit;
  return read_number("/sys/fs/cgroup/memory/memory.limit_in_bytes");
}

std::optional<std::size_t> control_group_usage() {
  if (auto usage = read_number("/sys/fs/cgroup/memory.current")) return usage;
  return read_number("/sys/fs/cgroup/memory/memory.usage_in_bytes");
}

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

MachineMemory read_machine_memory() {
  MachineMemory machine{};
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    std::getline(meminfo, unit);
    if (key == "MemTotal:") machine.total = kilobytes * 1024;
    if (key == "MemAvailable:") machine.available = kilobytes * 1024;
  }
  if (machine.total == 0) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    machine.total = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * page;
    machine.available = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * page;
  }
  if (const auto limit = control_group_limit(); limit && *limit < machine.total) {
    machine.total = *limit;
    const std::size_t usage = control_group_usage().value_or(0);
    machine.available = std::min(machine.available, *limit > usage ? *limit - usage : 0);
  }
  return machine;
}

std::optional<std::size_t> parse_bytes(std::string_view text) {
  std::size_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || value == 0) return std::nullopt;
  unsigned shift = 0;
  if (rest != end) {
    if (rest + 1 != end) return std::nullopt;
    switch (*rest) {
      case 'k': case 'K': shift = 10; break;
      case 'm': case 'M': shift = 20; break;
      case 'g': case 'G': shift = 30; break;
      case 't': case 'T': shift = 40; break;
      default: return std::nullopt;
    }
  }
  if (value > (SIZE_MAX >> shift)) return std::nullopt;
  return value << shift;
}

}  // namespace reprise::memory
