// Copies.
#include <bit>

#include "driver/entry/entry.h"
#include "driver/memory/copy_parameters.h"
#include "op/memcpy.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::Context;
using driver::pointer;
using op::Memcpy;

namespace {

cudaError_t copy(CUstream stream, bool wait, CUdeviceptr to, CUdeviceptr from, size_t bytes, cudaMemcpyKind kind) {
  return driver::if_allowed([&] {
    Result<Memcpy> built = Memcpy::build(pointer(to), pointer(from), bytes, kind);
    return wait ? stream::copy_now(stream, std::move(built)) : stream::copy_async(stream, std::move(built));
  });
}
cudaError_t copy_in(CUstream stream, bool wait, CUdeviceptr to, const void* from, size_t bytes) {
  return copy(stream, wait, to, reinterpret_cast<CUdeviceptr>(from), bytes, cudaMemcpyHostToDevice);
}
cudaError_t copy_out(CUstream stream, bool wait, void* to, CUdeviceptr from, size_t bytes) {
  return copy(stream, wait, reinterpret_cast<CUdeviceptr>(to), from, bytes, cudaMemcpyDeviceToHost);
}

// A single row may come without a pitch and a height.
cudaMemcpy3DParms with_pitches(cudaMemcpy3DParms copy) {
  const auto complete = [&](cudaPitchedPtr& side, const cudaPos& position) {
    if (side.pitch == 0) side.pitch = position.x + copy.extent.width;
    if (side.ysize == 0) side.ysize = position.y + copy.extent.height;
  };
  complete(copy.srcPtr, copy.srcPos);
  complete(copy.dstPtr, copy.dstPos);
  return copy;
}

// `Box` is CUDA_MEMCPY2D or CUDA_MEMCPY3D.
template <class Box>
cudaError_t copy_box(CUstream stream, bool wait, const Box* box) {
  if (!box) return refuse(cudaErrorInvalidValue, "the description of the copy is null");
  Result<cudaMemcpy3DParms> parameters = driver::runtime_copy(*box);
  if (!parameters.ok()) return parameters.status();
  return driver::if_allowed([&] {
    const cudaMemcpy3DParms complete = with_pitches(*parameters);
    Result<Memcpy> built = Memcpy::build_3d(&complete);
    return wait ? stream::copy_now(stream, std::move(built)) : stream::copy_async(stream, std::move(built));
  });
}

// The device of a context; of the current one if the context is null.
Result<int> device_of(CUcontext handle) {
  if (!handle) return current_device();
  Context* context = Context::find(handle);
  if (!context) return refuse(cudaErrorDeviceUninitialized, "%p is not a context", static_cast<void*>(handle));
  return context->device();
}

// Queues a copy between the devices of two contexts, or waits for it.
template <class Build>
cudaError_t copy_peer(CUstream stream, bool wait, CUcontext to, CUcontext from, Build&& build) {
  Result<int> target = device_of(to), source = device_of(from);
  if (!target.ok() || !source.ok()) return target.ok() ? source.status() : target.status();
  return driver::if_allowed([&] {
    Result<Memcpy> built = build(*target, *source);
    return wait ? stream::copy_between(stream, std::move(built), *target, *source)
                : stream::copy_peer_async(stream, std::move(built));
  });
}

cudaError_t copy_bytes_peer(CUstream stream, bool wait, CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                            CUcontext from_context, size_t bytes) {
  if (!to_context || !from_context) return refuse(cudaErrorDeviceUninitialized, "a context is null");
  return copy_peer(stream, wait, to_context, from_context, [&](int target, int source) {
    return Memcpy::build_peer(pointer(to), target, pointer(from), source, bytes);
  });
}

cudaError_t copy_box_peer(CUstream stream, bool wait, const CUDA_MEMCPY3D_PEER* box) {
  if (!box) return refuse(cudaErrorInvalidValue, "the description of the copy is null");
  // The two structures differ in the contexts, which stand where the other one has reserved members.
  const auto within_device = std::bit_cast<CUDA_MEMCPY3D>(*box);
  Result<cudaMemcpy3DParms> parameters = driver::runtime_copy(within_device);
  if (!parameters.ok()) return parameters.status();
  const cudaMemcpy3DParms complete = with_pitches(*parameters);
  return copy_peer(stream, wait, box->dstContext, box->srcContext,
                   [&](int, int) { return Memcpy::build_3d(&complete); });
}

}  // namespace

extern "C" {

CALL_PTDS(cuMemcpy, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount), (dst, src, ByteCount),
          copy(default_stream, true, dst, src, ByteCount, cudaMemcpyDefault))
CALL_PTDS(cuMemcpyHtoD, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount), (dstDevice, srcHost, ByteCount),
          copy_in(default_stream, true, dstDevice, srcHost, ByteCount))
CALL_PTDS(cuMemcpyDtoH, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount), (dstHost, srcDevice, ByteCount),
          copy_out(default_stream, true, dstHost, srcDevice, ByteCount))
CALL_PTDS(cuMemcpyDtoD, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount),
          (dstDevice, srcDevice, ByteCount),
          copy(default_stream, true, dstDevice, srcDevice, ByteCount, cudaMemcpyDeviceToDevice))
CALL_PTDS(cuMemcpy2D, (const CUDA_MEMCPY2D* pCopy), (pCopy), copy_box(default_stream, true, pCopy))
CALL_PTDS(cuMemcpy2DUnaligned, (const CUDA_MEMCPY2D* pCopy), (pCopy), copy_box(default_stream, true, pCopy))
CALL_PTDS(cuMemcpy3D, (const CUDA_MEMCPY3D* pCopy), (pCopy), copy_box(default_stream, true, pCopy))
CALL_PTDS(cuMemcpyPeer,
          (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount),
          (dstDevice, dstContext, srcDevice, srcContext, ByteCount),
          copy_bytes_peer(default_stream, true, dstDevice, dstContext, srcDevice, srcContext, ByteCount))

CALL_PTSZ(cuMemcpyAsync, (CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream),
          (dst, src, ByteCount, hStream), copy(hStream, false, dst, src, ByteCount, cudaMemcpyDefault))
CALL_PTSZ(cuMemcpyHtoDAsync, (CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream),
          (dstDevice, srcHost, ByteCount, hStream), copy_in(hStream, false, dstDevice, srcHost, ByteCount))
CALL_PTSZ(cuMemcpyDtoHAsync, (void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
          (dstHost, srcDevice, ByteCount, hStream), copy_out(hStream, false, dstHost, srcDevice, ByteCount))
CALL_PTSZ(cuMemcpyDtoDAsync, (CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream),
          (dstDevice, srcDevice, ByteCount, hStream),
          copy(hStream, false, dstDevice, srcDevice, ByteCount, cudaMemcpyDeviceToDevice))
CALL_PTSZ(cuMemcpy2DAsync, (const CUDA_MEMCPY2D* pCopy, CUstream hStream), (pCopy, hStream),
          copy_box(hStream, false, pCopy))
CALL_PTSZ(cuMemcpy3DAsync, (const CUDA_MEMCPY3D* pCopy, CUstream hStream), (pCopy, hStream),
          copy_box(hStream, false, pCopy))
CALL_PTSZ(cuMemcpyPeerAsync,
          (CUdeviceptr dstDevice, CUcontext dstContext, CUdeviceptr srcDevice, CUcontext srcContext, size_t ByteCount,
           CUstream hStream),
          (dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream),
          copy_bytes_peer(hStream, false, dstDevice, dstContext, srcDevice, srcContext, ByteCount))
CALL_PTDS(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER* pCopy), (pCopy), copy_box_peer(default_stream, true, pCopy))
CALL_PTSZ(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER* pCopy, CUstream hStream), (pCopy, hStream),
          copy_box_peer(hStream, false, pCopy))
}
