#include "graph/define/memory_work.h"

#include "diagnose/refuse.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

cudaError_t nothing_to_do() { return refuse(cudaErrorInvalidValue, "a node that copies nothing"); }

Result<MemcpyWork> work_with(const Result<op::Memcpy>& built) {
  if (!built.ok()) return built.status();
  if (built->empty()) return nothing_to_do();
  Result<MemcpyWork> work = cudaSuccess;
  work->take(*built);  // where it is returned: copying what was just written takes as long as all the rest
  return work;
}

// Unlike in a stream, memory of which one slice is used may leave out its height, and of which one row is used its
// pitch.
void complete(cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent) {
  if (extent.depth != 1) return;
  if (extent.height == 1 && memory.pitch == 0) {
    memory.pitch = position.x + extent.width;
    memory.ysize = 0;
  }
  if (memory.ysize == 0) memory.ysize = position.y + extent.height;
}

}  // namespace

Result<MemcpyWork> MemcpyWork::build(const cudaMemcpy3DParms& parameters) {
  cudaMemcpy3DParms box = parameters;
  complete(box.srcPtr, box.srcPos, box.extent);
  complete(box.dstPtr, box.dstPos, box.extent);
  Result<MemcpyWork> work = work_with(op::Memcpy::build_3d(&box));
  if (work.ok()) {
    work->told = parameters;
    work->told.srcPtr.xsize = work->told.dstPtr.xsize = 0;  // which CUDA does not keep
    work->from_height = parameters.srcPtr.ysize;
    work->to_height = parameters.dstPtr.ysize;
    work->placed = true;
  }
  return work;
}

Result<MemcpyWork> MemcpyWork::build_1d(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return work_with(op::Memcpy::build(to, from, bytes, kind));
}

Result<MemcpyWork> MemcpyWork::build_to_symbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                                               cudaMemcpyKind kind) {
  return work_with(op::Memcpy::build_to_symbol(symbol, from, bytes, offset, kind));
}

Result<MemcpyWork> MemcpyWork::build_from_symbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                                 cudaMemcpyKind kind) {
  return work_with(op::Memcpy::build_from_symbol(to, symbol, bytes, offset, kind));
}

void MemcpyWork::take(const op::Memcpy& built) {
  op = built;
  const memory::BoxCopy& box = op.box;
  const memory::Extent& extent = box.extent;
  const bool linear = extent.height == 1 && extent.depth == 1;
  auto side = [&](const memory::Place& place) {
    cudaPitchedPtr told = {};
    told.ptr = place.address;
    if (linear) return told;
    told.pitch = place.pitch;
    if (extent.depth > 1 && place.pitch) told.ysize = place.slice / place.pitch;
    return told;
  };
  const auto height = [](const memory::Place& place) { return place.pitch ? place.slice / place.pitch : 0; };
  told.srcPtr = side(box.from);
  told.dstPtr = side(box.to);
  if (!linear) {
    from_height = height(box.from);
    to_height = height(box.to);
  }
  told.extent = {extent.width, extent.height, extent.depth};
  told.kind = op.kind;
}

Result<MemsetWork> MemsetWork::build(const cudaMemsetParams& parameters) {
  if (parameters.width == 0 || parameters.height == 0) return refuse(cudaErrorInvalidValue, "a node that sets nothing");
  Result<op::Memset> op = op::Memset::build(parameters);
  if (!op.ok()) return op.status();
  if (op->refusal != cudaSuccess) return op->refusal;
  MemsetWork work;
  work.op = std::move(*op);
  work.told = parameters;
  return work;
}

MemsetWork MemsetWork::of(op::Memset op) {
  MemsetWork work;
  work.told.dst = op.box.to.address;
  work.told.pitch = op.box.extent.height > 1 ? op.box.to.pitch : 0;
  work.told.value = op.box.value;
  work.told.elementSize = op.box.element_bytes;
  work.told.width = op.box.extent.width / op.box.element_bytes;
  work.told.height = op.box.extent.height;
  work.op = std::move(op);
  return work;
}

}  // namespace reprise_runtime::graph
