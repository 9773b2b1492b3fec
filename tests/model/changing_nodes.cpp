#include "changing_nodes.h"

#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <unistd.h>

#include <algorithm>

#include "graph_model.h"

namespace changing {
namespace {

using model::mix;
using reprise_runtime::test::parameter;

// Two kernels, so that a node can change its function: one has one parameter more. And one that no update accepts.
void mixes_one(const void* params, const reprise_launch*) {
  *parameter<uint64_t*>(params, 0) = mix(parameter<uint64_t>(params, 8), *parameter<uint64_t*>(params, 16));
}
void mixes_two(const void* params, const reprise_launch*) {
  *parameter<uint64_t*>(params, 0) =
      mix(parameter<uint64_t>(params, 8), *parameter<uint64_t*>(params, 16)) + parameter<uint64_t>(params, 24);
}
constexpr reprise_param four_words[] = {{0, 8}, {8, 8}, {16, 8}, {24, 8}};
constexpr reprise_kernel kernels[] = {
    {"mixes_one", mixes_one, four_words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"mixes_two", mixes_two, four_words, 4, 32, 0, 0, 0, 0, 0, 0, 0, 0, {}},
    {"changes_nodes", mixes_one, four_words, 3, 24, 0, 0, 0, 0, 0, reprise_kernel_changes_nodes, 0, 0, {}}};
char stubs[3];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2]};
reprise_runtime::test::Registered module("changing_nodes", kernels, 3, stub_pointers);

constexpr uint64_t enough = 10;  // for every wait

void must(cudaError_t status) { EXPECT_EQ(cudaSuccess, status); }

}  // namespace

Timeline::Timeline() {
  must(repriseCreateSemaphoreFd(&fd_, repriseSemaphoreTimeline, 0));
  cudaExternalSemaphoreHandleDesc description = {};
  description.type = cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  description.handle.fd = dup(fd_);
  must(cudaImportExternalSemaphore(&semaphore, &description));
}
Timeline::~Timeline() {
  must(cudaDestroyExternalSemaphore(semaphore));
  close(fd_);
}
bool Timeline::reached(uint64_t value) const { return repriseWaitSemaphoreFd(fd_, value, 0) == cudaSuccess; }

Nodes::Nodes(int cells) : cell_count_(static_cast<size_t>(cells)) {
  must(cudaMallocHost(reinterpret_cast<void**>(&cells_), (cell_count_ + 8) * sizeof(uint64_t)));
  std::fill_n(cells_, cell_count_, uint64_t{1});
  cudaExternalSemaphoreSignalParams signal = {};
  signal.params.fence.value = enough;
  must(cudaSignalExternalSemaphoresAsync(&reached_.semaphore, &signal, 1, nullptr));
  must(cudaDeviceSynchronize());
}
Nodes::~Nodes() {
  for (auto& [which, event] : events_) must(cudaEventDestroy(event));
  must(cudaFreeHost(cells_));
}

Timeline& Nodes::timeline(int number, bool second) {
  auto& found = timelines_[{number, second}];
  if (!found) found = std::make_unique<Timeline>();
  return *found;
}
cudaEvent_t Nodes::event(int number, bool second) {
  cudaEvent_t& found = events_[{number, second}];
  if (!found) must(cudaEventCreate(&found));
  return found;
}

// ---- effects -----------------------------------------------------------------------------------------------------

void CUDART_CB Nodes::host_function(void* data) {
  auto* self = static_cast<HostData*>(data);
  *self->to = mix(self->constant, *self->from);
}

void Nodes::interpret(const Shape& shape, const Parameters& p, Left& left) {
  uint64_t& to = left.cells[static_cast<size_t>(shape.cell)];
  const uint64_t from = input(shape, p, left.cells);
  switch (shape.type) {
    case Type::kernel:
      to = mix(p.constant, from) + (p.second ? p.constant * 3 : 0);
      break;
    case Type::copy:
      to = from;
      break;
    case Type::set:
      to = (p.constant & 0xffffffff) * 0x100000001u;
      break;
    case Type::host:
      to = mix(p.constant, from);
      break;
    case Type::record:
      left.recorded.insert({shape.number, p.second});
      break;
    case Type::signal:
      left.signalled[{shape.number, p.second}] = p.value;
      break;
    default:
      break;
  }
}

void Nodes::check(const Left& left) {
  for (size_t i = 0; i < cell_count_; ++i) EXPECT_EQ(left.cells[i], cells_[i]) << "cell " << i;
  for (auto& [which, event] : events_) {
    float ms = 0;
    const bool recorded = left.recorded.count(which) > 0;
    EXPECT_EQ(recorded ? cudaSuccess : cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, event, event));
  }
  for (auto& [which, timeline] : timelines_) {
    auto found = left.signalled.find(which);
    const uint64_t value = found == left.signalled.end() ? 0 : found->second;
    EXPECT_TRUE(timeline->reached(value)) << which.first;
    EXPECT_FALSE(timeline->reached(value + 1)) << which.first;
  }
}

// ---- parameters for CUDA -----------------------------------------------------------------------------------------

// Targets of pointers in the parameters.
struct Nodes::Arguments {
  uint64_t* to;
  uint64_t constant;
  uint64_t* from;
  uint64_t more;
  void* pointers[4] = {&to, &constant, &from, &more};
  cudaExternalSemaphore_t semaphores[2];
  cudaExternalSemaphoreSignalParams signals[2] = {};
  cudaExternalSemaphoreWaitParams waits[2] = {};

  Arguments() = default;
  Arguments(const Arguments&) = delete;
};

cudaGraphNodeParams Nodes::params(const Shape& shape, const Parameters& p, Arguments& a) {
  cudaGraphNodeParams made = {};
  a.to = cell(shape.cell);
  a.from = cell(shape.readable[static_cast<size_t>(p.input) % shape.readable.size()]);
  a.constant = p.constant;
  a.more = p.constant * 3;
  const bool rows = p.fault == Fault::rows;
  const unsigned semaphores = p.fault == Fault::semaphores ? 2 : 1;
  switch (shape.type) {
    case Type::kernel:
      made.type = cudaGraphNodeTypeKernel;
      made.kernel.func = &stubs[p.fault == Fault::function ? 2 : p.second];
      made.kernel.gridDim = made.kernel.blockDim = dim3(1);
      made.kernel.kernelParams = a.pointers;
      break;
    case Type::copy:
      made.type = cudaGraphNodeTypeMemcpy;
      made.memcpy.copyParams.dstPtr = {a.to, 16, 16, 2};
      made.memcpy.copyParams.srcPtr = {a.from, 16, 16, 2};
      made.memcpy.copyParams.extent = {8, rows ? 2u : 1u, 1};
      made.memcpy.copyParams.kind = p.fault == Fault::kind ? cudaMemcpyHostToHost : cudaMemcpyDefault;
      break;
    case Type::set:
      made.type = cudaGraphNodeTypeMemset;
      made.memset.dst = a.to;
      made.memset.elementSize = 4;
      made.memset.value = static_cast<unsigned>(p.constant);
      made.memset.width = 2;
      made.memset.height = rows ? 2 : 1;
      made.memset.pitch = rows ? 8 : 0;
      break;
    case Type::host:
      made.type = cudaGraphNodeTypeHost;
      host_data_.push_back({a.to, a.from, p.constant});
      made.host.fn = host_function;
      made.host.userData = &host_data_.back();
      break;
    case Type::record:
      made.type = cudaGraphNodeTypeEventRecord;
      made.eventRecord.event = event(shape.number, p.second);
      break;
    case Type::wait:
      made.type = cudaGraphNodeTypeWaitEvent;
      made.eventWait.event = event(shape.number, p.second);  // never recorded
      break;
    case Type::signal:
      made.type = cudaGraphNodeTypeExtSemaphoreSignal;
      for (auto& each : a.semaphores) each = timeline(shape.number, p.second).semaphore;
      for (auto& each : a.signals) each.params.fence.value = p.value;
      made.extSemSignal = {a.semaphores, a.signals, semaphores};
      break;
    case Type::semaphore_wait:
      made.type = cudaGraphNodeTypeExtSemaphoreWait;
      for (auto& each : a.semaphores) each = reached_.semaphore;
      for (auto& each : a.waits) each.params.fence.value = p.constant % (enough + 1);
      made.extSemWait = {a.semaphores, a.waits, semaphores};
      break;
    default:
      made.type = cudaGraphNodeTypeEmpty;
  }
  return made;
}

cudaError_t Nodes::set(cudaGraphExec_t exec, cudaGraphNode_t node, const Shape& shape, const Parameters& p) {
  Arguments arguments;
  cudaGraphNodeParams made = params(shape, p, arguments);
  // Half of them use the call for their type.
  if (p.constant % 2) return cudaGraphExecNodeSetParams(exec, node, &made);
  switch (shape.type) {
    case Type::kernel: {
      cudaKernelNodeParams kernel = {};
      kernel.func = made.kernel.func;
      kernel.gridDim = made.kernel.gridDim;
      kernel.blockDim = made.kernel.blockDim;
      kernel.kernelParams = made.kernel.kernelParams;
      return cudaGraphExecKernelNodeSetParams(exec, node, &kernel);
    }
    case Type::copy:
      if (p.fault == Fault::rows) return cudaGraphExecMemcpyNodeSetParams(exec, node, &made.memcpy.copyParams);
      return cudaGraphExecMemcpyNodeSetParams1D(exec, node, arguments.to, arguments.from, 8,
                                                made.memcpy.copyParams.kind);
    case Type::set: {
      cudaMemsetParams set = {made.memset.dst,         made.memset.pitch, made.memset.value,
                              made.memset.elementSize, made.memset.width, made.memset.height};
      return cudaGraphExecMemsetNodeSetParams(exec, node, &set);
    }
    case Type::host: {
      cudaHostNodeParams host = {made.host.fn, made.host.userData};
      return cudaGraphExecHostNodeSetParams(exec, node, &host);
    }
    case Type::record:
      return cudaGraphExecEventRecordNodeSetEvent(exec, node, made.eventRecord.event);
    case Type::wait:
      return cudaGraphExecEventWaitNodeSetEvent(exec, node, made.eventWait.event);
    case Type::signal: {
      const cudaExternalSemaphoreSignalNodeParams signal = {arguments.semaphores, arguments.signals,
                                                            made.extSemSignal.numExtSems};
      return cudaGraphExecExternalSemaphoresSignalNodeSetParams(exec, node, &signal);
    }
    case Type::semaphore_wait: {
      const cudaExternalSemaphoreWaitNodeParams wait = {arguments.semaphores, arguments.waits,
                                                        made.extSemWait.numExtSems};
      return cudaGraphExecExternalSemaphoresWaitNodeSetParams(exec, node, &wait);
    }
    default:
      return cudaGraphExecNodeSetParams(exec, node, &made);
  }
}

// ---- built -------------------------------------------------------------------------------------------------------

cudaGraphNode_t Nodes::add(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                           const Blueprint& blueprint, Handles& handles) {
  const Parameters& p = blueprint.of(shape);
  if (shape.type == Type::child) {
    add_child(graph, shape, after, blueprint, handles);
  } else if (shape.type == Type::conditional) {
    add_conditional(graph, shape, after, blueprint, handles);
  } else {
    Arguments arguments;
    cudaGraphNodeParams made = params(shape, p, arguments);
    must(cudaGraphAddNode(&handles[shape.number], graph, after.data(), nullptr, after.size(), &made));
  }
  if (p.fault == Fault::cooperative) {
    cudaLaunchAttributeValue yes = {};
    yes.cooperative = 1;
    must(cudaGraphKernelNodeSetAttribute(handles[shape.number], cudaLaunchAttributeCooperative, &yes));
  }
  return handles[shape.number];
}

void Nodes::fill(cudaGraph_t graph, const std::vector<Shape>& chain, const Blueprint& blueprint, Handles& handles) {
  std::vector<cudaGraphNode_t> last;
  for (const Shape& each : chain) last = {add(graph, each, last, blueprint, handles)};
}

void Nodes::add_child(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                      const Blueprint& blueprint, Handles& handles) {
  cudaGraph_t inner = build(shape.inside, blueprint);
  must(cudaGraphAddChildGraphNode(&handles[shape.number], graph, after.data(), after.size(), inner));
  must(cudaGraphDestroy(inner));
  note_inside(shape, handles);
}

void Nodes::note_inside(const Shape& shape, Handles& handles) {
  cudaGraph_t copy = nullptr;
  must(cudaGraphChildGraphNodeGetGraph(handles.at(shape.number), &copy));
  size_t count = shape.inside.size();
  std::vector<cudaGraphNode_t> nodes(count);
  if (count) must(cudaGraphGetNodes(copy, nodes.data(), &count));
  for (size_t i = 0; i < count; ++i) {
    handles[shape.inside[i].number] = nodes[i];
    if (shape.inside[i].type == Type::child) note_inside(shape.inside[i], handles);
  }
}

void Nodes::add_conditional(cudaGraph_t graph, const Shape& shape, const std::vector<cudaGraphNode_t>& after,
                            const Blueprint& blueprint, Handles& handles) {
  const Parameters& p = blueprint.of(shape);
  cudaGraphNodeParams made = {};
  made.type = cudaGraphNodeTypeConditional;
  must(cudaGraphConditionalHandleCreate(&made.conditional.handle, graph, p.second, cudaGraphCondAssignDefault));
  made.conditional.type = p.fault == Fault::condition_type ? cudaGraphCondTypeWhile : cudaGraphCondTypeIf;
  made.conditional.size = p.fault == Fault::bodies ? 2 : 1;
  must(cudaGraphAddNode(&handles[shape.number], graph, after.data(), nullptr, after.size(), &made));
  fill(made.conditional.phGraph_out[0], shape.inside, blueprint, handles);
}

cudaGraph_t Nodes::build(const std::vector<Shape>& chain, const Blueprint& blueprint) {
  cudaGraph_t graph = nullptr;
  Handles handles;
  must(cudaGraphCreate(&graph, 0));
  fill(graph, chain, blueprint, handles);
  return graph;
}

cudaGraph_t Nodes::build(const Blueprint& blueprint, Handles& handles) {
  cudaGraph_t graph = nullptr;
  must(cudaGraphCreate(&graph, 0));
  auto handle = [&](int place) { return handles.at(blueprint.shapes[static_cast<size_t>(place)].number); };
  for (int place : blueprint.created) add(graph, blueprint.shapes[static_cast<size_t>(place)], {}, blueprint, handles);
  for (auto [from, to] : blueprint.edges) {
    const cudaGraphNode_t before = handle(from), after = handle(to);
    must(cudaGraphAddDependencies(graph, &before, &after, nullptr, 1));
  }
  if (blueprint.allocates) {
    cudaMemAllocNodeParams params = {};
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    params.bytesize = 4096;
    cudaGraphNode_t node = nullptr;
    must(cudaGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  }
  return graph;
}

}  // namespace changing
