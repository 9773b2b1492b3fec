// A table of objects that users name by handles. Any bit pattern may be looked up; the result is null unless it is the
// handle of a live object. An object lives until it is erased and its last reference is released.
//
// Thread safety: every function may be called from any thread. find() takes no lock: two loads and one locked add.
//
// Invariants
//  1. Slots are never freed or moved, so the word of any index below the capacity can be read at any time.
//  2. A slot's word is generation << 32 | erased << 31 | references. The object exists from before the references rise
//     from 0 (create) until they fall to 0 again (last release).
//  3. erase() sets the erased bit while it still holds the table's own reference: from then on find() fails.
//  4. References rise from 0 only in create(), by the one thread that took the index from the free list; before an
//     index goes there its generation has been raised.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "base/handle.h"
#include "base/mutex.h"
#include "base/ref.h"

namespace reprise_runtime {

template <class T>
class HandleTable;

// Base of the objects in a table: `class Stream : public Handled<Stream>` with
// `static constexpr HandleType handle_type`.
template <class T>
class Handled {
 public:
  void retain() const { word().fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    uint64_t before = word().fetch_sub(1, std::memory_order_acq_rel);
    if ((before & Slot::reference_mask) == 1) HandleTable<T>::instance().destroy(slot());
  }
  // The handle that names this object while it is not erased.
  Handle handle() const { return handle_; }

 protected:
  Handled() = default;
  Handled(const Handled&) = delete;
  Handled& operator=(const Handled&) = delete;
  ~Handled() = default;

 private:
  friend HandleTable<T>;
  using Slot = typename HandleTable<T>::Slot;

  Slot* slot() const { return Slot::of(static_cast<const T*>(this)); }
  std::atomic<uint64_t>& word() const { return slot()->word; }

  Handle handle_;
};

template <class T>
class HandleTable {
 public:
  // One table for each type, never destroyed: handles may be used while the process exits.
  static HandleTable& instance() {
    static HandleTable* table = new HandleTable;
    return *table;
  }

  // Returns null when the table is full or there is no memory.
  template <class... Arguments>
  [[nodiscard]] Ref<T> create(Arguments&&... arguments) REPRISE_EXCLUDES(mutex_) {
    // One reference for the table until erase(), one for the caller.
    return Ref<T>::adopt(make(2, std::forward<Arguments>(arguments)...));
  }
  // The same without a reference for the caller, who must know that no other thread erases the handle meanwhile.
  template <class... Arguments>
  [[nodiscard]] T* create_kept(Arguments&&... arguments) REPRISE_EXCLUDES(mutex_) {
    return make(1, std::forward<Arguments>(arguments)...);
  }

 private:
  template <class... Arguments>
  T* make(uint64_t references, Arguments&&... arguments) REPRISE_EXCLUDES(mutex_) {
    uint32_t index = take_index();
    if (index == Handle::index_limit) return nullptr;
    Slot* slot = find_slot(index);
    T* object = ::new (static_cast<void*>(slot->storage)) T(std::forward<Arguments>(arguments)...);
    uint64_t generation = slot->word.load(std::memory_order_relaxed) >> 32;
    object->handle_ = Handle::make(T::handle_type, static_cast<uint32_t>(generation), index);
    slot->word.store(generation << 32 | references, std::memory_order_release);
    return object;
  }

 public:
  [[nodiscard]] Ref<T> find(Handle handle) {
    Slot* slot = checked_slot(handle);
    if (!slot) return nullptr;
    uint64_t word = slot->word.load(std::memory_order_relaxed);
    while (Slot::names_live(word, handle)) {
      if (slot->word.compare_exchange_weak(word, word + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
        return Ref<T>::adopt(slot->object());
      }
    }
    return nullptr;
  }

  // The object that the handle names, or null. Counts no reference: the caller must know that the object stays.
  [[nodiscard]] T* peek(Handle handle) {
    Slot* slot = checked_slot(handle);
    if (!slot || !Slot::names_live(slot->word.load(std::memory_order_acquire), handle)) return nullptr;
    return slot->object();
  }

  // Invalidates the handle; the object ends with its last reference. Returns null if the handle names no object. Of two
  // threads that erase one handle, one gets the object.
  Ref<T> erase(Handle handle) {
    Slot* slot = checked_slot(handle);
    if (!slot) return nullptr;
    uint64_t word = slot->word.load(std::memory_order_relaxed);
    while (Slot::names_live(word, handle)) {
      if (slot->word.compare_exchange_weak(word, word | Slot::erased, std::memory_order_acq_rel,
                                           std::memory_order_relaxed)) {
        return Ref<T>::adopt(slot->object());
      }
    }
    return nullptr;
  }

  bool names_live(Handle handle) {
    Slot* slot = checked_slot(handle);
    return slot && Slot::names_live(slot->word.load(std::memory_order_relaxed), handle);
  }

  // Whether the handle names or once named an object here. Tells a destroyed object from an invented handle.
  bool ever_named(Handle handle) {
    Slot* slot = checked_slot(handle);
    return slot && handle.generation() != 0 && handle.generation() <= slot->word.load(std::memory_order_relaxed) >> 32;
  }

  // Calls visit(Ref<T>) for every object that is alive and not erased meanwhile.
  template <class Visit>
  void for_each(Visit&& visit) {
    uint32_t end = capacity_.load(std::memory_order_acquire);
    for (uint32_t index = 0; index < end; ++index) {
      uint64_t word = find_slot(index)->word.load(std::memory_order_relaxed);
      Handle handle = Handle::make(T::handle_type, static_cast<uint32_t>(word >> 32), index);
      if (Ref<T> object = find(handle)) visit(std::move(object));
    }
  }

  // Objects that exist, erased ones with references left included.
  size_t live() const { return live_.load(std::memory_order_relaxed); }

 private:
  friend Handled<T>;

  struct Slot {
    static constexpr uint64_t erased = uint64_t{1} << 31;
    static constexpr uint64_t reference_mask = erased - 1;
    static bool names_live(uint64_t word, Handle handle) {
      return word >> 32 == handle.generation() && !(word & erased) && (word & reference_mask) != 0;
    }

    std::atomic<uint64_t> word{uint64_t{1} << 32};
    alignas(T) unsigned char storage[sizeof(T)];

    T* object() { return std::launder(reinterpret_cast<T*>(storage)); }
    static Slot* of(const T* object) {
      auto address = reinterpret_cast<uintptr_t>(object) - offsetof(Slot, storage);
      return reinterpret_cast<Slot*>(address);
    }
  };

  // Chunk k holds first_chunk << k slots, so few chunks reach any capacity and small tables stay small.
  static constexpr uint32_t first_chunk = 64;
  static constexpr int chunk_count = Handle::index_bits - 6;

  HandleTable() = default;

  static uint32_t next_generation(uint32_t generation) { return generation + 1 == 0 ? 1 : generation + 1; }

  Slot* checked_slot(Handle handle) {
    if (!handle.is(T::handle_type)) return nullptr;
    if (handle.index() >= capacity_.load(std::memory_order_acquire)) return nullptr;
    return find_slot(handle.index());
  }

  Slot* find_slot(uint32_t index) {
    uint32_t position = index + first_chunk;
    int chunk = std::bit_width(position) - std::bit_width(first_chunk);
    return chunks_[chunk].load(std::memory_order_acquire) + (position - (first_chunk << chunk));
  }

  void count_live(int change) REPRISE_REQUIRES(mutex_) {
    live_.store(live_.load(std::memory_order_relaxed) + static_cast<size_t>(change), std::memory_order_relaxed);
  }
  uint32_t no_index() REPRISE_REQUIRES(mutex_) {
    count_live(-1);
    return Handle::index_limit;
  }

  uint32_t take_index() REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    count_live(1);
    if (!free_.empty()) {
      uint32_t index = free_.back();
      free_.pop_back();
      return index;
    }
    uint32_t index = capacity_.load(std::memory_order_relaxed);
    uint32_t position = index + first_chunk;
    int chunk = std::bit_width(position) - std::bit_width(first_chunk);
    if (chunk >= chunk_count) return no_index();
    if (!chunks_[chunk].load(std::memory_order_relaxed)) {
      Slot* slots = new (std::nothrow) Slot[first_chunk << chunk];
      if (!slots) return no_index();
      chunks_[chunk].store(slots, std::memory_order_release);
    }
    capacity_.store(index + 1, std::memory_order_release);
    return index;
  }

  void destroy(Slot* slot) REPRISE_EXCLUDES(mutex_) {
    Handle handle = slot->object()->handle_;
    std::destroy_at(slot->object());
    slot->word.store(uint64_t{next_generation(handle.generation())} << 32, std::memory_order_relaxed);
    MutexLock lock(mutex_);
    count_live(-1);
    free_.push_back(handle.index());
  }

  std::atomic<Slot*> chunks_[chunk_count] = {};
  std::atomic<uint32_t> capacity_{0};
  std::atomic<size_t> live_{0};
  Mutex mutex_;
  std::vector<uint32_t> free_ REPRISE_GUARDED_BY(mutex_);
};

}  // namespace reprise_runtime
