#include "memory/address/variables.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "memory/address/foreign_ranges.h"

namespace reprise_runtime::memory {
namespace {

constexpr std::size_t block_bytes = 4096;

// The initial value of a variable. Most are zero, and zeros are not stored.
class InitialValue {
 public:
  InitialValue(const char* from, std::size_t size) : size_(size) {
    static const char zeros[block_bytes] = {};
    for (std::size_t at = 0; at < size; at += block_bytes) {
      const std::size_t length = std::min(block_bytes, size - at);
      if (std::memcmp(from + at, zeros, length) != 0) {
        blocks_.emplace_back(at, std::vector<char>(from + at, from + at + length));
      }
    }
  }
  void restore(char* to) const {
    std::memset(to, 0, size_);
    for (const auto& [at, bytes] : blocks_) std::memcpy(to + at, bytes.data(), bytes.size());
  }

 private:
  std::size_t size_;
  std::vector<std::pair<std::size_t, std::vector<char>>> blocks_;
};

Mutex mutex;
std::map<void*, InitialValue>& initial_values() REPRISE_REQUIRES(mutex) {
  static auto* values = new std::map<void*, InitialValue>;  // never destroyed: libraries are unloaded at exit
  return *values;
}

}  // namespace

void add_variable(void* address, std::size_t size, bool managed) {
  if (size == 0) return;
  const MemoryKind kind = managed ? MemoryKind::managed : MemoryKind::variable;
  ForeignRanges::instance().add({reinterpret_cast<std::uintptr_t>(address), size, kind, 0, 0});
  MutexLock lock(mutex);
  initial_values().insert_or_assign(address, InitialValue(static_cast<char*>(address), size));
}

void remove_variable(void* address) {
  ForeignRanges& ranges = ForeignRanges::instance();
  if (ranges.remove(address, MemoryKind::variable).size == 0) ranges.remove(address, MemoryKind::managed);
  MutexLock lock(mutex);
  initial_values().erase(address);
}

void restore_variables() {
  MutexLock lock(mutex);
  for (const auto& [address, value] : initial_values()) value.restore(static_cast<char*>(address));
}

}  // namespace reprise_runtime::memory
