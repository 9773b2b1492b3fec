// A second process for a test: this program again, running one of its tests. That test is named DISABLED_ so that it
// does not run by itself.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "support.h"

extern char** environ;

namespace conformance {

// Bytes as text, for the environment.
inline std::string as_text(const void* data, size_t size) {
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", static_cast<const unsigned char*>(data)[i]);
    text += digits;
  }
  return text;
}
inline void from_text(const char* text, void* data, size_t size) {
  for (size_t i = 0; i < size; ++i)
    static_cast<unsigned char*>(data)[i] =
        static_cast<unsigned char>(std::stoi(std::string(text + 2 * i, 2), nullptr, 16));
}

class ChildProcess {
 public:
  // The child reads from descriptor 10 and writes to descriptor 11.
  static constexpr int child_reads = 10, child_writes = 11;

  // `settings` are NAME=VALUE strings added to the environment.
  explicit ChildProcess(const std::string& test, std::vector<std::string> settings = {}) {
    int down[2], up[2];
    if (!open_pipe(down) || !open_pipe(up)) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, down[0], child_reads);
    posix_spawn_file_actions_adddup2(&actions, up[1], child_writes);
    std::string filter = "--gtest_filter=" + test;
    char program[] = "/proc/self/exe", disabled[] = "--gtest_also_run_disabled_tests";
    char* arguments[] = {program, filter.data(), disabled, nullptr};
    std::vector<char*> environment;
    for (char** each = environ; *each != nullptr; ++each) environment.push_back(*each);
    for (std::string& setting : settings) environment.push_back(setting.data());
    environment.push_back(nullptr);
    if (posix_spawn(&process_, program, &actions, nullptr, arguments, environment.data()) != 0) process_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    close(down[0]);
    close(up[1]);
    writes_ = down[1];
    reads_ = up[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    close(writes_);
    close(reads_);
    if (process_ > 0) (void)status();
  }

  void say() const { (void)!write(writes_, ".", 1); }
  // False if the child has ended.
  bool hear() const {
    char byte;
    return read(reads_, &byte, 1) == 1;
  }
  // Waits for the child; returns its exit status, or minus the signal that killed it.
  int status() {
    int status = 0;
    if (process_ <= 0 || waitpid(std::exchange(process_, -1), &status, 0) <= 0) return -1000;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  // The child's side.
  static void say_to_parent() { (void)!write(child_writes, ".", 1); }
  static bool hear_from_parent() {
    char byte;
    return read(child_reads, &byte, 1) == 1;
  }

 private:
  // Uses numbers above those that the child gets, whatever this process has open; the child keeps no other
  // descriptor.
  static bool open_pipe(int (&ends)[2]) {
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    for (int& end : ends) {
      const int moved = fcntl(end, F_DUPFD_CLOEXEC, child_writes + 1);
      close(end);
      end = moved;
    }
    return ends[0] >= 0 && ends[1] >= 0;
  }

  pid_t process_ = -1;
  int writes_ = -1, reads_ = -1;
};

}  // namespace conformance
