// What the machine is, as far as it says: its processor, caches and memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace reprise_runtime {

struct MachineMemory {
  std::size_t total;      // what this process may use at most: physical memory, or its control group's limit
  std::size_t available;  // of that, what no one uses now
};
MachineMemory read_machine_memory();

struct Processor {
  std::string name;                  // "unknown processor" where the system does not say
  int clock_khz = 0;                 // the highest it is said to reach; 0: unknown
  std::size_t last_level_cache = 0;  // bytes; 0: unknown
  int numa_node = -1;                // of the first core this process may use; -1: no such thing here
};
const Processor& processor();  // read once

// Memory of each device: REPRISE_MEMORY, or an equal share of the machine's. Read once.
std::size_t device_memory_bytes();

// "8G", "512M", "1048576": bytes with an optional K, M, G or T (powers of 1024). Nothing for anything else or for 0.
std::optional<std::size_t> parse_bytes(std::string_view text);

}  // namespace reprise_runtime
