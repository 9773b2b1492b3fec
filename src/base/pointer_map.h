// A map from addresses to objects that every launch reads; loading and unloading modules writes it.
//
// Thread safety: any thread may call any function; find() takes no lock. Values are never freed here.
//
// Invariants
//  1. A slot's key is written once, after its value; removing only clears the value. So a reader that meets its key
//     sees a value that belongs to it, or null.
//  2. A table that was replaced stays readable: readers may still be in it. Each is half the size of the next.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/mutex.h"

namespace reprise_runtime {

template <class T>
class PointerMap {
 public:
  T* find(const void* key) const {
    const Table* table = table_.load(std::memory_order_acquire);
    if (!table) return nullptr;
    for (size_t i = table->start(key);; ++i) {
      const Slot& slot = table->slot(i);
      const void* found = slot.key.load(std::memory_order_acquire);
      if (found == key) return slot.value.load(std::memory_order_acquire);
      if (!found) return nullptr;
    }
  }

  // Null keys cannot be found. A key that is there already gets the new value.
  void insert(const void* key, T* value) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (2 * (used_ + 1) > capacity()) grow();
    put(*tables_.back(), key, value);
  }

  void remove(const void* key) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (!tables_.empty() && find(key)) put(*tables_.back(), key, nullptr);
  }

 private:
  struct Slot {
    std::atomic<const void*> key{nullptr};
    std::atomic<T*> value{nullptr};
  };
  struct Table {
    explicit Table(size_t size) : mask(size - 1), slots(new Slot[size]) {}
    // Host stubs are 16-byte aligned and near each other: multiply to spread them.
    size_t start(const void* key) const { return (reinterpret_cast<uintptr_t>(key) * 0x9e3779b97f4a7c15u) >> 32; }
    const Slot& slot(size_t i) const { return slots[i & mask]; }
    Slot& slot(size_t i) { return slots[i & mask]; }

    const size_t mask;
    const std::unique_ptr<Slot[]> slots;
  };

  size_t capacity() const REPRISE_REQUIRES(mutex_) { return tables_.empty() ? 0 : tables_.back()->mask + 1; }

  void put(Table& table, const void* key, T* value) REPRISE_REQUIRES(mutex_) {
    for (size_t i = table.start(key);; ++i) {
      Slot& slot = table.slot(i);
      const void* found = slot.key.load(std::memory_order_relaxed);
      if (found && found != key) continue;
      slot.value.store(value, std::memory_order_release);
      if (found) return;
      slot.key.store(key, std::memory_order_release);
      ++used_;
      return;
    }
  }

  void grow() REPRISE_REQUIRES(mutex_) {
    auto larger = std::make_unique<Table>(tables_.empty() ? 64 : 2 * capacity());
    used_ = 0;
    if (!tables_.empty()) {
      for (size_t i = 0; i < capacity(); ++i) {
        Slot& slot = tables_.back()->slot(i);
        if (T* value = slot.value.load(std::memory_order_relaxed)) {
          put(*larger, slot.key.load(std::memory_order_relaxed), value);
        }
      }
    }
    table_.store(larger.get(), std::memory_order_release);
    tables_.push_back(std::move(larger));
  }

  std::atomic<const Table*> table_{nullptr};
  Mutex mutex_;
  std::vector<std::unique_ptr<Table>> tables_ REPRISE_GUARDED_BY(mutex_);
  size_t used_ REPRISE_GUARDED_BY(mutex_) = 0;  // slots with a key
};

}  // namespace reprise_runtime
