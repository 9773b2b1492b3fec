#include "base/machine.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>

#include "base/devices.h"
#include "base/settings.h"

namespace reprise_runtime {
namespace {

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

int first_core() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 0;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &cores)) return core;
  }
  return 0;
}

void read_cpuinfo(Processor& processor) {
  std::ifstream file("/proc/cpuinfo");
  double megahertz = 0;
  for (std::string line; std::getline(file, line) && !(line.empty() && !processor.name.empty());) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || colon + 2 > line.size()) continue;
    const std::string value = line.substr(std::min(colon + 2, line.size()));
    if (line.starts_with("model name")) processor.name = value;
    if (line.starts_with("cpu MHz")) megahertz = std::max(megahertz, std::strtod(value.c_str(), nullptr));
  }
  if (processor.name.empty()) processor.name = "unknown processor";
  processor.clock_khz = static_cast<int>(megahertz * 1000);
}

// Sizes read "2048K" or "32M".
std::size_t read_last_level_cache(const std::string& core) {
  std::size_t size = 0;
  for (int index = 0; index < 8; ++index) {
    std::ifstream file(core + "/cache/index" + std::to_string(index) + "/size");
    std::string text;
    if (!(file >> text)) break;
    size = std::max(size, parse_bytes(text).value_or(0));
  }
  return size;
}

Processor read_processor() {
  Processor processor;
  read_cpuinfo(processor);
  const std::string core = "/sys/devices/system/cpu/cpu" + std::to_string(first_core());
  if (auto khz = read_number((core + "/cpufreq/cpuinfo_max_freq").c_str()))
    processor.clock_khz = static_cast<int>(*khz);
  processor.last_level_cache = read_last_level_cache(core);
  for (int node = 0; node < 64; ++node) {
    if (access((core + "/node" + std::to_string(node)).c_str(), F_OK) == 0) processor.numa_node = node;
  }
  return processor;
}

std::size_t read_device_memory_bytes() {
  if (auto bytes = bytes_setting("REPRISE_MEMORY")) return *bytes;
  return read_machine_memory().total / static_cast<std::size_t>(std::max(1, device_count()));
}

}  // namespace

MachineMemory read_machine_memory() {
  MachineMemory machine{};
  std::ifstream meminfo("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (meminfo >> key >> kilobytes) {
    std::getline(meminfo, unit);
    if (key == "MemTotal:") machine.total = kilobytes * 1024;
    if (key == "MemAvailable:") {
      machine.available = kilobytes * 1024;
      break;
    }
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

const Processor& processor() {
  static const Processor* facts = new Processor(read_processor());  // never destroyed: asked while the process exits
  return *facts;
}

std::size_t device_memory_bytes() {
  static const std::size_t bytes = read_device_memory_bytes();
  return bytes;
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
      case 'k':
      case 'K':
        shift = 10;
        break;
      case 'm':
      case 'M':
        shift = 20;
        break;
      case 'g':
      case 'G':
        shift = 30;
        break;
      case 't':
      case 'T':
        shift = 40;
        break;
      default:
        return std::nullopt;
    }
  }
  if (value > (SIZE_MAX >> shift)) return std::nullopt;
  return value << shift;
}

}  // namespace reprise_runtime
