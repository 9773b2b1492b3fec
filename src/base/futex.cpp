#include "base/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace reprise_runtime::futex {
namespace {

long call(const std::atomic<uint32_t>& word, int operation, uint32_t value, const timespec* timeout, Scope scope) {
  int flag = scope == Scope::process ? FUTEX_PRIVATE_FLAG : 0;
  return syscall(SYS_futex, &word, operation | flag, value, timeout, nullptr, 0);
}

}  // namespace

bool wait(const std::atomic<uint32_t>& word, uint32_t expected, int64_t timeout_ns, Scope scope) {
  timespec limit{timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  long result = call(word, FUTEX_WAIT, expected, timeout_ns < 0 ? nullptr : &limit, scope);
  return !(result < 0 && errno == ETIMEDOUT);
}

void wake(const std::atomic<uint32_t>& word, int count, Scope scope) {
  call(word, FUTEX_WAKE, static_cast<uint32_t>(count), nullptr, scope);
}

}  // namespace reprise_runtime::futex
