// The work of a kernel node: a kernel launch, and the form in which the user gave its arguments.
#pragma once

#include <driver_types.h>

#include <vector>

#include "base/status.h"
#include "graph/define/lazy.h"
#include "graph/define/updatable_node.h"
#include "op/kernel.h"

namespace reprise_runtime::graph {

struct KernelWork {
  op::Kernel op;
  bool packed = false;      // the user gave the arguments as one buffer, in `extra`
  HeldUpdatable updatable;  // null unless device code may change it

  // Validates the parameters and copies the arguments. `attributes` are those that the node has already.
  static Result<KernelWork> build(const cudaKernelNodeParams& parameters, kernel::LaunchAttributes attributes = {});

  // Refuses a function that is not a kernel.
  static cudaError_t check_function(const void* function);

  // The pointers in the result point into this object, and are valid until it changes.
  cudaKernelNodeParams user_params();

 private:
  struct ParamArrays {
    std::vector<void*> arguments;
    void* extra[5];
    size_t bytes;
  };
  ParamArrays make_param_arrays();

 public:
  Lazy<ParamArrays> param_arrays;  // what user_params() points to
};

}  // namespace reprise_runtime::graph
