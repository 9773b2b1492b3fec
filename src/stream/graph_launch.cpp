#include "stream/graph_launch.h"

#include "base/last_error.h"
#include "graph/exec.h"
#include "stream/capture_rules.h"
#include "stream/stream.h"

namespace reprise::stream {

cudaError_t launch_graph(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  Ref<graph::GraphExec> exec = graph::find_exec(handle);
  if (!exec) return graph::no_such_exec(handle);
  if (cudaError_t fault = sticky_error(current_device()); fault != cudaSuccess) return fault;
  Result<Stream*> stream = borrow(stream_handle);
  if (!stream.ok()) return stream.status();
  constexpr RefusedCall call = {"add the graph itself as a child: cudaGraphAddChildGraphNode to the graph that "
                                "cudaStreamGetCaptureInfo gives, then cudaStreamUpdateCaptureDependencies"};
  if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  exec->launch([&](graph::Launch launch, const exec::Marker& after) {
    // Somebody may look at an event that is recorded in there, without waiting for the stream.
    if (launch.events) (*stream)->lane().set_self_served(false);
    if (!after.reached()) (*stream)->wait_for(after);
    return (*stream)->submit_task([launch = std::move(launch)](exec::Lane&) { launch.run(); });
  });
  return cudaSuccess;
}

cudaError_t upload_graph(cudaGraphExec_t handle, cudaStream_t stream) {
  if (!graph::find_exec(handle)) return graph::no_such_exec(handle);
  Result<Stream*> found = borrow(stream);
  if (!found.ok()) return found.status();
  return check_outside_capture(**found, {"upload in a stream that does not capture, or before the capture"});
}

}  // namespace reprise::stream
