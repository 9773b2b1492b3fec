// The module being compiled, and the facts that passes have established about it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Target/TargetMachine.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ir/index_bounds.h"
#include "ir/options.h"

namespace reprise_compiler::device {

// Location of a parameter in the packed buffer that a thunk receives.
struct Parameter {
  uint32_t offset, size;
};

struct Kernel {
  std::string name;                 // mangled, as in the host stub
  llvm::Function* body = nullptr;   // the code of one CUDA thread
  llvm::Function* thunk = nullptr;  // runs a range of blocks
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;
  uint32_t max_threads = 0, min_blocks = 0;   // __launch_bounds__
  std::array<uint32_t, 3> likely_block = {};  // guessed shape of its blocks
  uint32_t static_shared = 0;
  bool has_dynamic_shared = false;  // follows the static shared memory
  uint32_t scratch_per_block = 0, scratch_per_thread = 0;
  uint32_t local_bytes = 0;
  uint32_t flags = 0;        // reprise_kernel_flags
  bool has_regions = false;  // has barriers and was split at them
  // Preconditions of the thunk: blockDim.x is a multiple of 32, and these indices stay below 2^31.
  bool needs_whole_warps = false;
  std::vector<IndexTerm> bounded_indices;
};

struct Variable {
  llvm::GlobalVariable* storage;
  std::string name;
  uint32_t kind;            // reprise_variable_kind
  llvm::Constant* initial;  // initial value of a managed variable; null if zero
};

struct DeviceModule {
  llvm::Module& ir;
  const Options& options;
  llvm::TargetMachine& machine;
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;
  // Placeholders of __shared__ variables until they have an offset. Null if a pass removed an unused one.
  std::vector<llvm::WeakVH> shared;

  std::vector<llvm::GlobalVariable*> shared_variables() const {
    std::vector<llvm::GlobalVariable*> left;
    for (const llvm::WeakVH& handle : shared)
      if (llvm::Value* value = handle) left.push_back(llvm::cast<llvm::GlobalVariable>(value));
    return left;
  }

  const llvm::DataLayout& layout() const { return ir.getDataLayout(); }
  Kernel* kernel_of(const llvm::Function* body) {
    for (Kernel& kernel : kernels)
      if (kernel.body == body) return &kernel;
    return nullptr;
  }
};

}  // namespace reprise_compiler::device
