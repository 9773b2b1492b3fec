#include "stream/graph_launch.h"

#include <cstdio>

#include "base/last_error.h"
#include "exec/wait.h"
#include "exec/workers.h"
#include "graph/plan/exec.h"
#include "memory/graph/check_mode.h"
#include "stream/capture_rules.h"
#include "stream/kernel_launch.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

// The blocking copies of a launch, if it has any.
struct CopiesToAwait {
  exec::Marker done;            // a default one if there are none
  exec::Marker launch_end;      // a task of the stream's lane
  bool end_the_launch = false;  // nothing of the graph is left to do after them
};

// Returns when the copies are done.
[[gnu::cold, gnu::noinline]] cudaError_t await(const CopiesToAwait& copies, Stream& stream) {
  if (copies.end_the_launch || exec::Workers::instance().stopped()) {
    exec::wait(copies.launch_end);
  } else {
    // This thread may do the work that stands before the launch. The launch itself is left to the workers: a thread
    // that runs it returns only at its end, and the nodes after the copies may wait for the caller.
    exec::wait({copies.launch_end.progress, copies.launch_end.value - 1});
    stream.lane().set_self_served(false);
    exec::wait(copies.done);
  }
  return sticky_error(stream.device());
}

[[gnu::cold, gnu::noinline]] exec::Marker queue_traced(Stream& stream, graph::Launch launch) {
  char name[40];
  std::snprintf(name, sizeof name, "executable graph %u", launch.plan->trace_track());
  const diagnose::TraceEvent event{.name = diagnose::keep_text(name),
                                   .id = diagnose::next_submission(),
                                   .track = static_cast<uint32_t>(stream.id()),
                                   .kind = diagnose::TraceKind::stream_work};
  return stream.submit_task([launch = std::move(launch), event](exec::Lane&) {
    diagnose::TraceScope scope(event);
    launch.run();
  });
}

exec::Marker queue(Stream& stream, graph::Launch launch, const exec::Marker& after) {
  // A thread may poll an event that the graph records, without waiting for the stream.
  if (launch.events) stream.lane().set_self_served(false);
  if (!after.reached()) stream.wait_for(after);
  if (diagnose::tracing) [[unlikely]]
    return queue_traced(stream, std::move(launch));
  return stream.submit_task([launch = std::move(launch)](exec::Lane&) { launch.run(); });
}

// With REPRISE_CHECK=memory: makes the memory that the launch frees inaccessible.
void close_pages(Stream& stream, const memory::GraphMemoryUse& use) {
  stream.submit_task([kept = use.kept](exec::Lane&) {
    for (const Ref<memory::GraphAllocation>& each : kept) each->close();
  });
}

// Queues a launch and maps the memory behind the graph's addresses.
template <class Make>
[[gnu::noinline]] Result<exec::Marker> queue_with_memory(Stream& stream, const memory::GraphMemoryUse& use,
                                                         const Make& make, const exec::Marker& after) {
  static_cast<void>(stream.last());  // applies the ordering with the legacy stream first
  return memory::GraphMemory::instance().launch(
      use, stream.lane(), [&](const exec::Marker& marker) { stream.wait_for(marker); },
      [&](memory::GraphMappings mappings) {
        if (use.auto_free && memory::checks_memory()) close_pages(stream, use);
        graph::Launch launch = make();
        if (!mappings.empty()) launch.mappings = std::make_unique<memory::GraphMappings>(std::move(mappings));
        return queue(stream, std::move(launch), after);
      });
}

}  // namespace

cudaError_t launch_graph(cudaGraphExec_t handle, cudaStream_t stream_handle) {
  Ref<graph::GraphExec> exec = graph::find_exec(handle);
  if (!exec) return graph::no_such_exec(handle);
  if (cudaError_t fault = sticky_error(current_device()); fault != cudaSuccess) return fault;
  Result<Stream*> stream = borrow(stream_handle);
  if (!stream.ok()) return stream.status();
  constexpr RefusedCall call = {
      "add the graph itself as a child: cudaGraphAddChildGraphNode to the graph that "
      "cudaStreamGetCaptureInfo gives, then cudaStreamUpdateCaptureDependencies"};
  if (cudaError_t refused = check_outside_capture(**stream, call); refused != cudaSuccess) return refused;
  CopiesToAwait copies;
  const auto with_end = [&](Result<exec::Marker> queued) {
    if (copies.done.progress) [[unlikely]]
      copies.launch_end = *queued;
    return queued;
  };
  const auto submit = [&](graph::Plan& plan, const auto& make, const exec::Marker& after) -> Result<exec::Marker> {
    const auto make_launch = [&] {
      graph::Launch launch = make();
      if (launch.copies) [[unlikely]] {
        copies.done = launch.copies->done;
        copies.end_the_launch = plan.exec_index().ends_with_blocking_copies();
      }
      return launch;
    };
    if (plan.memory()) [[unlikely]]
      return with_end(queue_with_memory(**stream, *plan.memory(), make_launch, after));
    return with_end(queue(**stream, make_launch(), after));
  };
  if (cudaError_t status = exec->launch(submit); status != cudaSuccess) return status;
  if (launch_blocking) [[unlikely]]
    return wait_for_launch(**stream);
  if (copies.done.progress) [[unlikely]]
    return await(copies, **stream);
  return cudaSuccess;
}

cudaError_t upload_graph(cudaGraphExec_t handle, cudaStream_t stream) {
  Ref<graph::GraphExec> exec = graph::find_exec(handle);
  if (!exec) return graph::no_such_exec(handle);
  Result<Stream*> found = borrow(stream);
  if (!found.ok()) return found.status();
  constexpr RefusedCall call = {"upload in a stream that does not capture, or before the capture"};
  if (cudaError_t refused = check_outside_capture(**found, call); refused != cudaSuccess) return refused;
  exec->upload([&](graph::Upload upload, const exec::Marker& after) {
    if (!after.reached()) (*found)->wait_for(after);
    return (*found)->submit_task([upload = std::move(upload)](exec::Lane&) { upload.run(); });
  });
  return exec->with_memory(
      [&](const memory::GraphMemoryUse& use) { return memory::GraphMemory::instance().upload(use, (*found)->lane()); });
}

}  // namespace reprise_runtime::stream
