// CUDA's log: recent messages in memory, callbacks, and the file that CUDA_LOG_FILE names.
//
// Thread safety: every function may be called from any thread. Callbacks run on the thread that logs; each runs once at
// a time. Messages that a callback itself causes are kept, but not reported to callbacks.
#pragma once

#include <driver_types.h>

#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace reprise_runtime::diagnose {

using LogCallback = void (*)(void* data, cudaLogLevel level, char* message, size_t length);

class Log {
 public:
  // The size of the log that CUDA documents.
  static constexpr size_t kept_bytes = 25600;

  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  // The process's log, which also writes to CUDA_LOG_FILE.
  static Log& instance();

  void write(cudaLogLevel level, std::string_view message) REPRISE_EXCLUDES(mutex_);

  // The number of the next message.
  uint32_t next() REPRISE_EXCLUDES(mutex_);

  struct Dump {
    std::string text;  // lines, oldest first
    uint32_t next;     // position of the next dump
    bool fits;         // false: there were messages, but none of them fits
  };
  // Messages from number `first` on, in at most `room` bytes. If not all fit, the latest ones, after a line that says
  // so.
  Dump dump(uint32_t first, size_t room) REPRISE_EXCLUDES(mutex_);

 private:
  struct Entry {
    uint32_t number;
    std::string line;
  };

  void write_to_file(std::string_view line) REPRISE_REQUIRES(mutex_);

  Mutex mutex_;
  std::deque<Entry> entries_ REPRISE_GUARDED_BY(mutex_);
  size_t bytes_ REPRISE_GUARDED_BY(mutex_) = 0;
  uint32_t next_ REPRISE_GUARDED_BY(mutex_) = 0;
  bool file_opened_ REPRISE_GUARDED_BY(mutex_) = false;
  std::FILE* file_ REPRISE_GUARDED_BY(mutex_) = nullptr;
};

// The calls of CUDA's log interface.
cudaError_t register_callback(LogCallback function, void* data, cudaLogsCallbackHandle* handle);
cudaError_t unregister_callback(cudaLogsCallbackHandle handle);
cudaError_t current_position(cudaLogIterator* position, unsigned flags);
cudaError_t dump_to_file(cudaLogIterator* position, const char* path, unsigned flags);
cudaError_t dump_to_memory(cudaLogIterator* position, char* buffer, size_t* size, unsigned flags);

}  // namespace reprise_runtime::diagnose
