#include "op/host_function.h"

#include "base/host_function_scope.h"
#include "exec/blocking.h"
#include "exec/lane.h"

namespace reprise_runtime::op {

void HostFunction::run(const Context& context) const {
  if (context.dead()) return;
  exec::BlockingScope blocking;
  HostFunctionScope scope;
  try {
    function(user_data);
  } catch (...) {
    // Nobody here can know what it means. Whoever synchronises with the stream or queries it, or synchronises with the
    // device, is told, once; who waits for an event or for a copy is not. All other work goes on.
    if (exec::Lane* lane = exec::Lane::current()) return lane->note_failure(cudaErrorLaunchFailure);
    set_sticky_error(context.device, cudaErrorLaunchFailure);
  }
}

}  // namespace reprise_runtime::op
