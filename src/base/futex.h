// The futex system call: sleeping on a 32-bit word and waking its sleepers. Only base/waiting.h and Mutex use it.
//
// Thread safety: every function may be called from any thread, and with Scope::shared from any process.
#pragma once

#include <atomic>
#include <cstdint>

namespace reprise_runtime::futex {

enum class Scope { process, shared };

// Sleeps while `word` is `expected`, at most `timeout_ns` (negative: no limit). May return early; callers loop.
// False when the time ran out.
bool wait(const std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns = -1, Scope scope = Scope::process);

void wake(const std::atomic<uint32_t>& word, int count, Scope scope = Scope::process);
inline void wake_one(const std::atomic<uint32_t>& word) { wake(word, 1); }
inline void wake_all(const std::atomic<uint32_t>& word) { wake(word, 0x7fffffff); }

}  // namespace reprise_runtime::futex
