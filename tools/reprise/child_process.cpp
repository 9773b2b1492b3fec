#include "child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace reprise_tool {
namespace {

std::vector<char*> as_arguments(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Finished run_and_capture(const std::vector<std::string>& words) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {127, std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, as_arguments(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Finished finished{127, error ? std::strerror(error) : ""};
  char buffer[4096];
  for (ssize_t got; !error && ((got = read(ends[0], buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR));)
    if (got > 0) finished.output.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (!error) finished.status = wait_for(child);
  return finished;
}

int run_through(const std::vector<std::string>& words) {
  pid_t child = 0;
  if (posix_spawnp(&child, words[0].c_str(), nullptr, nullptr, as_arguments(words).data(), environ) != 0) return 127;
  return wait_for(child);
}

}  // namespace reprise_tool
