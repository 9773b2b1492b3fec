#include "memory/address/imported_memory.h"

#include <map>

#include "base/mutex.h"
#include "memory/address/address_window.h"
#include "memory/address/foreign_ranges.h"

namespace reprise_runtime::memory {
namespace {

Mutex import_mutex;
std::map<void*, ImportedMemory>& mappings() REPRISE_REQUIRES(import_mutex) {
  static auto* map = new std::map<void*, ImportedMemory>;
  return *map;
}

void* find_locked(uint64_t file, uint64_t offset) REPRISE_REQUIRES(import_mutex) {
  for (const auto& [address, memory] : mappings()) {
    if (memory.file == file && memory.offset == offset) return address;
  }
  return nullptr;
}

}  // namespace

void* find_imported(uint64_t file, uint64_t offset) {
  MutexLock lock(import_mutex);
  return find_locked(file, offset);
}

void* add_imported(void* address, std::size_t bytes, int device, const ImportedMemory& memory) {
  MutexLock lock(import_mutex);
  if (void* existing = find_locked(memory.file, memory.offset)) {
    unmap(memory);
    return existing;
  }
  ForeignRanges::instance().add(
      {reinterpret_cast<std::uintptr_t>(address), bytes, MemoryKind::imported, 0, static_cast<std::int16_t>(device)});
  mappings().emplace(address, memory);
  return address;
}

ImportedMemory forget_imported(void* address) {
  MutexLock lock(import_mutex);
  const auto found = mappings().find(address);
  if (found == mappings().end()) return {};
  const ImportedMemory memory = found->second;
  ForeignRanges::instance().remove(address, MemoryKind::imported);
  mappings().erase(found);
  return memory;
}

void unmap(const ImportedMemory& memory) { AddressWindow::instance().release(memory.span); }

}  // namespace reprise_runtime::memory
