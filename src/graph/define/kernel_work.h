// What a kernel node runs, and how it was told to.
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
  bool packed = false;      // the arguments came as one buffer, in `extra`
  HeldUpdatable updatable;  // null unless device code may change it

  // Validates and copies the arguments. `attributes` are those that the node has already.
  static Result<KernelWork> build(const cudaKernelNodeParams& parameters, kernel::LaunchAttributes attributes = {});

  // What is wrong with a function that a node is to run.
  static cudaError_t check_function(const void* function);

  // The arguments told point into this object and stay good while it lives unchanged.
  cudaKernelNodeParams tell();

 private:
  struct Told {
    std::vector<void*> arguments;
    void* extra[5];
    size_t bytes;
  };
  Told make_told();

 public:
  Lazy<Told> told;
};

}  // namespace reprise_runtime::graph
