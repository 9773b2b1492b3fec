#include "diagnose/log.h"

#include <time.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "diagnose/log_callbacks.h"

namespace reprise_runtime::diagnose {
namespace {

constexpr size_t longest_message = 4096;
constexpr std::string_view older_lost = "[older messages were dropped]\n";
constexpr std::string_view no_room = "[older messages do not fit this buffer]\n";

// [hour:minute:second.millisecond][thread][CUDA][severity], as CUDA writes it
std::string prefix(cudaLogLevel level) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  tm local{};
  localtime_r(&now.tv_sec, &local);
  char text[64];
  std::snprintf(text, sizeof text, "[%02d:%02d:%02d.%03ld][%d][CUDA][%c]", local.tm_hour, local.tm_min, local.tm_sec,
                now.tv_nsec / 1000000, static_cast<int>(gettid()), level == cudaLogLevelError ? 'E' : 'W');
  return text;
}

std::FILE* open_log_file() {
  const char* name = std::getenv("CUDA_LOG_FILE");
  if (!name || !*name) return nullptr;
  if (std::strcmp(name, "stdout") == 0) return stdout;
  if (std::strcmp(name, "stderr") == 0) return stderr;
  return std::fopen(name, "ae");
}

}  // namespace

Log& Log::instance() {
  static Log* log = new Log;  // never destroyed: errors are logged while the process exits, too
  return *log;
}

void Log::write(cudaLogLevel level, std::string_view message) {
  message = message.substr(0, longest_message);
  std::string line = prefix(level).append(" ").append(message).append("\n");
  {
    MutexLock lock(mutex_);
    write_to_file(line);
    bytes_ += line.size();
    entries_.push_back({next_++, std::move(line)});
    while (bytes_ > kept_bytes) {
      bytes_ -= entries_.front().line.size();
      entries_.pop_front();
    }
  }
  call_log_callbacks(level, message);
}

void Log::write_to_file(std::string_view line) {
  if (!file_opened_) {
    file_opened_ = true;
    if (this == &instance()) file_ = open_log_file();
  }
  if (!file_) return;
  std::fwrite(line.data(), 1, line.size(), file_);
  std::fflush(file_);
}

uint32_t Log::next() {
  MutexLock lock(mutex_);
  return next_;
}

Log::Dump Log::dump(uint32_t first, size_t room) {
  MutexLock lock(mutex_);
  Dump dump{{}, next_, true};
  // Numbers wrap around; what counts is the distance back from the next one.
  const uint32_t wanted = next_ - first;
  if (wanted == 0 || wanted > UINT32_MAX / 2) return dump;
  const size_t available = std::min<size_t>(wanted, entries_.size());
  const std::string_view head = available < wanted ? older_lost : std::string_view{};

  size_t needed = head.size();
  for (size_t i = entries_.size() - available; i < entries_.size(); ++i) needed += entries_[i].line.size();
  if (needed <= room) {
    dump.text = head;
    for (size_t i = entries_.size() - available; i < entries_.size(); ++i) dump.text += entries_[i].line;
    return dump;
  }

  size_t used = no_room.size();
  size_t begin = entries_.size();
  while (begin > 0 && used + entries_[begin - 1].line.size() <= room) used += entries_[--begin].line.size();
  dump.fits = begin < entries_.size();
  if (!dump.fits) return dump;
  dump.text = no_room;
  for (size_t i = begin; i < entries_.size(); ++i) dump.text += entries_[i].line;
  return dump;
}

}  // namespace reprise_runtime::diagnose
