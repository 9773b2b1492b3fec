// The memory file of an external semaphore: a word that processes signal and wait for.
//
// Thread safety: every function may be called from any thread of any process that maps the file.
// Invariants
//  1. A file is sealed against shrinking before its descriptor is returned, so a mapping stays valid.
//  2. `changes` is raised after `value` changes and before sleepers are woken; a sleeper reads it before it looks at
//     `value`. So a change between its look and its sleep ends the sleep.
#pragma once

#include <driver_types.h>

#include <atomic>
#include <cstdint>

#include "base/waiting.h"

namespace reprise_runtime::op {

enum class SemaphoreKind : uint32_t { binary = 1, timeline = 2 };

// A mapping of such a file, unmapped with the object.
class SemaphoreFile {
 public:
  // Creates a file; returns its descriptor, or -1.
  static int create(SemaphoreKind kind, uint64_t value);

  // Maps the file of `fd`, which stays open. Returns an empty object if it is no semaphore.
  static SemaphoreFile map(int fd);

  SemaphoreFile() = default;
  ~SemaphoreFile();
  SemaphoreFile(SemaphoreFile&& other) noexcept;
  SemaphoreFile& operator=(SemaphoreFile&&) = delete;

  explicit operator bool() const { return state_ != nullptr; }
  SemaphoreKind kind() const { return state_->kind; }

  // A timeline never goes back: a signal with a smaller value changes nothing.
  void signal(uint64_t value) const;
  // Waits at most `timeout_ns` (negative: no limit). Returns false on timeout.
  bool wait(uint64_t value, int64_t timeout_ns = -1) const;

 private:
  struct State {
    uint64_t magic;
    SemaphoreKind kind;
    SharedEventCount signals;
    std::atomic<uint64_t> value;  // 0 or 1 for a binary semaphore
  };
  static_assert(std::atomic<uint64_t>::is_always_lock_free && std::atomic<uint32_t>::is_always_lock_free);

  explicit SemaphoreFile(State* state) : state_(state) {}
  bool take(uint64_t value) const;

  State* state_ = nullptr;
};

}  // namespace reprise_runtime::op
