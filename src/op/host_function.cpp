#include "op/host_function.h"

#include "base/host_function_scope.h"
#include "exec/blocking.h"

namespace reprise::op {

void HostFunction::run(const Context& context) const {
  if (context.dead()) return;
  exec::BlockingScope blocking;
  HostFunctionScope scope;
  try {
    function(user_data);
  } catch (...) {
    // There is nobody to catch it; the work after it must not run as if all were well.
    set_sticky_error(context.device, cudaErrorLaunchFailure);
  }
}

}  // namespace reprise::op
