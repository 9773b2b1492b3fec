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
    // The next call that synchronizes with the stream, queries it, or synchronizes with the device returns the error,
    // once; waits for events and copies do not. All other work continues.
    if (exec::Lane* lane = exec::Lane::current()) return lane->note_failure(cudaErrorLaunchFailure);
    set_sticky_error(context.device, cudaErrorLaunchFailure);
  }
}

}  // namespace reprise_runtime::op
