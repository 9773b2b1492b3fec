// Facts about the machine, as far as the system reports them: processor, caches and memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace reprise_runtime {

struct MachineMemory {
  std::size_t total;      // limit of this process: physical memory, or its control group's limit
  std::size_t available;  // the part that is free now
};
MachineMemory read_machine_memory();

struct Processor {
  std::string name;                  // "unknown processor" if the system does not report it
  int clock_khz = 0;                 // highest clock rate that the system reports; 0: unknown
  std::size_t last_level_cache = 0;  // bytes; 0: unknown
  int numa_node = -1;                // of the first core that this process may use; -1: no NUMA
};
const Processor& processor();  // read once

// Memory of each device: REPRISE_MEMORY, or an equal share of the machine's. Read once.
std::size_t device_memory_bytes();

// "8G", "512M", "1048576": bytes with an optional K, M, G or T (powers of 1024). Returns nothing for other text and for
// 0.
std::optional<std::size_t> parse_bytes(std::string_view text);

}  // namespace reprise_runtime
