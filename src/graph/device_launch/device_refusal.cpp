#include "graph/device_launch/device_refusal.h"

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>

#include "base/clock.h"
#include "diagnose/log.h"

namespace reprise_runtime::graph {
namespace {

constexpr uint64_t told_in_any_case = 16;
constexpr double pause_ns = 1e9;

std::atomic<uint64_t> refusals{0}, told_last{0}, left_out{0};

bool is_to_be_told() {
  const uint64_t now = ticks();
  uint64_t before = told_last.load(std::memory_order_relaxed);
  if (refusals.fetch_add(1, std::memory_order_relaxed) < told_in_any_case) {
    told_last.store(now, std::memory_order_relaxed);
    return true;
  }
  // One of the threads that find the second over. Another may have told something later than `now`.
  if (now > before && ticks_to_ns(now - before) > pause_ns && told_last.compare_exchange_strong(before, now))
    return true;
  left_out.fetch_add(1, std::memory_order_relaxed);
  return false;
}

void tell(cudaLogLevel level, const char* call, const char* format, va_list arguments, const char* end) {
  if (!is_to_be_told()) return;
  char words[512], all[768];
  std::vsnprintf(words, sizeof words, format, arguments);
  const uint64_t more = left_out.exchange(0, std::memory_order_relaxed);
  int length = std::snprintf(all, sizeof all, "%s in a kernel: %s%s", call, words, end);
  if (more > 0 && length > 0 && static_cast<size_t>(length) < sizeof all) {
    std::snprintf(all + length, sizeof all - static_cast<size_t>(length), " (%llu more since the last that was told)",
                  static_cast<unsigned long long>(more));
  }
  diagnose::Log::instance().write(level, all);
}

}  // namespace

cudaError_t refuse_device(const char* call, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(cudaLogLevelError, call, format, arguments, "; returns cudaErrorInvalidValue (invalid argument)");
  va_end(arguments);
  return cudaErrorInvalidValue;
}

void warn_device(const char* call, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  tell(cudaLogLevelWarning, call, format, arguments, "");
  va_end(arguments);
}

}  // namespace reprise_runtime::graph
