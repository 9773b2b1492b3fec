// The subcommands of the tool, each in a file of its own name. Each adds itself to the application; its callback sets
// the exit status, or throws Failure.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace reprise_tool {

// An error: the message is printed on stderr, and the tool ends with `status`.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int status = 1) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

// Also trace, draw, check and explain, which are short for run with one option. `program` has the words after --.
void add_run(CLI::App& application, const std::vector<std::string>& program);
void add_info(CLI::App& application);
void add_doctor(CLI::App& application, int& status);
void add_bench(CLI::App& application, int& status);

}  // namespace reprise_tool
