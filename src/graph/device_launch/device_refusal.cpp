#include "graph/device_launch/device_refusal.h"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "base/clock.h"
#include "diagnose/log.h"

namespace reprise_runtime::graph {
namespace {

constexpr uint64_t always_logged = 16;
constexpr double interval_ns = 1e9;

std::atomic<uint64_t> refusals{0}, last_logged{0}, suppressed{0};

bool takes_log_slot() {
  const uint64_t now = ticks();
  uint64_t before = last_logged.load(std::memory_order_relaxed);
  if (refusals.fetch_add(1, std::memory_order_relaxed) < always_logged) {
    last_logged.store(now, std::memory_order_relaxed);
    return true;
  }
  // One of the threads that see the second end logs. Another thread may have logged later than `now`.
  if (now > before && ticks_to_ns(now - before) > interval_ns && last_logged.compare_exchange_strong(before, now))
    return true;
  suppressed.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void log_message(cudaLogLevel level, const char* call, const char* format, va_list arguments, const char* end) {
  if (!takes_log_slot()) return;
  char words[512], all[768];
  std::vsnprintf(words, sizeof words, format, arguments);
  const uint64_t more = suppressed.exchange(0, std::memory_order_relaxed);
  int length = std::snprintf(all, sizeof all, "%s in a kernel: %s%s", call, words, end);
  if (more > 0 && length > 0 && static_cast<size_t>(length) < sizeof all) {
    std::snprintf(all + length, sizeof all - static_cast<size_t>(length), " (%llu more since the last message)",
                  static_cast<unsigned long long>(more));
  }
  diagnose::Log::instance().write(level, all);
}

}  // namespace

cudaError_t refuse_device(const char* call, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_message(cudaLogLevelError, call, format, arguments, "; returns cudaErrorInvalidValue (invalid argument)");
  va_end(arguments);
  return cudaErrorInvalidValue;
}

void warn_device(const char* call, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  log_message(cudaLogLevelWarning, call, format, arguments, "");
  va_end(arguments);
}

}  // namespace reprise_runtime::graph
