#include "compile.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <regex>
#include <set>
#include <sstream>

#include "depfile.h"
#include "diagnostics.h"
#include "elf_symbols.h"
#include "inline_ptx.h"
#include "precompiled_header.h"
#include "standard_input.h"

namespace reprise_compiler::driver {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  return !file.fail();
}

Outcome cannot_write(const std::string& path) { return {false, "reprise-nvcc: error: cannot write '" + path + "'\n"}; }

// Makes the id by which the runtime matches the host and device halves of a .cu file. It depends on the source's path
// and text, the object's path and the macros, so repeating a command gives the same id.
std::string make_module_id(const Options& options, const std::string& source, const std::string& object) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  const auto mix = [&hash](const std::string& text) {
    for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
    hash = (hash ^ 0xff) * 0x100000001b3u;
  };
  mix(source);
  mix(object);
  mix(read_file(text_file(options, source)));
  for (const std::string& macro : options.macros) mix(macro);
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  std::string stem = stem_of(source);
  for (char& c : stem)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return stem + "_" + digits;
}

// Returns the symbols that are undefined in `user` and local to `owner`.
std::vector<std::string> symbols_used_across(const std::string& owner, const std::string& user) {
  std::set<std::string> wanted;
  for (const ElfSymbol& symbol : read_elf_symbols(user))
    if (!symbol.defined) wanted.insert(symbol.name);
  std::vector<std::string> names;
  for (const ElfSymbol& symbol : read_elf_symbols(owner))
    if (symbol.defined && symbol.local && wanted.contains(symbol.name)) names.push_back(symbol.name);
  return names;
}

}  // namespace

struct Compiler::CudaJob {
  HostFiles host;
  DeviceFiles device;
  std::string device_object, preprocessed, rewritten, object;
};

std::string Compiler::dependency_file_for(const std::string& object) const {
  if (!o_.dependency_file.empty()) return o_.dependency_file;
  return std::filesystem::path(object).replace_extension(".d");
}

std::vector<std::string> Compiler::targets_for(const std::string& object) const {
  return o_.dependency_targets.empty() ? std::vector{quote_for_make(object)} : o_.dependency_targets;
}

Outcome Compiler::write_rule(const std::string& source, const std::string& object, const std::string& file,
                             const std::vector<std::string>& found) const {
  Rule rule{targets_for(object), is_standard_input(source) ? std::vector<std::string>{} : std::vector{source},
            o_.phony_dependency_targets};
  for (const std::string& path : found)
    for (std::string& each : parse_prerequisites(read_file(path)))
      if (std::find(rule.prerequisites.begin(), rule.prerequisites.end(), each) == rule.prerequisites.end())
        rule.prerequisites.push_back(std::move(each));
  if (!o_.precompiled.empty()) rule.prerequisites.push_back(o_.precompiled);
  const std::string text = format_rule(rule);
  if (!file.empty()) return write_file(file, text) ? Outcome{} : cannot_write(file);
  std::fputs(text.c_str(), stdout);
  return {};
}

Outcome Compiler::compile(std::size_t number, const Input& input, const std::string& object) const {
  if (input.language != Language::cuda) return compile_host(input, object);
  SourceOverlay overlay(workspace_, number, input.path);
  return compile_cuda(number, input.path, object, overlay);
}

Outcome Compiler::compile_host(const Input& input, const std::string& object) const {
  std::vector<std::string> flags;
  if (o_.dependencies != Dependencies::none) {
    flags = {o_.dependencies == Dependencies::user ? "-MMD" : "-MD", "-MF", dependency_file_for(object)};
    for (const std::string& target : targets_for(object)) flags.insert(flags.end(), {"-MT", target});
    if (o_.phony_dependency_targets) flags.push_back("-MP");
  }
  const Finished finished = runner_.run(commands_.host_source(input, "-c", object, flags));
  return {finished.status == 0, finished.errors};
}

Finished Compiler::retry_with_rewritten_ptx(const CudaJob& job) const {
  const Finished preprocessed = runner_.run(commands_.cuda_device_preprocess(job.device, job.preprocessed));
  if (preprocessed.status != 0) return preprocessed;
  if (!write_file(job.rewritten, double_percents(read_file(job.preprocessed))))
    return {1, cannot_write(job.rewritten).messages};
  return runner_.run(commands_.cuda_device_pass_preprocessed(job.device, job.rewritten));
}

Finished Compiler::run_device_pass(const CudaJob& job) const {
  Finished finished = runner_.run(commands_.cuda_device_pass(job.device));
  if (finished.status != 0 && finished.errors.find(clang_percent_message) != std::string::npos)
    return retry_with_rewritten_ptx(job);
  return finished;
}

Finished Compiler::rename_linked_binary(const std::string& object) const {
  for (const ElfSymbol& symbol : read_elf_symbols(object))
    if (!symbol.defined && symbol.name.starts_with(linked_binary_prefix))
      return runner_.run(commands_.rename_linked_binary(object, symbol.name.substr(linked_binary_prefix.size())));
  return {};  // the object registers nothing
}

// A managed variable is defined in the host object, where clang makes it local, and used by the device object. It is
// made global while the two objects are joined.
Finished Compiler::join(const CudaJob& job) const {
  const std::vector<std::string> shared = symbols_used_across(job.host.object, job.device_object);
  const Command together = commands_.join(job.host.object, job.device_object, job.object);
  if (shared.empty()) return runner_.run(together);
  Finished finished;
  for (const Command& step : {commands_.bind_symbols(job.host.object, shared, true), together,
                              commands_.bind_symbols(job.object, shared, false)})
    if (finished = runner_.run(step); finished.status != 0) break;
  return finished;
}

// An error of the device compiler names a source line only if the code was compiled with line information. After a
// failure without it, compiles again with lines for a better message.
Finished Compiler::run_device_compiler(const CudaJob& job) const {
  const Finished finished = runner_.run(commands_.device_object(job.device, job.device_object));
  if (finished.status == 0 || o_.line_info || o_.host_debug || o_.device_debug) return finished;
  Options with_lines = o_;
  with_lines.line_info = true;
  const Commands commands(with_lines, commands_.toolchain());
  const Compiler again(with_lines, commands, runner_, workspace_);
  if (again.run_device_pass(job).status != 0) return finished;
  const Finished located = runner_.run(commands.device_object(job.device, job.device_object));
  return located.status == 0 ? finished : located;
}

Outcome Compiler::make_object(const CudaJob& job) const {
  if (o_.relocatable_device_code)
    if (const Finished finished = rename_linked_binary(job.host.object); finished.status != 0)
      return {false, finished.errors};
  const Finished device = run_device_compiler(job);
  if (device.status != 0) return {false, device.errors};
  const Finished joined = join(job);
  return {joined.status == 0, device.errors + joined.errors};
}

Outcome Compiler::report_failure(const std::string& source, const std::vector<std::string>& passes) const {
  MergedDiagnostics merged = merge_diagnostics(passes);
  merged.text += explain_refused_header(merged.text, o_.precompiled);
  if (merged.errors > 0)
    merged.text += std::to_string(merged.errors) + (merged.errors == 1 ? " error" : " errors") +
                   " detected in the compilation of \"" + (is_standard_input(source) ? "<stdin>" : source) + "\".\n";
  return {false, merged.text};
}

bool Compiler::needs_cccl(const std::vector<std::string>& passes) const {
  if (o_.cccl_first || commands_.toolchain().cccl.empty()) return false;
  static const std::regex missing("fatal error: '([^']+)' file not found");
  for (const std::string& pass : passes) {
    std::smatch found;
    std::error_code ignored;
    const std::string plain = without_colours(pass);
    if (std::regex_search(plain, found, missing) &&
        std::filesystem::exists(commands_.toolchain().cccl / found[1].str(), ignored))
      return true;
  }
  return false;
}

Outcome Compiler::compile_cuda(std::size_t number, const std::string& source, const std::string& object,
                               SourceOverlay& overlay) const {
  const auto file = [&](const char* ending) { return workspace_.file(number, source, ending); };
  const bool rule_wanted = o_.dependencies != Dependencies::none;
  const std::string id = make_module_id(o_, source, object);
  CudaJob job{{source, file(".host.o"), rule_wanted ? file(".host.d") : "", file(".id"), id},
              {source, file(".device.bc"), rule_wanted ? file(".device.d") : "", id},
              file(".device.o"),
              file(".device.ii"),
              file(".device.ptx.ii"),
              object};
  // The runtime reads the id as a C string.
  if (!runner_.dry() && !write_file(job.host.module_id_file, id + '\0')) return cannot_write(job.host.module_id_file);

  std::future<Finished> device_pass =
      std::async(runner_.prints() ? std::launch::deferred : std::launch::async, [&] { return run_device_pass(job); });
  const Finished host = runner_.run(commands_.cuda_host_pass(job.host));
  const Finished device = device_pass.get();

  if (host.status != 0 || device.status != 0) {
    const std::vector<std::string> passes{host.errors, device.errors};
    Options changed = o_;
    changed.cccl_first = o_.cccl_first || needs_cccl(passes);
    if (changed.cccl_first == o_.cccl_first && !overlay.correct(passes))
      return report_failure(source, overlay.to_report(passes));
    changed.overlay = overlay.path();
    const Commands commands(changed, commands_.toolchain());
    return Compiler(changed, commands, runner_, workspace_).compile_cuda(number, source, object, overlay);
  }
  Outcome outcome = make_object(job);
  if (outcome.ok && rule_wanted && !runner_.dry()) {
    const Outcome rule =
        write_rule(source, object, dependency_file_for(object), {job.host.dependencies, job.device.dependencies});
    outcome = {rule.ok, outcome.messages + rule.messages};
  }
  outcome.messages.insert(0, merge_diagnostics({host.errors, device.errors}).text);
  return outcome;
}

Outcome Compiler::precompile(std::size_t number, const std::string& header, const std::string& precompiled) const {
  const std::vector<std::string> halves{precompiled, device_half(precompiled)};
  std::vector<std::string> found(2);
  if (o_.dependencies != Dependencies::none)
    found = {workspace_.file(number, header, ".host.d"), workspace_.file(number, header, ".device.d")};
  const auto pass = [&](bool device) {
    return runner_.run(commands_.cuda_precompile(header, halves[device], found[device], device));
  };
  std::future<Finished> device_pass =
      std::async(runner_.prints() ? std::launch::deferred : std::launch::async, pass, true);
  const Finished host = pass(false);
  const Finished device = device_pass.get();
  if (host.status != 0 || device.status != 0) {
    std::error_code ignored;  // one half alone is useless
    for (const std::string& half : halves) std::filesystem::remove(half, ignored);
    return report_failure(header, {host.errors, device.errors});
  }
  if (!runner_.dry() && !record_precompiled_options(o_, header, precompiled)) return cannot_write(precompiled);
  Outcome outcome{true, merge_diagnostics({host.errors, device.errors}).text};
  if (o_.dependencies == Dependencies::none || runner_.dry()) return outcome;
  const Outcome rule = write_rule(header, precompiled, dependency_file_for(precompiled), found);
  return {rule.ok, outcome.messages + rule.messages};
}

Outcome Compiler::preprocess(const Input& input) const {
  const Finished finished =
      runner_.run(input.language == Language::cuda ? commands_.cuda_preprocess(input.path, o_.output)
                                                   : commands_.host_source(input, "-E", o_.output, {}));
  return {finished.status == 0, finished.errors};
}

Outcome Compiler::list_dependencies(std::size_t number, const Input& input, const std::string& object) const {
  const std::string output = o_.dependency_file.empty() ? o_.output : o_.dependency_file;
  std::vector<std::string> found;
  std::vector<std::string> messages;
  bool ok = true;
  const auto run = [&](const Command& command) {
    const Finished finished = runner_.run(command);
    ok = ok && finished.status == 0;
    messages.push_back(finished.errors);
  };
  if (input.language == Language::cuda) {
    for (const bool device : {false, true}) {
      found.push_back(workspace_.file(number, input.path, device ? ".device.d" : ".host.d"));
      run(commands_.cuda_dependencies(input.path, found.back(), device));
    }
  } else {
    found.push_back(workspace_.file(number, input.path, ".host.d"));
    run(commands_.host_source(input, o_.dependencies == Dependencies::user ? "-MM" : "-M", found.back(),
                              {"-MT", "target"}));
  }
  Outcome outcome{ok, merge_diagnostics(messages).text};
  if (!ok || runner_.dry()) return outcome;
  const Outcome rule = write_rule(input.path, object, output, found);
  return {rule.ok, outcome.messages + rule.messages};
}

}  // namespace reprise_compiler::driver
