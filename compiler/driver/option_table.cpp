#include "option_table.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "gpu_architecture.h"

namespace reprise_compiler::driver {
namespace {

using enum Arguments;

bool parse_bool(const std::string& value, const char* option) {
  if (value == "true") return true;
  if (value == "false") return false;
  throw UsageError("'" + value + "' is not a value of " + option + "; use true or false");
}

unsigned parse_count(const std::string& value, const char* option) {
  if (value.empty() || value.size() > 4 ||
      !std::all_of(value.begin(), value.end(), [](unsigned char c) { return std::isdigit(c); }))
    throw UsageError("'" + value + "' is not a value of " + option + "; use a number from 0 to 9999");
  return static_cast<unsigned>(std::stoul(value));
}

template <Stage stage>
void set_stage(Options& o, const std::string&) {
  o.stage = stage;
}
template <bool Options::* member>
void set(Options& o, const std::string&) {
  o.*member = true;
}
template <std::string Options::* member>
void assign(Options& o, const std::string& value) {
  o.*member = value;
}
template <Dependencies which, bool only>
void set_dependencies(Options& o, const std::string&) {
  o.dependencies = which;
  if (only) o.stage = Stage::list_dependencies;
}

// Options that tune or describe a GPU, or nvcc's own way of working. They do not change the meaning of a program, and
// nothing corresponds to them on a CPU.
void ignore(Options&, const std::string&) {}

void set_language(Options& o, const std::string& value);
void set_cudart(Options& o, const std::string& value);
void set_standard(Options& o, const std::string& value);
void set_default_stream(Options& o, const std::string& value);
void make_warnings_errors(Options& o, const std::string& kind);

[[noreturn]] void refuse_device_output(Options&, const std::string&) {
  throw UsageError("device code is compiled for the CPU: PTX, cubin, fatbin, LTO and OptiX output are not available");
}
[[noreturn]] void refuse_cuda_output(Options&, const std::string&) {
  throw UsageError("--cuda is not available: compilation has no C++ intermediate form");
}
[[noreturn]] void refuse_cleaning(Options&, const std::string&) {
  throw UsageError("--clean-targets is not available: intermediate files are removed when each compilation ends");
}

constexpr auto rows = std::to_array<OptionRow>({
    // Output
    {"compile", "c", none, set_stage<Stage::compile>},
    {"device-c", "dc", none,
     [](Options& o, const std::string&) { o.stage = Stage::compile, o.relocatable_device_code = true; }},
    {"device-w", "dw", none, set_stage<Stage::compile>},
    {"device-link", "dlink", none, set_stage<Stage::device_link>},
    {"link", "link", none, set_stage<Stage::link>},
    {"lib", "lib", none, set_stage<Stage::archive>},
    {"run", "run", none, set<&Options::run>},
    {"run-args", "run-args", list, [](Options& o, const std::string& v) { o.run_arguments.push_back(v); }},
    {"preprocess", "E", none, set_stage<Stage::preprocess>},
    {"generate-dependencies", "M", none, set_dependencies<Dependencies::all, true>},
    {"generate-nonsystem-dependencies", "MM", none, set_dependencies<Dependencies::user, true>},
    {"generate-dependencies-with-compile", "MD", none, set_dependencies<Dependencies::all, false>},
    {"generate-nonsystem-dependencies-with-compile", "MMD", none, set_dependencies<Dependencies::user, false>},
    {"dependency-output", "MF", one, assign<&Options::dependency_file>},
    {"dependency-target-name", "MT", one, [](Options& o, const std::string& v) { o.dependency_targets.push_back(v); }},
    {"generate-dependency-targets", "MP", none, set<&Options::phony_dependency_targets>},
    {"output-file", "o", one, assign<&Options::output>},
    {"output-directory", "odir", one, assign<&Options::output_directory>},
    {"shared", "shared", none, set<&Options::shared>},
    {"static", "static", none,
     [](Options& o, const std::string&) { o.linker.push_back("-static"), o.runtime = Runtime::archive; }},
    {"relocatable-link", "r", none,
     [](Options&, const std::string&) { throw UsageError("-r is not available: join objects with 'ld -r'"); }},
    {"create-pch", "create-pch", one,
     [](Options& o, const std::string& v) { o.stage = Stage::precompile, o.output = v; }},
    {"use-pch", "use-pch", one, assign<&Options::precompiled>},
    {"cuda", "cuda", none, refuse_cuda_output},
    {"cubin", "cubin", none, refuse_device_output},
    {"fatbin", "fatbin", none, refuse_device_output},
    {"ptx", "ptx", none, refuse_device_output},
    {"optix-ir", "optix-ir", none, refuse_device_output},
    {"ltoir", "ltoir", none, refuse_device_output},
    {"clean-targets", "clean", none, refuse_cleaning},
    {"qpp-config", "qpp-config", one,
     [](Options&, const std::string&) { throw UsageError("--qpp-config is not available: it is for QNX hosts"); }},

    // Source language
    {"x", "x", one, set_language},
    {"std", "std", one, set_standard},
    {"define-macro", "D", list, [](Options& o, const std::string& v) { o.macros.push_back("-D" + v); }, true},
    {"undefine-macro", "U", list, [](Options& o, const std::string& v) { o.macros.push_back("-U" + v); }, true},
    {"include-path", "I", list, [](Options& o, const std::string& v) { o.include_paths.push_back("-I" + v); }, true},
    {"system-include", "isystem", list,
     [](Options& o, const std::string& v) { o.include_paths.push_back("-isystem" + v); }},
    {"pre-include", "include", list, [](Options& o, const std::string& v) { o.pre_includes.push_back(v); }},
    {"extended-lambda", "extended-lambda", none, set<&Options::extended_lambda>},
    {"expt-extended-lambda", "expt-extended-lambda", none, set<&Options::extended_lambda>},
    {"expt-relaxed-constexpr", "expt-relaxed-constexpr", none, set<&Options::relaxed_constexpr>},
    {"default-stream", "default-stream", one, set_default_stream},
    {"relocatable-device-code", "rdc", one,
     [](Options& o, const std::string& v) { o.relocatable_device_code = parse_bool(v, "-rdc"); }},
    {"gpu-architecture", "arch", one, add_architecture},
    {"gpu-code", "code", list, add_code},
    {"generate-code", "gencode", one, add_generate_code},
    {"ftemplate-backtrace-limit", "ftemplate-backtrace-limit", one,
     [](Options& o, const std::string& v) { o.frontend.push_back("-ftemplate-backtrace-limit=" + v); }},
    {"ftemplate-depth", "ftemplate-depth", one,
     [](Options& o, const std::string& v) { o.frontend.push_back("-ftemplate-depth=" + v); }},
    {"no-exceptions", "noeh", none,
     [](Options& o, const std::string&) { o.host_compiler.push_back("-fno-exceptions"); }},

    // Code generation
    {"optimize", "O", one, assign<&Options::optimisation>, true},
    {"debug", "g", none, set<&Options::host_debug>},
    {"device-debug", "G", none, set<&Options::device_debug>},
    {"resource-usage", "res-usage", none, set<&Options::resource_usage>},
    {"generate-line-info", "lineinfo", none, set<&Options::line_info>},
    {"profile", "pg", none, [](Options& o, const std::string&) { o.host_compiler.push_back("-pg"); }},
    {"use_fast_math", "use_fast_math", none, set<&Options::fast_math>},
    {"fmad", "fmad", one, [](Options& o, const std::string& v) { o.contract = parse_bool(v, "-fmad"); }},
    {"march", "march", one, assign<&Options::march>},

    // Warnings
    {"disable-warnings", "w", none, set<&Options::no_warnings>},
    {"Werror", "Werror", list, make_warnings_errors},
    {"Wreorder", "Wreorder", none, [](Options& o, const std::string&) { o.frontend.push_back("-Wreorder"); }},
    {"Wno-deprecated-declarations", "Wno-deprecated-declarations", none,
     [](Options& o, const std::string&) { o.frontend.push_back("-Wno-deprecated-declarations"); }},

    // Other tools, and linking
    {"compiler-bindir", "ccbin", one, assign<&Options::host_compiler_path>},
    {"compiler-options", "Xcompiler", list, [](Options& o, const std::string& v) { o.host_compiler.push_back(v); }},
    {"linker-options", "Xlinker", list,
     [](Options& o, const std::string& v) { o.linker.insert(o.linker.end(), {"-Xlinker", v}); }},
    {"library", "l", list, [](Options& o, const std::string& v) { o.libraries.push_back("-l" + v); }, true},
    {"library-path", "L", list, [](Options& o, const std::string& v) { o.libraries.push_back("-L" + v); }, true},
    {"cudart", "cudart", one, set_cudart},
    {"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", none,
     set<&Options::forward_unknown_to_compiler>},
    {"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", none,
     set<&Options::forward_unknown_to_linker>},
    {"forward-unknown-opts", "forward-unknown-opts", none,
     [](Options& o, const std::string&) { o.forward_unknown_to_compiler = o.forward_unknown_to_linker = true; }},

    // The driver itself
    {"verbose", "v", none, set<&Options::verbose>},
    {"dryrun", "dryrun", none, set<&Options::dry_run>},
    {"keep", "keep", none, set<&Options::keep>},
    {"save-temps", "save-temps", none, set<&Options::keep>},
    {"keep-dir", "keep-dir", one, [](Options& o, const std::string& v) { o.keep = true, o.keep_directory = v; }},
    {"threads", "t", one, [](Options& o, const std::string& v) { o.threads = parse_count(v, "--threads"); }, true},
    {"help", "h", none, set<&Options::help>},
    {"version", "V", none, set<&Options::version>},
    {"list-gpu-arch", "arch-ls", none, set<&Options::list_architectures>},
    {"list-gpu-code", "code-ls", none, set<&Options::list_codes>},

    // Without effect on a CPU
    {"Ofast-compile", "Ofc", one, ignore},
    {"Wdefault-stream-launch", "Wdefault-stream-launch", none, ignore},
    {"Wext-lambda-captures-this", "Wext-lambda-captures-this", none, ignore},
    {"Wmissing-launch-bounds", "Wmissing-launch-bounds", none, ignore},
    {"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", none, ignore},
    {"allow-unsupported-compiler", "allow-unsupported-compiler", none, ignore},
    {"archive-options", "Xarchive", list, ignore},
    {"archiver-binary", "arbin", one, ignore},
    {"augment-host-linker-script", "aug-hls", none, ignore},
    {"brief-diagnostics", "brief-diag", one, ignore},
    {"compile-as-tools-patch", "astoolspatch", none, ignore},
    {"compress-mode", "compress-mode", one, ignore},
    {"cudadevrt", "cudadevrt", one, ignore},
    {"device-entity-has-hidden-visibility", "device-entity-has-hidden-visibility", one, ignore},
    {"device-stack-protector", "device-stack-protector", one, ignore},
    {"dependency-drive-prefix", "ddp", one, ignore},
    {"diag-error", "diag-error", list, ignore},
    {"diag-suppress", "diag-suppress", list, ignore},
    {"diag-warn", "diag-warn", list, ignore},
    {"display-error-number", "err-no", none, ignore},
    {"dlink-time-opt", "dlto", none, ignore},
    {"dont-use-profile", "noprof", none, ignore},
    {"dopt", "dopt", one, ignore},
    {"drive-prefix", "dp", one, ignore},
    {"entries", "e", list, ignore},
    {"extensible-whole-program", "ewp", none, ignore},
    {"extra-device-vectorization", "extra-device-vectorization", none, ignore},
    {"fatbin-options", "Xfatbin", list, ignore},
    {"fdevice-syntax-only", "fdevice-syntax-only", none, ignore},
    {"fdevice-time-trace", "fdevice-time-trace", one, ignore},
    {"force-cl-env-setup", "force-cl-env-setup", none, ignore},
    {"frandom-seed", "frandom-seed", one, ignore},
    {"ftz", "ftz", one, ignore},
    {"gen-opt-lto", "gen-opt-lto", none, ignore},
    {"host-linker-script", "hls", one, ignore},
    {"input-drive-prefix", "idp", one, ignore},
    {"jobserver", "jobserver", none, ignore},
    {"jump-table-density", "jtd", one, ignore},
    {"keep-device-functions", "keep-device-functions", none, ignore},
    {"libdevice-directory", "ldir", one, ignore},
    {"lto", "lto", none, ignore},
    {"m64", "m64", none, ignore},
    {"machine", "m", one, ignore},
    {"maxrregcount", "maxrregcount", one, ignore},
    {"no-align-double", "no-align-double", none, ignore},
    {"no-compress", "no-compress", none, ignore},
    {"no-device-link", "nodlink", none, ignore},
    {"no-display-error-number", "no-err-no", none, ignore},
    {"no-host-device-initializer-list", "nohdinitlist", none, ignore},
    {"no-host-device-move-forward", "nohdmoveforward", none, ignore},
    {"nvlink-options", "Xnvlink", list, ignore},
    {"Xcudafe", "Xcudafe", list, ignore},
    {"objdir-as-tempdir", "objtemp", none, ignore},
    {"optimization-info", "opt-info", list, ignore},
    {"prec-div", "prec-div", one, ignore},
    {"prec-sqrt", "prec-sqrt", one, ignore},
    {"ptxas-options", "Xptxas", list, ignore},
    {"relocatable-ptx", "reloc-ptx", none, ignore},
    {"restrict", "restrict", none, ignore},
    {"sanitize", "sanitize", one, ignore},
    {"source-in-ptx", "src-in-ptx", none, ignore},
    {"split-compile", "split-compile", one, ignore},
    {"split-compile-extended", "split-compile-extended", one, ignore},
    {"static-global-template-stub", "static-global-template-stub", one, ignore},
    {"target-directory", "target-dir", one, ignore},
    {"time", "time", one, ignore},
    {"use-local-env", "use-local-env", none, ignore},
    {"Xcicc", "Xcicc", list, ignore},
});

void set_language(Options&, const std::string& value) {
  if (value != "cu" && value != "c++" && value != "c")
    throw UsageError("'" + value + "' is not a value of -x; use cu, c++ or c");
}

void set_standard(Options& o, const std::string& value) {
  for (const char* old : {"c++98", "c++03", "gnu++98", "gnu++03"})
    if (value == old) throw UsageError("-std=" + value + " is not available: CUDA C++ needs c++11 or later");
  o.frontend.push_back("-std=" + value);
}

void set_cudart(Options& o, const std::string& value) {
  if (value == "shared")
    o.runtime = Runtime::shared;
  else if (value == "static")
    o.runtime = Runtime::archive;
  else if (value == "none")
    o.runtime = Runtime::none;
  else
    throw UsageError("'" + value + "' is not a value of -cudart; use shared, static or none");
}

void set_default_stream(Options& o, const std::string& value) {
  if (value != "legacy" && value != "null" && value != "per-thread")
    throw UsageError("'" + value + "' is not a value of -default-stream; use legacy, null or per-thread");
  o.per_thread_default_stream = value == "per-thread";
}

void make_warnings_errors(Options& o, const std::string& kind) {
  if (kind == "all-warnings")
    o.frontend.push_back("-Werror");
  else if (kind == "reorder" || kind == "deprecated-declarations")
    o.frontend.push_back("-Werror=" + kind);
  else if (kind != "cross-execution-space-call" && kind != "default-stream-launch" &&
           kind != "ext-lambda-captures-this" && kind != "missing-launch-bounds")
    throw UsageError("'" + kind + "' is not a value of -Werror");
}

}  // namespace

const OptionRow* find_option(std::string_view name, bool two_dashes) {
  for (const OptionRow& row : rows)
    if ((two_dashes && row.long_name == name) || (!two_dashes && row.short_name == name)) return &row;
  return nullptr;
}

const OptionRow* find_glued_option(std::string_view text) {
  const OptionRow* best = nullptr;
  for (const OptionRow& row : rows)
    if (row.glued && text.starts_with(row.short_name) && (!best || row.short_name.size() > best->short_name.size()))
      best = &row;
  return best;
}

}  // namespace reprise_compiler::driver
