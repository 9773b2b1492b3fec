// Kernels of executable graphs as they were before an update changed them, for the case that it comes to nothing.
#pragma once

#include <vector>

#include "graph/define/argument_log.h"
#include "graph/plan/step.h"

namespace reprise_runtime::graph {

class Plan;

struct FormerKernels {
  struct Launch {
    Plan* plan;
    KernelStep* step;
    const kernel::Function* function;
    kernel::LaunchShape shape;
  };

  ArgumentLog arguments;
  std::vector<Launch> launches;  // of those whose arguments were not all that changed

  void clear() {
    arguments.truncate(0);
    launches.clear();
  }
};

}  // namespace reprise_runtime::graph
