// reprise-nvcc: accepts nvcc's command lines and builds programs for Reprise's CPU device.
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "command_line.h"
#include "commands.h"
#include "compile.h"
#include "foreign_toolkit.h"
#include "gpu_architecture.h"
#include "help.h"
#include "option_table.h"
#include "precompiled_header.h"
#include "process.h"
#include "standard_input.h"
#include "toolchain.h"
#include "workspace.h"

namespace reprise_compiler::driver {
namespace {

// Path of a source's object, where -c writes it and which -M names as the target.
std::string object_name(const Options& options, const Input& input) {
  if (!options.output.empty() && options.stage == Stage::compile) return options.output;
  const std::filesystem::path name = stem_of(input.path) + ".o";
  return options.output_directory.empty() ? name : std::filesystem::path(options.output_directory) / name;
}

std::string product_name(const Options& options) {
  if (!options.output.empty()) return options.output;
  switch (options.stage) {
    case Stage::device_link:
      return "a_dlink.o";
    case Stage::archive:
      return "a.a";
    default:
      return "a.out";
  }
}

class Build {
 public:
  Build(const Options& options, const Toolchain& toolchain, const Workspace& workspace)
      : o_(options),
        commands_(options, toolchain),
        runner_(options.verbose, options.dry_run),
        workspace_(workspace),
        compiler_(options, commands_, runner_, workspace_) {}

  int run() {
    if (o_.stage == Stage::device_link) return finish(runner_.run(commands_.empty_object(product_name(o_))));
    if (!run_sources()) return 1;
    if (o_.stage == Stage::archive) {
      std::error_code ignored;  // `ar` would add to an existing archive
      if (!runner_.dry()) std::filesystem::remove(product_name(o_), ignored);
      return finish(runner_.run(commands_.archive(objects_, product_name(o_))));
    }
    if (o_.stage != Stage::link) return 0;
    const int status = finish(runner_.run(commands_.link(objects_, product_name(o_))));
    if (status != 0 || !o_.run) return status;
    std::vector<std::string> words{std::filesystem::absolute(product_name(o_))};
    words.insert(words.end(), o_.run_arguments.begin(), o_.run_arguments.end());
    const Finished program = runner_.run({words, {}});
    std::fputs(program.errors.c_str(), stderr);
    return program.status;
  }

 private:
  static int finish(const Finished& finished) {
    std::fputs(finished.errors.c_str(), stderr);
    return finished.status == 0 ? 0 : 1;
  }

  Outcome run_source(std::size_t number, const Input& input) const {
    switch (o_.stage) {
      case Stage::preprocess:
        return compiler_.preprocess(input);
      case Stage::precompile:
        return compiler_.precompile(number, input.path, o_.output);
      case Stage::list_dependencies:
        return compiler_.list_dependencies(number, input, object_name(o_, input));
      default:
        return compiler_.compile(number, input, objects_[number]);
    }
  }

  // Compiles several sources at once. Prints their messages in the order of the command line.
  bool run_sources() {
    const bool objects_stay = o_.stage == Stage::compile;
    for (std::size_t i = 0; i < o_.inputs.size(); ++i) {
      const Input& input = o_.inputs[i];
      if (input.language == Language::linker_input)
        objects_.push_back(input.path);
      else
        objects_.push_back(objects_stay ? object_name(o_, input) : workspace_.file(i, input.path, ".o"));
    }
    std::vector<Outcome> outcomes(o_.inputs.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t i; (i = next++) < o_.inputs.size();)
        if (o_.inputs[i].language != Language::linker_input) outcomes[i] = run_source(i, o_.inputs[i]);
    };
    std::vector<std::thread> helpers;
    for (unsigned i = 1; i < worker_count(); ++i) helpers.emplace_back(work);
    work();
    for (std::thread& helper : helpers) helper.join();
    bool ok = true;
    for (const Outcome& outcome : outcomes) {
      std::fputs(outcome.messages.c_str(), stderr);
      ok = ok && outcome.ok;
    }
    return ok;
  }

  // One worker where the order of the output matters: -E and -M write to standard output, -v and --dryrun print
  // commands.
  unsigned worker_count() const {
    if (runner_.prints() || o_.stage == Stage::preprocess || o_.stage == Stage::list_dependencies) return 1;
    const unsigned wanted = o_.threads ? o_.threads : std::max(1u, std::thread::hardware_concurrency());
    return std::min<unsigned>(wanted, static_cast<unsigned>(o_.inputs.size()));
  }

  const Options& o_;
  const Commands commands_;
  const Runner runner_;
  const Workspace& workspace_;
  const Compiler compiler_;
  std::vector<std::string> objects_;
};

int drive(int argc, char** argv) {
  Options options = parse_command_line(expand_arguments(argc, argv));
  if (options.help) return std::fputs(help_text(), stdout), 0;
  if (options.version) return std::fputs(version_text(), stdout), 0;
  if (options.list_architectures) return std::fputs(list_architectures("compute_").c_str(), stdout), 0;
  if (options.list_codes) return std::fputs(list_architectures("sm_").c_str(), stdout), 0;
  const Toolchain toolchain = find_toolchain(options);
  if (options.verbose || options.dry_run) std::fputs(environment_text(options, toolchain).c_str(), stderr);
  check_command_line(options);
  if (!options.precompiled.empty() && !options.dry_run) check_precompiled_header(options);
  const Workspace workspace(options);
  if (!options.dry_run) keep_standard_input(options, workspace);
  if (!options.dry_run) options.visible_files = hide_toolkit_headers(options, workspace);
  if (options.stage == Stage::link) check_libraries(options, toolchain);
  return Build(options, toolchain, workspace).run();
}

}  // namespace
}  // namespace reprise_compiler::driver

int main(int argc, char** argv) {
  try {
    return reprise_compiler::driver::drive(argc, argv);
  } catch (const reprise_compiler::driver::UsageError& error) {
    std::fprintf(stderr, "reprise-nvcc: error: %s\n", error.what());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reprise-nvcc: error: %s\n", error.what());
  }
  return 1;
}
