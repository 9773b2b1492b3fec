// reprise run, and the subcommands that are short for it. The tool sets the variables that the runtime reads
// (docs/environment.md) and becomes the program: exit codes, signals, terminals and debuggers see the program alone.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "dynamic_section.h"
#include "explain_error.h"
#include "installation.h"
#include "subcommands.h"

namespace reprise_tool {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

// The kinds of checks that the runtime supports.
const Words check_kinds{"memory"};

struct RunOptions {
  std::string trace, drawings, devices, memory;
  Words checks;
  bool explain = false, summary = false;
};

std::string joined(const Words& words, const char* separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

void set_variable(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void set_environment(const RunOptions& options) {
  // The program may change its directory before it writes.
  if (!options.trace.empty()) set_variable("REPRISE_TRACE", fs::absolute(options.trace));
  if (!options.drawings.empty()) {
    std::error_code failed;
    fs::create_directories(options.drawings, failed);
    if (failed) throw Failure("cannot make the folder " + options.drawings + ": " + failed.message());
    set_variable("REPRISE_DRAW", fs::absolute(options.drawings));
  }
  if (!options.checks.empty()) set_variable("REPRISE_CHECK", joined(options.checks, ","));
  if (options.summary) set_variable("REPRISE_SUMMARY", "1");
  if (!options.devices.empty()) set_variable("REPRISE_DEVICES", options.devices);
  if (!options.memory.empty()) set_variable("REPRISE_MEMORY", options.memory);
  if (options.explain) set_variable("CUDA_LOG_FILE", "stderr");
}

// A program whose installation was moved or removed runs with this one.
void offer_runtime(const std::string& program) {
  if (!lacks_runtime(program)) return;
  const char* paths = std::getenv("LD_LIBRARY_PATH");
  const std::string libraries = find_installation().libraries;
  set_variable("LD_LIBRARY_PATH", paths && *paths ? paths + (":" + libraries) : libraries);
}

[[noreturn]] void become(const Words& words, const RunOptions& options) {
  if (words[0].starts_with("-")) throw Failure("unknown option " + words[0] + "; see reprise run --help", 2);
  const std::string program = find_program(words[0]);
  std::error_code ignored;
  if (program.empty() && fs::is_regular_file(words[0], ignored)) throw Failure(words[0] + " is not executable", 126);
  if (program.empty()) throw Failure("there is no program " + words[0], 127);
  set_environment(options);
  offer_runtime(program);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  throw Failure("cannot run " + program + ": " + std::strerror(errno), 126);
}

// The program's words: those after --, or those that CLI11 did not recognise as options.
Words program_of(const CLI::App& command, const Words& after_separator) {
  Words words = command.remaining();
  words.insert(words.end(), after_separator.begin(), after_separator.end());
  if (words.empty())
    throw Failure("no program to run: reprise " + command.get_name() + " [options] -- PROGRAM [arguments]", 2);
  return words;
}

CLI::App* add_command(CLI::App& application, const char* name, const char* description,
                      const std::shared_ptr<RunOptions>& options) {
  CLI::App* command = application.add_subcommand(name, description);
  command->prefix_command();
  command->footer("The program and its arguments follow the options: reprise " + std::string(name) +
                  " [options] -- PROGRAM [arguments]");
  command->add_option("--devices", options->devices, "the number of devices that the cores are shown as");
  command->add_option("--memory", options->memory, "memory of each device, in bytes or with K, M, G or T");
  return command;
}

void add_checks(CLI::App* command, const char* name, RunOptions& options) {
  command->add_option(name, options.checks, "kinds of checks, separated by commas: " + joined(check_kinds, ", "))
      ->delimiter(',')
      ->expected(1)
      ->check(CLI::IsMember(check_kinds));
}

void add_trace(CLI::App& application, const Words& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = add_command(application, "trace", "Run a program and record a trace for Perfetto", options);
  options->trace = "trace.json";
  command->add_option("-o,--output", options->trace, "the file of the trace")->capture_default_str();
  command->callback([=] { become(program_of(*command, program), *options); });
}

void add_check(CLI::App& application, const Words& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      add_command(application, "check", "Run a program with checks; the log on stderr names what they find", options);
  options->checks = check_kinds;
  options->explain = true;
  add_checks(command, "--kinds", *options);
  command->callback([=] { become(program_of(*command, program), *options); });
}

void add_draw(CLI::App& application, const Words& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = add_command(application, "draw", "Run a program and draw its graphs", options);
  options->drawings = "graphs";
  command->add_option("-o,--output", options->drawings, "the folder of the drawings")->capture_default_str();
  command->callback([=] { become(program_of(*command, program), *options); });
}

void add_explain(CLI::App& application, const Words& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command =
      add_command(application, "explain",
                  "Run a program with CUDA's log on stderr, or explain an error code: reprise explain 900", options);
  options->explain = true;
  command->callback([=] {
    const Words words = program_of(*command, program);
    if (words.size() == 1 && explain_error(words[0])) return;
    become(words, *options);
  });
}

}  // namespace

void add_run(CLI::App& application, const Words& program) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = add_command(application, "run", "Run a program with traces, drawings and checks", options);
  command->add_option("--trace", options->trace, "record a trace for Perfetto in this file");
  command->add_option("--draw", options->drawings, "draw the program's graphs into this folder");
  command->add_flag("--summary", options->summary, "at the end, print where the time went");
  command->add_flag("--explain", options->explain,
                    "write CUDA's log, with the reason for each refused call, to stderr");
  add_checks(command, "--check", *options);
  command->callback([=] { become(program_of(*command, program), *options); });
  add_trace(application, program);
  add_draw(application, program);
  add_check(application, program);
  add_explain(application, program);
}

}  // namespace reprise_tool
