#include "diagnose/trace.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "base/clock.h"
#include "base/settings.h"

namespace reprise_runtime::diagnose {
namespace {

// -1: there is no trace.
int file() {
  static const int opened = [] {
    const char* name = std::getenv("REPRISE_TRACE");
    if (!name || !*name) return -1;
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) {
      std::fprintf(stderr, "REPRISE_TRACE: cannot open %s for writing; no trace is written\n", name);
    } else if (write(descriptor, "[\n", 2) != 2) {
      std::fprintf(stderr, "REPRISE_TRACE: cannot write to %s\n", name);
    }
    return descriptor;
  }();
  return opened;
}

// In bytes.
uint64_t limit() {
  constexpr long most_megabytes = 1'000'000'000;
  static const uint64_t read = [] {
    return static_cast<uint64_t>(number_setting("REPRISE_TRACE_MB", 1, most_megabytes).value_or(1024)) * 1'000'000;
  }();
  return read;
}

// The last event that fits says that the trace ends there.
void write_within_limit(const char* event, size_t bytes) {
  static std::atomic<uint64_t> all{0};
  constexpr std::string_view full =
      "{\"ph\":\"i\",\"ts\":0,\"pid\":0,\"tid\":0,\"s\":\"g\",\"name\":\"the trace ends here: REPRISE_TRACE_MB\"},\n";
  if (all.load(std::memory_order_relaxed) > limit()) return;
  const uint64_t before = all.fetch_add(bytes, std::memory_order_relaxed);
  if (before > limit()) return;
  const bool last = before + bytes > limit();
  // A failed write, as on a full disk, is not reported.
  [[maybe_unused]] const ssize_t written = write(file(), last ? full.data() : event, last ? full.size() : bytes);
}

// One call writes one event, so events of several threads do not mix. The list need not be closed.
void write_event(char phase, std::string_view what, uint64_t node) {
  // Kernel names may contain characters that JSON would have to escape.
  char name[200];
  const size_t length = std::min(what.size(), sizeof name);
  std::replace_copy_if(
      what.begin(), what.begin() + static_cast<std::ptrdiff_t>(length), name,
      [](char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' '; }, '?');
  char event[480];
  const int bytes =
      std::snprintf(event, sizeof event,
                    "{\"ph\":\"%c\",\"ts\":%.3f,\"pid\":%d,\"tid\":%d,\"s\":\"t\",\"name\":\"%.*s\","
                    "\"args\":{\"node\":\"0x%llx\"}},\n",
                    phase, static_cast<double>(now_ns()) / 1000, static_cast<int>(getpid()), static_cast<int>(gettid()),
                    static_cast<int>(length), name, static_cast<unsigned long long>(node));
  write_within_limit(event, static_cast<size_t>(bytes));
}

}  // namespace

bool Trace::on() { return file() >= 0; }
void Trace::begin(std::string_view what, uint64_t node) { write_event('B', what, node); }
void Trace::end() { write_event('E', "", 0); }
void Trace::note(std::string_view what, uint64_t node) { write_event('i', what, node); }

}  // namespace reprise_runtime::diagnose
