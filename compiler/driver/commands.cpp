#include "commands.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "gpu_architecture.h"
#include "host_flags.h"
#include "precompiled_header.h"
#include "runtime_link.h"
#include "standard_input.h"

namespace reprise_compiler::driver {
namespace {

using Words = std::vector<std::string>;

void add(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

// Many Makefiles have -I/usr/local/cuda/include. A directory with NVIDIA's headers is searched after ours.
bool holds_other_cuda_headers(const std::filesystem::path& directory, const Toolchain& toolchain) {
  std::error_code ignored;
  return std::filesystem::exists(directory / "cuda_runtime_api.h", ignored) &&
         !std::filesystem::equivalent(directory, toolchain.headers, ignored);
}

void add_include_path(Words& words, const std::string& flag, const Toolchain& toolchain) {
  const std::size_t length = flag.starts_with("-isystem") ? 8 : 2;
  const std::string directory = flag.substr(length);
  if (holds_other_cuda_headers(directory, toolchain))
    add(words, {"-idirafter", directory});
  else
    add(words, {flag.substr(0, length), directory});
}

// Sets the suffix that clang appends to the names of static variables and kernels shared by both passes. Clang's driver
// forwards -cuid in a device pass only and makes up an id when there is none, hence both spellings.
void add_module_id(Words& words, const std::string& id) { add(words, {"-cuid=" + id, "-Xclang", "-cuid=" + id}); }

}  // namespace

void Commands::add_paths_and_macros(Words& words) const {
  for (const std::string& flag : o_.include_paths) add_include_path(words, flag, t_);
  // Thrust and CUB need NVIDIA's complete libcu++ in place of our partial one.
  if (o_.cccl_first && !t_.cccl.empty()) add(words, {"-isystem", t_.cccl});
  add(words, {"-isystem", t_.headers});
  add(words, o_.macros);
  if (o_.per_thread_default_stream) words.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  for (const std::string& file : o_.pre_includes) add(words, {"-include", file});
}

void Commands::add_dependencies(Words& words, const std::string& file) const {
  if (file.empty()) return;
  add(words, {o_.dependencies == Dependencies::user ? "-MMD" : "-MD", "-MF", file, "-MT", "target"});
}

// Flags of both passes over a .cu file. Clang ignores its own CUDA headers and any installed toolkit. The SDK version
// selects the launch calls that it emits (__cudaPushCallConfiguration).
Words Commands::cuda_language() const {
  Words words{t_.clang, "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib"};
  add(words, {"-Xclang", "-target-sdk-version=12.3", "-Wno-unknown-warning-option", "-Qunused-arguments"});
  words.push_back("-Wno-register");  // nvcc accepts `register` in C++17 too
  // Templates use variadic overloads ("...") for overload resolution without calling them in device code.
  add(words, {"-Xclang", "-fcuda-allow-variadic-functions"});
  if (o_.relocatable_device_code) words.push_back("-fgpu-rdc");
  if (o_.no_warnings) words.push_back("-w");
  if (isatty(STDERR_FILENO)) words.push_back("-fcolor-diagnostics");
  if (!o_.visible_files.empty()) add(words, {"-ivfsoverlay", o_.visible_files});
  if (!o_.overlay.empty()) add(words, {"-ivfsoverlay", o_.overlay});
  add(words, o_.frontend);
  return words;
}

void Commands::add_cuda_source(Words& words) const {
  add(words, {"-D__CUDACC__=1", "-D__NVCC__=1"});
  add(words, {"-D__CUDACC_VER_MAJOR__=13", "-D__CUDACC_VER_MINOR__=0", "-D__CUDACC_VER_BUILD__=88"});
  words.push_back("-D__CUDA_ARCH_LIST__=" + architecture_list(o_));
  if (o_.relocatable_device_code) words.push_back("-D__CUDACC_RDC__=1");
  if (o_.extended_lambda) words.push_back("-D__CUDACC_EXTENDED_LAMBDA__=1");
  if (o_.relaxed_constexpr) words.push_back("-D__CUDACC_RELAXED_CONSTEXPR__=1");
  if (o_.device_debug) words.push_back("-D__CUDACC_DEBUG__=1");
  if (o_.fast_math) words.push_back("-D__USE_FAST_MATH__=1");
  add(words, {"-include", "cuda_runtime.h"});
  add_paths_and_macros(words);
}

// The target is fixed: no code is generated for it, it only has to accept every builtin. The device compiler
// optimises, and needs unoptimised code as its input.
Words Commands::device_language() const {
  Words words = cuda_language();
  add(words, {"--cuda-device-only", "--cuda-gpu-arch=sm_90", "--cuda-feature=+ptx83"});
  add(words, {"-O3", "-Xclang", "-disable-llvm-passes"});
  words.push_back(o_.contract ? "-ffp-contract=fast" : "-ffp-contract=off");
  if (o_.fast_math) words.push_back("-fgpu-approx-transcendentals");
  // Clang reduces the debug information of optimised GPU code to line directives, which say nothing without a
  // compilation unit; --cuda-noopt-device-debug prevents that.
  const bool debug = o_.device_debug || o_.host_debug;
  if (debug || o_.line_info) add(words, {debug ? "-g" : "-gline-tables-only", "--cuda-noopt-device-debug"});
  add(words, flags_for_device_pass(o_.host_compiler));
  return words;
}

// __CUDA_ARCH__ is the architecture that the user asked for instead of clang's target.
Words Commands::device_pass() const {
  Words words = device_language();
  add_cuda_source(words);
  const std::string number = std::to_string(architecture(o_));
  add(words, {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=" + number + "0"});
  if (o_.architecture_specific) words.push_back("-D__CUDA_ARCH_FEAT_SM" + number + "_ALL=1");
  return words;
}

Words Commands::host_pass() const {
  Words words = cuda_language();
  add_cuda_source(words);
  add_host_code(words);
  words.push_back("--cuda-host-only");
  return words;
}

void Commands::add_host_code(Words& words) const {
  const std::string level = !o_.optimisation.empty() ? o_.optimisation : o_.host_debug ? "0" : "2";
  words.push_back("-O" + level);
  if (o_.host_debug) words.push_back("-g");
  if (!o_.march.empty()) words.push_back("-march=" + o_.march);
  add(words, o_.host_compiler);
}

void Commands::begin_with_precompiled(Words& words, bool device) const {
  if (o_.precompiled.empty()) return;
  add(words, {"-include-pch", device ? device_half(o_.precompiled) : o_.precompiled});
}

// A command that only preprocesses includes the header's text. With -include-pch, clang would read the same text, but
// before cuda_runtime.h.
void Commands::begin_with_header_text(Words& words) const {
  if (!o_.precompiled.empty()) add(words, {"-include", precompiled_from(o_.precompiled)});
}

Command Commands::cuda_host_pass(const HostFiles& files) const {
  Words words = host_pass();
  begin_with_precompiled(words, false);
  add(words, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", files.module_id_file});
  add_module_id(words, files.module_id);
  add_dependencies(words, files.dependencies);
  add(words, {"-c", files.source, "-o", files.object});
  return {words, standard_input_for(o_, files.source)};
}

Command Commands::cuda_device_pass(const DeviceFiles& files) const {
  Words words = device_pass();
  begin_with_precompiled(words, true);
  add_module_id(words, files.module_id);
  add_dependencies(words, files.dependencies);
  add(words, {"-emit-llvm", "-c", files.source, "-o", files.bitcode});
  return {words, standard_input_for(o_, files.source)};
}

Command Commands::cuda_device_preprocess(const DeviceFiles& files, const std::string& preprocessed) const {
  Words words = device_pass();
  begin_with_header_text(words);
  add_dependencies(words, files.dependencies);
  add(words, {"-E", files.source, "-o", preprocessed});
  return {words, standard_input_for(o_, files.source)};
}

// Clang cannot compile cuda-cpp-output for the device, so the preprocessed text is compiled as CUDA with no macros
// defined, which is equivalent. It is read from standard input to keep the names of temporary files out of the
// object.
Command Commands::cuda_device_pass_preprocessed(const DeviceFiles& files, const std::string& preprocessed) const {
  Words words = device_language();
  add_module_id(words, files.module_id);
  add(words, {"-undef", "-emit-llvm", "-c", "-", "-o", files.bitcode});
  return {words, preprocessed};
}

Command Commands::device_object(const DeviceFiles& files, const std::string& object) const {
  Words words{t_.device_compiler, files.bitcode, "-o", object, "--id", files.module_id};
  add(words, {"-mllvm", "-reprise-architecture=" + std::to_string(architecture(o_))});
  // A debugger can step through optimised kernels by line, but cannot inspect threadIdx there. So -g without an
  // optimisation level compiles kernels for debugging.
  const bool optimised = !o_.optimisation.empty() && o_.optimisation != "0";
  if (o_.device_debug || (o_.host_debug && !optimised))
    words.push_back("-G");
  else if (o_.host_debug || o_.line_info)
    words.push_back("-g");
  if (!o_.march.empty()) words.push_back("-march=" + o_.march);
  if (o_.relocatable_device_code) words.push_back("--rdc");
  if (o_.resource_usage) words.push_back("--remarks");
  return {words, {}};
}

// NVIDIA's device linker would define one registration function per object; the runtime has one for all objects. The
// fatbin wrapper is named after its source, so it becomes local: two sources may have the same file name.
Command Commands::rename_linked_binary(const std::string& object, const std::string& suffix) const {
  return {{"objcopy", "--redefine-sym=" + (linked_binary_prefix + suffix) + "=__reprise_register_linked_binary",
           "--localize-symbol=__fatbinwrap" + suffix, object},
          {}};
}

Command Commands::bind_symbols(const std::string& object, const Words& names, bool global) const {
  Words words{"objcopy"};
  for (const std::string& name : names) words.push_back((global ? "--globalize-symbol=" : "--localize-symbol=") + name);
  words.push_back(object);
  return {words, {}};
}

Command Commands::join(const std::string& first, const std::string& second, const std::string& object) const {
  return {{"ld", "-r", "-o", object, first, second}, {}};
}

// The precompiled header also holds the instantiations of the templates that it uses. -emit-llvm keeps clang's driver
// from running NVIDIA's assembler.
Command Commands::cuda_precompile(const std::string& header, const std::string& precompiled,
                                  const std::string& dependencies, bool device) const {
  Words words = device ? device_pass() : host_pass();
  add(words, {"-Xclang", "-emit-pch", "-fpch-instantiate-templates", "-emit-llvm"});
  add_dependencies(words, dependencies);
  add(words, {"-c", header, "-o", precompiled});
  return {words, {}};
}

Command Commands::cuda_dependencies(const std::string& source, const std::string& file, bool device) const {
  Words words = device ? device_pass() : host_pass();
  begin_with_header_text(words);
  add(words, {o_.dependencies == Dependencies::user ? "-MM" : "-M", "-MF", file, "-MT", "target", source});
  return {words, standard_input_for(o_, source)};
}

Command Commands::cuda_preprocess(const std::string& source, const std::string& output) const {
  Words words = device_pass();
  begin_with_header_text(words);
  add(words, {"-E", source, "-o", output.empty() ? "-" : output});
  return {words, standard_input_for(o_, source)};
}

Command Commands::host_source(const Input& input, const std::string& mode, const std::string& output,
                              const Words& dependency_flags) const {
  const bool c = input.language == Language::c;
  Words words{t_.host_compiler, "-x", c ? "c" : "c++"};
  if (!c) words.push_back("-Wno-error=register");  // only a warning in gcc, which is nvcc's host compiler
  for (const std::string& flag : o_.frontend)
    if (!c || !flag.starts_with("-std=c++")) words.push_back(flag);
  // Only clang supports overlays of the file system.
  if (!o_.visible_files.empty() && t_.host_compiler == t_.clang) add(words, {"-ivfsoverlay", o_.visible_files});
  if (o_.no_warnings) words.push_back("-w");
  if (isatty(STDERR_FILENO)) words.push_back("-fdiagnostics-color=always");
  add_paths_and_macros(words);
  add_host_code(words);
  add(words, dependency_flags);
  add(words, {mode, input.path});
  if (!output.empty()) add(words, {"-o", output});
  return {words, standard_input_for(o_, input.path)};
}

Command Commands::link(const Words& objects, const std::string& output) const {
  Words words{t_.host_compiler};
  if (o_.shared) words.push_back("-shared");
  Words flags = flags_for_linking(o_.host_compiler);
  const bool openmp =
      std::erase(flags, "-fopenmp") + std::count_if(o_.libraries.begin(), o_.libraries.end(), is_openmp_library) > 0;
  add(words, flags);
  words.push_back("-Wl,--start-group");
  add(words, objects);
  // Our directory comes first: the directory of an installed toolkit may have libraries of the same names.
  words.push_back("-L" + t_.libraries.string());
  for (const std::string& library : o_.libraries)
    if (!is_runtime_library(library) && !is_openmp_library(library)) words.push_back(library);
  words.push_back("-Wl,--end-group");
  if (openmp) words.push_back(t_.openmp);
  add(words, o_.linker);
  add(words, runtime_link_words(o_, t_, objects, output));
  // -lm also links libmvec, which has the vectorised maths functions.
  add(words, {"-lm", "-o", output});
  return {words, {}};
}

Command Commands::archive(const Words& objects, const std::string& output) const {
  Words words{"ar", "rcsD", output};
  add(words, objects);
  return {words, {}};
}

Command Commands::empty_object(const std::string& output) const {
  return {{t_.clang, "-x", "c", "-c", "/dev/null", "-o", output}, {}};
}

}  // namespace reprise_compiler::driver
