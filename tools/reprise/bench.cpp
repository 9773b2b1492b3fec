// reprise bench: headline figures of this machine. It compiles the program that measures them, as a user would.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "child_process.h"
#include "installation.h"
#include "subcommands.h"

namespace reprise_tool {
namespace {

namespace fs = std::filesystem;

int measure() {
  const Installation here = find_installation();
  std::string directory = (fs::temp_directory_path() / "reprise-bench-XXXXXX").string();
  if (!mkdtemp(directory.data())) throw Failure("cannot make a folder in " + fs::temp_directory_path().string());
  const fs::path program = fs::path(directory) / "figures";
  if (isatty(STDERR_FILENO)) std::fputs("compiling ...\r", stderr);
  const Finished compiled =
      run_and_capture({here.nvcc, "-O3", "-std=c++17", here.data / "headline_figures.cu", "-o", program});
  const int status = compiled.status == 0 ? run_through({program}) : 1;
  std::error_code ignored;
  fs::remove_all(directory, ignored);
  if (compiled.status != 0) throw Failure("the benchmark does not compile; see reprise doctor\n" + compiled.output);
  return status;
}

}  // namespace

void add_bench(CLI::App& application, int& status) {
  CLI::App* command =
      application.add_subcommand("bench", "Measure headline figures: launches, replays, captures, bandwidth");
  command->callback([&status] { status = measure(); });
}

}  // namespace reprise_tool
