#include "device/printf_buffer.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>

#include "base/export.h"
#include "device/printf_format.h"
#include "exec/wait.h"
#include "kernel/kernel_abi.h"

namespace reprise_runtime::device {
namespace {

constexpr std::size_t most_bytes = 1 << 20;

struct Buffer {
  std::mutex mutex;
  std::string text;  // guarded by mutex
  std::atomic<bool> filled = false;
  bool reaches_host = false;  // guarded by mutex; whether waits and the end of the program flush it

  void flush_locked() {
    std::fwrite(text.data(), 1, text.size(), stdout);
    text.clear();
    filled.store(false, std::memory_order_relaxed);
  }
  void append(const std::string& line) {
    const std::lock_guard lock(mutex);
    if (!reaches_host) {
      reaches_host = true;
      exec::after_wait.store(flush_printf, std::memory_order_relaxed);
      std::atexit(flush_printf);
    }
    if (text.size() + line.size() > most_bytes) flush_locked();
    text += line;
    filled.store(true, std::memory_order_release);
  }
};

// Never destroyed: a kernel may print while static objects go away.
Buffer& buffer() {
  static Buffer& the_buffer = *new Buffer;
  return the_buffer;
}

}  // namespace

void flush_printf() {
  Buffer& pending = buffer();
  if (!pending.filled.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(pending.mutex);
  pending.flush_locked();
}

}  // namespace reprise_runtime::device

REPRISE_EXPORT int __reprise_vprintf(const char* format, const void* packed_arguments) {
  std::string line;
  const int used = reprise_runtime::device::append_formatted(line, format, packed_arguments);
  if (!line.empty()) reprise_runtime::device::buffer().append(line);
  return used;
}
