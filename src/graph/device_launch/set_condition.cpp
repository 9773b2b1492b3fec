// cudaGraphSetConditional: device code sets the value of a condition.
#include "base/export.h"
#include "graph/define/conditional_handle.h"
#include "graph/device_launch/device_refusal.h"
#include "kernel/kernel_abi.h"

extern "C" REPRISE_EXPORT void __reprise_graph_set_conditional(uint64_t handle, uint32_t value) {
  if (auto condition = reprise_runtime::graph::conditions().find(reprise_runtime::Handle{handle}))
    return condition->set(value);
  // A GPU leaves this undefined.
  reprise_runtime::graph::warn_device("cudaGraphSetConditional",
                                      "0x%llx is not a condition, or its graph was destroyed; nothing is set",
                                      static_cast<unsigned long long>(handle));
}
