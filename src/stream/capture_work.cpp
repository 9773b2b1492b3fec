#include "stream/capture_work.h"

#include "diagnose/refuse.h"
#include "graph/define/access.h"
#include "graph/define/kernel_attributes.h"
#include "stream/capture.h"
#include "stream/capture_explanation.h"
#include "stream/kernel_launch.h"
#include "stream/stream.h"

namespace reprise_runtime::stream {
namespace {

constexpr cudaGraphEdgeData edge(unsigned char from_port, cudaGraphDependencyType type) {
  return {from_port, 0, static_cast<unsigned char>(type), {}};
}

cudaError_t append(CapturePart& part, graph::Work&& work) {
  return part.capture->append(part, std::move(work)).status();
}

// A kernel node gets the attributes of its stream that the launch does not set.
void add_stream_attributes(Stream& stream, kernel::LaunchAttributes& attributes) {
  for (cudaLaunchAttributeID id : {cudaLaunchAttributePriority, cudaLaunchAttributeAccessPolicyWindow,
                                   cudaLaunchAttributeMemSyncDomain, cudaLaunchAttributeMemSyncDomainMap}) {
    cudaLaunchAttributeValue value;
    if (!attributes.find(id) && stream.get_attribute(id, &value) == cudaSuccess) attributes.set(id, value);
  }
}

// Makes the dependencies on kernels programmatic.
void start_early(Dependencies& after) {
  for (size_t i = 0; i < after.nodes.size(); ++i) {
    Ref<graph::Node> node = graph::nodes().find(Handle::from(after.nodes[i]));
    if (node && node->type() == cudaGraphNodeTypeKernel && !graph::has_data(after.data[i])) {
      after.data[i] = edge(cudaGraphKernelNodePortProgrammatic, cudaGraphDependencyTypeProgrammatic);
    }
  }
}

void record_at(CapturePart& part, event::Event& event, cudaGraphNode_t node, const cudaGraphEdgeData& data) {
  auto record = std::make_shared<CapturedRecord>();
  record->capture = Ref<Capture>(part.capture);
  record->nodes.add(node, data);
  event.record_captured(std::move(record));
}

// Adds one node for each slice, or one for all if the slices are adjacent.
cudaError_t capture_memset(CapturePart& part, const op::Memset& set) {
  const memory::BoxFill& box = set.box;
  op::Memset rows = set;
  rows.box.extent.depth = 1;
  if (box.extent.depth == 1 || box.to.slice == box.to.pitch * box.extent.height) {
    rows.box.extent.height = box.extent.height * box.extent.depth;
    return append(part, graph::MemsetWork::of(rows));
  }
  for (size_t slice = 0; slice < box.extent.depth; ++slice) {
    rows.box.to.address = box.to.address + slice * box.to.slice;
    if (cudaError_t refused = append(part, graph::MemsetWork::of(rows)); refused != cudaSuccess) return refused;
  }
  return cudaSuccess;
}

// Connects the node with the handle that the launch has returned for device code.
void adopt_updatable(cudaGraphNode_t handle) {
  (void)graph::with_node(handle, [](graph::Graph& graph, graph::Node& node) {
    graph::adopt_updatable(graph, std::get<graph::KernelWork>(node.work));
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t capture_op(Stream& stream, CapturePart& part, op::Op op) {
  if (!part.capture->active()) return explain::invalidated(part);
  if (op::Kernel* kernel = std::get_if<op::Kernel>(&op)) return capture_kernel(stream, part, std::move(*kernel));
  if (const op::Memset* set = std::get_if<op::Memset>(&op)) return capture_memset(part, *set);
  return append(part, graph::work_of(std::move(op)));
}

cudaError_t capture_kernel(Stream& stream, CapturePart& part, op::Kernel&& kernel) {
  if (!part.capture->active()) return explain::invalidated(part);
  if (kernel.attributes.empty() && !stream.has_attributes()) {
    return part.capture->append(part, std::move(kernel)).status();
  }
  if (const auto* value = kernel.attributes.find(cudaLaunchAttributeDeviceUpdatableKernelNode)) {
    const int wanted = value->deviceUpdatableKernelNode.deviceUpdatable;
    if (wanted != 0 && wanted != 1)
      return diagnose::refuse(cudaErrorInvalidValue, "deviceUpdatable must be 0 or 1, not %d", wanted);
  }
  Result<EventsOfAttributes> events = EventsOfAttributes::of(kernel.attributes);
  if (!events.ok()) return events.status();
  if (events->external) {
    return diagnose::refuse(cudaErrorNotSupported,
                            "a captured launch cannot record an event externally; use "
                            "cudaEventRecordWithFlags after it");
  }
  add_stream_attributes(stream, kernel.attributes);
  const auto* early = kernel.attributes.find(cudaLaunchAttributeProgrammaticStreamSerialization);
  if (early && early->programmaticStreamSerializationAllowed) start_early(part.next);

  Result<graph::Node*> added = part.capture->append(part, std::move(kernel));
  if (!added.ok()) return added.status();
  const cudaGraphNode_t node = (*added)->as_user();
  adopt_updatable(node);
  if (events->begun) {
    record_at(part, *events->begun, node,
              edge(cudaGraphKernelNodePortLaunchCompletion, cudaGraphDependencyTypeDefault));
  }
  if (events->triggered) {
    const auto port =
        events->at_block_start ? cudaGraphKernelNodePortLaunchCompletion : cudaGraphKernelNodePortProgrammatic;
    record_at(part, *events->triggered, node, edge(port, cudaGraphDependencyTypeProgrammatic));
  }
  return cudaSuccess;
}

}  // namespace reprise_runtime::stream
