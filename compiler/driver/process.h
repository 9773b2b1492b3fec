// Running other programs: printed when asked for (-v), not run at all in a dry run, ended with us.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

struct Command {
  std::vector<std::string> words;
  std::string standard_input;  // a file; empty: none
};

struct Finished {
  int status = 0;      // the exit status; 128 + signal when it was killed
  std::string errors;  // what it wrote on standard error
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

// Sends a signal to every program that runs now, for a process about to end by it: none is started any more,
// and who waits for one waits for ever.
void end_running(int signal);

// As a shell would need it: quoted where it must be.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace reprise_compiler::driver
