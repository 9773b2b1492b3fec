// Compiles one source to an object, or runs -E, -M or --create-pch on it.
#pragma once

#include <string>

#include "commands.h"
#include "options.h"
#include "process.h"
#include "source_overlay.h"
#include "workspace.h"

namespace reprise_compiler::driver {

struct Outcome {
  bool ok = true;
  std::string messages;  // to print on standard error in one piece
};

class Compiler {
 public:
  Compiler(const Options& options, const Commands& commands, const Runner& runner, const Workspace& workspace)
      : o_(options), commands_(commands), runner_(runner), workspace_(workspace) {}

  // `number` is the input's position on the command line, `object` the path of the output. Safe to call from several
  // threads.
  Outcome compile(std::size_t number, const Input& input, const std::string& object) const;
  // Makes both halves of a precompiled header.
  Outcome precompile(std::size_t number, const std::string& header, const std::string& precompiled) const;
  Outcome preprocess(const Input& input) const;
  Outcome list_dependencies(std::size_t number, const Input& input, const std::string& object) const;

 private:
  struct CudaJob;
  Outcome compile_cuda(std::size_t number, const std::string& source, const std::string& object,
                       SourceOverlay& overlay) const;
  Outcome compile_host(const Input& input, const std::string& object) const;
  Finished run_device_pass(const CudaJob& job) const;
  Finished retry_with_rewritten_ptx(const CudaJob& job) const;
  Finished rename_linked_binary(const std::string& object) const;
  Finished join(const CudaJob& job) const;
  // Whether the passes failed for want of a header that CCCL (Thrust, CUB, NVIDIA's libcu++) has. Programs that need no
  // more than our part of libcu++ use it.
  bool needs_cccl(const std::vector<std::string>& passes) const;
  Outcome report_failure(const std::string& source, const std::vector<std::string>& passes) const;
  Outcome make_object(const CudaJob& job) const;
  Finished run_device_compiler(const CudaJob& job) const;
  Outcome write_rule(const std::string& source, const std::string& object, const std::string& file,
                     const std::vector<std::string>& found) const;
  std::vector<std::string> targets_for(const std::string& object) const;
  std::string dependency_file_for(const std::string& object) const;

  const Options& o_;
  const Commands& commands_;
  const Runner& runner_;
  const Workspace& workspace_;
};

}  // namespace reprise_compiler::driver
