// Builds the command lines of the programs that the driver runs: clang (twice for each .cu file), the device compiler,
// ld, the host compiler and the linker.
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "process.h"
#include "toolchain.h"

namespace reprise_compiler::driver {

// Prefix of the function that clang calls to register an object with relocatable device code.
inline const std::string linked_binary_prefix = "__cudaRegisterLinkedBinary";

// Input and output files of the two passes. `dependencies` is empty when no dependency file is wanted.
struct DeviceFiles {
  std::string source, bitcode, dependencies, module_id;
};
struct HostFiles {
  std::string source, object, dependencies, module_id_file, module_id;
};

class Commands {
 public:
  Commands(const Options& options, const Toolchain& toolchain) : o_(options), t_(toolchain) {}

  const Toolchain& toolchain() const { return t_; }

  Command cuda_host_pass(const HostFiles& files) const;
  Command cuda_device_pass(const DeviceFiles& files) const;
  // Two steps that replace the device pass when inline PTX has to be rewritten between them.
  Command cuda_device_preprocess(const DeviceFiles& files, const std::string& preprocessed) const;
  Command cuda_device_pass_preprocessed(const DeviceFiles& files, const std::string& preprocessed) const;
  Command device_object(const DeviceFiles& files, const std::string& object) const;
  // Renames the symbols that clang emits for NVIDIA's device linker in a host object with relocatable device code.
  // `suffix` is clang's suffix of those names.
  Command rename_linked_binary(const std::string& object, const std::string& suffix) const;
  // Makes symbols of an object global or local.
  Command bind_symbols(const std::string& object, const std::vector<std::string>& names, bool global) const;
  Command join(const std::string& first, const std::string& second, const std::string& object) const;

  // Writes the host's or the device's half of a precompiled header to `precompiled`.
  Command cuda_precompile(const std::string& header, const std::string& precompiled, const std::string& dependencies,
                          bool device) const;

  // Runs the host's or the device's pass for its dependencies only.
  Command cuda_dependencies(const std::string& source, const std::string& file, bool device) const;
  // -E. As in nvcc, __CUDA_ARCH__ is defined.
  Command cuda_preprocess(const std::string& source, const std::string& output) const;

  // For C and C++ sources. `mode` is -c, -E, -M or -MM.
  Command host_source(const Input& input, const std::string& mode, const std::string& output,
                      const std::vector<std::string>& dependency_flags) const;

  Command link(const std::vector<std::string>& objects, const std::string& output) const;
  Command archive(const std::vector<std::string>& objects, const std::string& output) const;
  Command empty_object(const std::string& output) const;

 private:
  std::vector<std::string> cuda_language() const;
  std::vector<std::string> device_language() const;
  std::vector<std::string> device_pass() const;
  std::vector<std::string> host_pass() const;
  void begin_with_precompiled(std::vector<std::string>& words, bool device) const;
  void begin_with_header_text(std::vector<std::string>& words) const;
  void add_cuda_source(std::vector<std::string>& words) const;
  void add_paths_and_macros(std::vector<std::string>& words) const;
  void add_host_code(std::vector<std::string>& words) const;
  void add_dependencies(std::vector<std::string>& words, const std::string& file) const;

  const Options& o_;
  const Toolchain& t_;
};

}  // namespace reprise_compiler::driver
