// Sleeping on a 32-bit word, and waking those who do. The words of this process only, unless `shared`.
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
