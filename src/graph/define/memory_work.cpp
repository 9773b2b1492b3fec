#include "graph/define/memory_work.h"

#include "diagnose/refuse.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

cudaError_t nothing_to_do() { return refuse(cudaErrorInvalidValue, "a memcpy node must copy at least one byte"); }

Result<MemcpyWork> work_with(const Result<op::Memcpy>& built) {
  if (!built.ok()) return built.status();
  if (built->empty()) return nothing_to_do();
  Result<MemcpyWork> work = cudaSuccess;
  work->take(*built);  // in place: copying the result would take as long as everything else here
  return work;
}

// Unlike in a stream, the height may be 0 if one slice is used, and the pitch if one row is used.
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
    work->user_params = parameters;
    work->user_params.srcPtr.xsize = work->user_params.dstPtr.xsize = 0;  // as CUDA does
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
    cudaPitchedPtr pointer = {};
    pointer.ptr = place.address;
    if (linear) return pointer;
    pointer.pitch = place.pitch;
    if (extent.depth > 1 && place.pitch) pointer.ysize = place.slice / place.pitch;
    return pointer;
  };
  const auto height = [](const memory::Place& place) { return place.pitch ? place.slice / place.pitch : 0; };
  user_params.srcPtr = side(box.from);
  user_params.dstPtr = side(box.to);
  if (!linear) {
    from_height = height(box.from);
    to_height = height(box.to);
  }
  user_params.extent = {extent.width, extent.height, extent.depth};
  user_params.kind = op.kind;
}

Result<MemsetWork> MemsetWork::build(const cudaMemsetParams& parameters) {
  if (parameters.width == 0 || parameters.height == 0)
    return refuse(cudaErrorInvalidValue, "width and height of a memset node must not be 0");
  Result<op::Memset> op = op::Memset::build(parameters);
  if (!op.ok()) return op.status();
  if (op->refusal != cudaSuccess) return op->refusal;
  MemsetWork work;
  work.op = std::move(*op);
  work.user_params = parameters;
  return work;
}

MemsetWork MemsetWork::of(op::Memset op) {
  MemsetWork work;
  work.user_params.dst = op.box.to.address;
  work.user_params.pitch = op.box.extent.height > 1 ? op.box.to.pitch : 0;
  work.user_params.value = op.box.value;
  work.user_params.elementSize = op.box.element_bytes;
  work.user_params.width = op.box.extent.width / op.box.element_bytes;
  work.user_params.height = op.box.extent.height;
  work.op = std::move(op);
  return work;
}

}  // namespace reprise_runtime::graph
