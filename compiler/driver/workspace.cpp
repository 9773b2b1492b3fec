#include "workspace.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "option_table.h"
#include "process.h"
#include "standard_input.h"

namespace reprise_compiler::driver {
namespace {

namespace fs = std::filesystem;

// Starts a thread that handles terminating signals: it forwards the signal to the running programs, removes the
// directory, and ends the driver by the same signal.
void remove_on_signal(const fs::path& directory) {
  sigset_t ending;
  sigemptyset(&ending);
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  std::thread([ending, directory] {
    int signal = 0;
    sigwait(&ending, &signal);
    end_running(signal);
    std::error_code ignored;
    fs::remove_all(directory, ignored);
    ::signal(signal, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
    raise(signal);
  }).detach();
}

}  // namespace

Workspace::Workspace(const Options& options) : numbered_(options.inputs.size() > 1) {
  std::error_code failed;
  if (options.keep) {
    directory_ = options.keep_directory;
    fs::create_directories(directory_, failed);
    if (failed) throw UsageError("cannot create the directory '" + options.keep_directory + "': " + failed.message());
    return;
  }
  const char* base = std::getenv("TMPDIR");
  std::string name = std::string(base && *base ? base : "/tmp") + "/reprise-nvcc-XXXXXX";
  if (options.dry_run) {
    directory_ = name;
    return;
  }
  if (!mkdtemp(name.data()))
    throw UsageError("cannot create a temporary directory '" + name + "': " + std::strerror(errno));
  directory_ = name;
  removed_at_end_ = true;
  remove_on_signal(directory_);
}

Workspace::~Workspace() {
  std::error_code ignored;
  if (removed_at_end_) fs::remove_all(directory_, ignored);
}

std::string Workspace::file(std::size_t number, const std::string& source, const std::string& ending) const {
  // Two inputs may have the same stem: a/x.cu b/x.cu.
  const std::string prefix = numbered_ ? std::to_string(number) + "-" : "";
  return directory_ / (prefix + stem_of(source) + ending);
}

}  // namespace reprise_compiler::driver
