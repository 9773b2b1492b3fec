// Runs a command and returns its output.
#pragma once

#include <string>
#include <vector>

namespace reprise_tool {

struct Finished {
  int status = 0;      // as in a shell: 128 + n after signal n, 127 if the program does not exist
  std::string output;  // stdout and stderr
};

Finished run_and_capture(const std::vector<std::string>& words);
// The command's output goes where the tool's goes.
int run_through(const std::vector<std::string>& words);

}  // namespace reprise_tool
