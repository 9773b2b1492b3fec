#include "stream/capture_dependencies.h"

#include <algorithm>

#include "diagnose/refuse.h"
#include "stream/capture.h"
#include "stream/capture_explanation.h"
#include "stream/capture_rules.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {

using diagnose::refuse;

cudaError_t is_capturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return capture_info(stream, {status, nullptr, nullptr, nullptr, nullptr, nullptr});
}

cudaError_t capture_info(cudaStream_t handle, const CaptureInfo& out) {
  if (!out.status) return refuse(cudaErrorInvalidValue, "the output pointer for the status is null");
  Result<Ref<Stream>> stream = find(handle);
  if (!stream.ok()) return stream.status();
  MutexLock lock(capture_mutex());
  const CapturePart* part = (*stream)->capture();
  if (!part) {
    *out.status = cudaStreamCaptureStatusNone;
    return cudaSuccess;
  }
  if (!part->capture) return explain::legacy_queried(**stream);
  Capture& capture = *part->capture;
  const Dependencies& next = part->next;
  const bool has_data = std::any_of(next.data.begin(), next.data.end(), graph::has_data);
  if (capture.active() && out.dependencies && !out.data && has_data) {
    return refuse(cudaErrorLossyQuery, "the dependencies have edge data, and the output pointer for it is null");
  }
  *out.status = capture.status();
  if (!capture.active()) return cudaSuccess;
  if (out.id) *out.id = capture.id();
  if (out.graph) *out.graph = capture.graph()->as_user();
  if (out.dependencies) *out.dependencies = next.nodes.data();
  if (out.data) *out.data = next.data.data();
  if (out.count) *out.count = next.nodes.size();
  return cudaSuccess;
}

cudaError_t update_dependencies(cudaStream_t handle, const cudaGraphNode_t* nodes, const cudaGraphEdgeData* data,
                                size_t count, unsigned flags) {
  if (flags > cudaStreamSetCaptureDependencies) return refuse(cudaErrorInvalidValue, "unknown flags 0x%x", flags);
  Result<Ref<Stream>> stream = find(handle);
  if (!stream.ok()) return stream.status();
  MutexLock lock(capture_mutex());
  CapturePart* part = (*stream)->capture();
  if (!part) return explain::not_capturing(**stream);
  if (!part->capture) return explain::legacy_used(**stream);
  Capture& capture = *part->capture;
  if (!capture.active()) return explain::invalidated(*part);
  {
    MutexLock graph_lock(capture.graph()->mutex());
    const cudaError_t refused = capture.graph()->check_dependencies(nodes, data, count);
    if (refused != cudaSuccess) return refused;
  }
  Dependencies dependencies;
  if (flags == cudaStreamAddCaptureDependencies) dependencies = part->next;
  for (size_t i = 0; i < count; ++i) dependencies.add(nodes[i], data ? data[i] : graph::plain_edge);
  if (flags == cudaStreamAddCaptureDependencies) {
    part->next = std::move(dependencies);
  } else {
    capture.replace_dependencies(*part, std::move(dependencies));
  }
  return cudaSuccess;
}

cudaError_t exchange_thread_mode(cudaStreamCaptureMode* mode) {
  if (!mode) return refuse(cudaErrorInvalidValue, "the mode is null");
  std::swap(*mode, thread_mode);
  return cudaSuccess;
}

}  // namespace reprise_runtime::stream
