// A decoded nvcc command line. parse_command_line fills it.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

enum class Stage { link, compile, preprocess, list_dependencies, device_link, archive, precompile };
enum class Language { by_suffix, c, cxx, cuda, linker_input };
enum class Runtime { shared, archive, none };
enum class Dependencies { none, all, user };  // user: without system headers

struct Input {
  std::string path;  // "-": standard input
  Language language;
};

struct Options {
  Stage stage = Stage::link;
  std::vector<Input> inputs;
  std::string output;
  std::string output_directory;
  std::string overlay;         // overlay of the file system with changed sources: see source_overlay.h
  std::string visible_files;   // overlay that hides a toolkit of NVIDIA's: see foreign_toolkit.h
  bool cccl_first = false;     // use NVIDIA's libcu++ in place of ours: see Compiler::needs_cccl
  std::string standard_input;  // for the input "-": file with the text read from standard input
  std::string precompiled;     // --use-pch: header that every .cu file begins with

  // In clang's spelling and in the order of the command line.
  std::vector<std::string> macros;         // -D, -U
  std::vector<std::string> include_paths;  // -I, -isystem
  std::vector<std::string> pre_includes;   // -include
  std::vector<std::string> frontend;       // -std, -Werror, -ftemplate-depth and the like, for both passes
  std::vector<std::string> host_compiler;  // -Xcompiler, and unknown options that are forwarded
  std::vector<std::string> linker;         // -Xlinker
  std::vector<std::string> libraries;      // -l, -L

  std::string optimisation;  // "0" to "3"; empty: not given
  std::string march;
  std::string host_compiler_path;      // -ccbin
  std::vector<int> architectures;      // 75 for sm_75; the highest is __CUDA_ARCH__
  bool architecture_specific = false;  // sm_90a
  bool host_debug = false, device_debug = false, line_info = false;
  bool resource_usage = false;  // report kernels that run as fibers
  bool relocatable_device_code = false;
  bool extended_lambda = false, relaxed_constexpr = false;
  bool per_thread_default_stream = false;
  bool fast_math = false, contract = true;
  bool no_warnings = false;
  bool shared = false;
  Runtime runtime = Runtime::shared;

  Dependencies dependencies = Dependencies::none;
  std::string dependency_file;
  std::vector<std::string> dependency_targets;
  bool phony_dependency_targets = false;

  bool forward_unknown_to_compiler = false, forward_unknown_to_linker = false;
  bool verbose = false, dry_run = false;
  bool keep = false;
  std::string keep_directory = ".";
  unsigned threads = 0;  // 0: one per core
  bool run = false;
  std::vector<std::string> run_arguments;
  bool help = false, version = false, list_architectures = false, list_codes = false;
};

}  // namespace reprise_compiler::driver
