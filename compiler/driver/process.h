// Runs other programs. Prints their commands under -v and --dryrun, runs nothing under --dryrun, and ends the programs
// when a signal ends the driver.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct Command {
  std::vector<std::string> words;
  std::string standard_input;  // path of a file; empty: /dev/null
};

struct Finished {
  int status = 0;      // exit status; 128 + signal when the program was killed
  std::string errors;  // its output on standard error
};

// Safe to use from several threads.
class Runner {
 public:
  Runner(bool print, bool dry) : print_(print || dry), dry_(dry) {}
  Finished run(const Command& command) const;
  bool dry() const { return dry_; }
  bool prints() const { return print_; }

 private:
  const bool print_, dry_;
};

// Sends a signal to every running program, in a process that is about to end by that signal. Afterwards no program can
// be started, and a thread that waits for one blocks for ever.
void end_running(int signal);

// Returns the words as a shell command, quoted where necessary.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace reprise_compiler::driver
