// reprise: a tool to run, diagnose and measure programs built with Reprise.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "subcommands.h"

int main(int argc, char** argv) {
  CLI::App application(
      "Runs CUDA programs made by reprise-nvcc with traces, drawings and checks; says what is installed and what is "
      "missing.",
      "reprise");
  application.set_version_flag("--version", "reprise " REPRISE_VERSION);
  application.require_subcommand(1);
  application.failure_message(CLI::FailureMessage::simple);
  int status = 0;
  // Arguments after -- belong to the program; CLI11 parses the others.
  char** const separator =
      std::find_if(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
  const int own = static_cast<int>(separator - argv);
  reprise_tool::add_run(application,
                        own < argc ? std::vector<std::string>(separator + 1, argv + argc) : std::vector<std::string>());
  reprise_tool::add_info(application);
  reprise_tool::add_doctor(application, status);
  reprise_tool::add_bench(application, status);
  try {
    application.parse(own, argv);
  } catch (const CLI::ParseError& error) {
    // Wrong arguments end with 2, as with other tools; --help and --version with 0.
    return application.exit(error) == 0 ? 0 : 2;
  } catch (const reprise_tool::Failure& failure) {
    std::fprintf(stderr, "reprise: %s\n", failure.what());
    return failure.status();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reprise: %s\n", error.what());
    return 1;
  }
  return status;
}
