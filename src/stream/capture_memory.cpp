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

// Appends a node. A refused request leaves the capture valid.
Result<graph::Node*> append(Stream& stream, graph::Work work) {
  MutexLock lock(capture_mutex());
  CapturePart* part = stream.capture();
  if (!part || !part->capture)
    return refuse(cudaErrorStreamCaptureInvalidated, "another thread has ended the capture meanwhile");
  if (!part->capture->active()) return explain::invalidated(*part);
  return part->capture->append(*part, std::move(work));
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
  Result<graph::Node*> added = append(stream, graph::AllocWork::of(bytes, device));
  *address = added.ok() ? std::get<graph::AllocWork>((*added)->work).user_params.dptr : nullptr;
  return added.status();
}

cudaError_t capture_free(Stream& stream, void* address) {
  Result<graph::FreeWork> work = graph::FreeWork::build(address);
  return work.ok() ? append(stream, std::move(*work)).status() : work.status();
}

}  // namespace reprise_runtime::stream
