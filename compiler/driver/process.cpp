#include "process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <set>

extern char** environ;

namespace reprise_compiler::driver {
namespace {

std::mutex printing;

// Process ids of children that have not been reaped. A child enters the set when it is spawned and leaves it just
// before waitpid, both under the mutex, so end_running never signals a reused process id.
std::mutex running_mutex;
std::set<pid_t> running;

Finished spawn_failure(const std::string& program, int error) {
  return {127, "reprise-nvcc: error: cannot run " + program + ": " + std::strerror(error) + "\n"};
}

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got > 0)
      text.append(buffer, static_cast<std::size_t>(got));
    else if (got == 0 || errno != EINTR)
      return text;
  }
}

int wait_for(pid_t child) {
  siginfo_t ignored;
  while (waitid(P_PID, static_cast<id_t>(child), &ignored, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  std::scoped_lock lock(running_mutex);
  running.erase(child);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

void end_running(int signal) {
  running_mutex.lock();  // never unlocked: no program may start or be reaped from here on
  for (const pid_t child : running) kill(child, signal);
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_of(" \t\n\"'\\$`&|;<>()*?#~[]{}!") == std::string::npos) {
      line += word;
      continue;
    }
    line += '"';
    for (char c : word) {
      if (c == '"' || c == '\\' || c == '$' || c == '`') line += '\\';
      line += c;
    }
    line += '"';
  }
  return line;
}

Finished Runner::run(const Command& command) const {
  if (print_) {
    const std::string line = "#$ " + shell_line(command.words) +
                             (command.standard_input.empty() ? "" : " < " + shell_line({command.standard_input})) +
                             "\n";
    std::scoped_lock lock(printing);
    std::fputs(line.c_str(), stderr);
  }
  if (dry_) return {};

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return spawn_failure(command.words[0], errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  const char* input = command.standard_input.empty() ? "/dev/null" : command.standard_input.c_str();
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
  // The driver blocks signals for its own signal thread (see Workspace); children get an empty mask.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);

  std::vector<char*> words;
  for (const std::string& word : command.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  pid_t child = 0;
  int error = 0;
  {
    std::scoped_lock lock(running_mutex);
    error = posix_spawnp(&child, words[0], &actions, &attributes, words.data(), environ);
    if (!error) running.insert(child);
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    return spawn_failure(command.words[0], error);
  }
  Finished finished;
  finished.errors = read_all(ends[0]);
  close(ends[0]);
  finished.status = wait_for(child);
  if (finished.status > 128)
    finished.errors += "reprise-nvcc: error: " + command.words[0] + " was killed by signal " +
                       std::to_string(finished.status - 128) + "\n";
  return finished;
}

}  // namespace reprise_compiler::driver
