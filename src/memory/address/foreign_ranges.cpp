#include "memory/address/foreign_ranges.h"

#include "base/waiting.h"

namespace reprise_runtime::memory {

void ForeignRanges::Entry::store(const ForeignRange& range) {
  base.store(range.base, std::memory_order_release);
  size.store(range.size, std::memory_order_release);
  about.store(static_cast<std::uint32_t>(range.kind) | std::uint32_t{range.flags} << 8 |
                  static_cast<std::uint32_t>(static_cast<std::uint16_t>(range.device)) << 16,
              std::memory_order_release);
}

ForeignRange ForeignRanges::Entry::load() const {
  ForeignRange range;
  range.base = base.load(std::memory_order_acquire);
  range.size = size.load(std::memory_order_acquire);
  const std::uint32_t bits = about.load(std::memory_order_acquire);
  range.kind = static_cast<MemoryKind>(bits & 0xff);
  range.flags = static_cast<std::uint8_t>(bits >> 8);
  range.device = static_cast<std::int16_t>(bits >> 16);
  return range;
}

ForeignRanges& ForeignRanges::instance() {
  static ForeignRanges* ranges = new ForeignRanges;  // never destroyed: used while the process exits
  return *ranges;
}

std::size_t ForeignRanges::count_up_to(const Table& table, std::size_t count, std::uintptr_t address) {
  std::size_t low = 0, high = count;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (table.entries[middle].base.load(std::memory_order_acquire) <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

ForeignRange ForeignRanges::find_once(std::uintptr_t address) const {
  const Table* table = table_.load(std::memory_order_acquire);
  const std::size_t count = count_.load(std::memory_order_acquire);
  // During a change the two may not belong together; the version check then discards the result.
  if (!table || count > table->capacity) return {};
  const std::size_t before = count_up_to(*table, count, address);
  if (before == 0) return {};
  const ForeignRange range = table->entries[before - 1].load();
  return address - range.base < range.size ? range : ForeignRange{};
}

ForeignRange ForeignRanges::find(const void* address) const {
  while (true) {
    const std::uint32_t version = version_.load(std::memory_order_acquire);
    if (version == 0) return {};  // nothing was ever added
    const ForeignRange range = find_once(reinterpret_cast<std::uintptr_t>(address));
    // The loads above are acquire loads, so this one is not moved before them.
    if ((version & 1) == 0 && version_.load(std::memory_order_relaxed) == version) return range;
    pause();
  }
}

void ForeignRanges::make_room(std::size_t count) {
  Table* old = table_.load(std::memory_order_relaxed);
  if (old && old->capacity >= count) return;
  auto table = std::make_unique<Table>(old ? old->capacity * 2 : 16);
  const std::size_t used = count_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < used; ++i) table->entries[i].store(old->entries[i].load());
  tables_.push_back(std::move(table));
  table_.store(tables_.back().get(), std::memory_order_release);
}

bool ForeignRanges::add(const ForeignRange& range) {
  MutexLock lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  make_room(count + 1);
  const Table& table = *table_.load(std::memory_order_relaxed);
  const std::size_t place = count_up_to(table, count, range.base);
  if (place > 0) {
    const ForeignRange previous = table.entries[place - 1].load();
    if (range.base - previous.base < previous.size) return false;
  }
  if (place < count && table.entries[place].load().base - range.base < range.size) return false;

  version_.fetch_add(1, std::memory_order_acq_rel);
  for (std::size_t i = count; i > place; --i) table.entries[i].store(table.entries[i - 1].load());
  table.entries[place].store(range);
  count_.store(count + 1, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
  return true;
}

ForeignRange ForeignRanges::remove(const void* base, MemoryKind kind) {
  MutexLock lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count == 0) return {};
  const Table& table = *table_.load(std::memory_order_relaxed);
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t after = count_up_to(table, count, address);
  if (after == 0) return {};
  const ForeignRange found = table.entries[after - 1].load();
  if (found.base != address || found.kind != kind) return {};

  version_.fetch_add(1, std::memory_order_acq_rel);
  for (std::size_t i = after; i < count; ++i) table.entries[i - 1].store(table.entries[i].load());
  count_.store(count - 1, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
  return found;
}

void ForeignRanges::remove_all(MemoryKind kind, int device) {
  MutexLock lock(mutex_);
  const std::size_t count = count_.load(std::memory_order_relaxed);
  if (count == 0) return;
  const Table& table = *table_.load(std::memory_order_relaxed);
  version_.fetch_add(1, std::memory_order_acq_rel);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ForeignRange range = table.entries[i].load();
    if (range.kind != kind || range.device != device) table.entries[kept++].store(range);
  }
  count_.store(kept, std::memory_order_release);
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace reprise_runtime::memory
