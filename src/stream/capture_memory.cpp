#include "stream/capture_memory.h"

#include "diagnose/refuse.h"
#include "graph/define/node.h"
#include "memory/pool/pools.h"
#include "stream/capture.h"
#include "stream/capture_explanation.h"
#include "stream/capture_rules.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

using diagnose::refuse;

// Adds a node and calls look(node), with the mutex held: once that is free, another thread may end the capture and
// destroy the graph. A refused request leaves the capture valid.
template <class Look>
cudaError_t append(Stream& stream, graph::Work work, Look&& look) {
  MutexLock lock(capture_mutex());
  CapturePart* part = stream.capture();
  if (!part || !part->capture)
    return refuse(cudaErrorStreamCaptureInvalidated, "another thread has ended the capture meanwhile");
  if (!part->capture->active()) return explain::invalidated(*part);
  Result<graph::Node*> added = part->capture->append(*part, std::move(work));
  if (added.ok()) look(**added);
  return added.status();
}

}  // namespace

cudaError_t capture_allocation(Stream& stream, void** address, size_t bytes, memory::Pool* pool) {
  int device = stream.device();
  if (pool) {
    const memory::PoolTraits traits = pool->traits();
    if (traits.kind == memory::MemoryKind::pinned) {
      return refuse(cudaErrorNotSupported, "the pool is on the host; graph memory belongs to a device");
    }
    device = traits.device;
  }
  *address = nullptr;
  return append(stream, graph::AllocWork::of(bytes, device),
                [&](const graph::Node& node) { *address = std::get<graph::AllocWork>(node.work).user_params.dptr; });
}

cudaError_t capture_free(Stream& stream, void* address) {
  Result<graph::FreeWork> work = graph::FreeWork::build(address);
  if (!work.ok()) return work.status();
  return append(stream, std::move(*work), [](const graph::Node&) {});
}

}  // namespace reprise_runtime::stream
