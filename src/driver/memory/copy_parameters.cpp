#include "driver/memory/copy_parameters.h"

#include "diagnose/refuse.h"

namespace reprise_runtime::driver {
namespace {

using diagnose::refuse;

struct Side {
  CUmemorytype type;
  void* host;
  CUdeviceptr device;
  size_t pitch, height, x;
};

Result<cudaPitchedPtr> address_of(const Side& side, const CUDA_MEMCPY3D& copy) {
  // A single row needs neither pitch nor height, and a node returns them as they were given.
  const bool one_row = copy.Height <= 1 && copy.Depth <= 1;
  const size_t pitch = side.pitch || one_row ? side.pitch : side.x + copy.WidthInBytes;
  const size_t height = side.height || one_row ? side.height : copy.Height;
  switch (side.type) {
    case CU_MEMORYTYPE_HOST:
      return cudaPitchedPtr{side.host, pitch, pitch, height};
    case CU_MEMORYTYPE_DEVICE:
    case CU_MEMORYTYPE_UNIFIED:
      return cudaPitchedPtr{reinterpret_cast<void*>(side.device), pitch, pitch, height};
    case CU_MEMORYTYPE_ARRAY:
      return refuse(cudaErrorNotSupported, "this device has no arrays; use linear or pitched memory");
  }
  return refuse(cudaErrorInvalidValue, "no memory type has the number %d", static_cast<int>(side.type));
}

cudaMemcpyKind kind_of(CUmemorytype from, CUmemorytype to) {
  if (from == CU_MEMORYTYPE_UNIFIED || to == CU_MEMORYTYPE_UNIFIED) return cudaMemcpyDefault;
  if (from == CU_MEMORYTYPE_HOST) return to == CU_MEMORYTYPE_HOST ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
  return to == CU_MEMORYTYPE_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

}  // namespace

Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY3D& copy) {
  Result<cudaPitchedPtr> from = address_of({copy.srcMemoryType, const_cast<void*>(copy.srcHost), copy.srcDevice,
                                            copy.srcPitch, copy.srcHeight, copy.srcXInBytes},
                                           copy);
  if (!from.ok()) return from.status();
  Result<cudaPitchedPtr> to = address_of(
      {copy.dstMemoryType, copy.dstHost, copy.dstDevice, copy.dstPitch, copy.dstHeight, copy.dstXInBytes}, copy);
  if (!to.ok()) return to.status();
  cudaMemcpy3DParms made{};
  made.srcPtr = *from;
  made.srcPos = {copy.srcXInBytes, copy.srcY, copy.srcZ};
  made.dstPtr = *to;
  made.dstPos = {copy.dstXInBytes, copy.dstY, copy.dstZ};
  made.extent = {copy.WidthInBytes, copy.Height, copy.Depth};
  made.kind = kind_of(copy.srcMemoryType, copy.dstMemoryType);
  return made;
}

Result<cudaMemcpy3DParms> runtime_copy(const CUDA_MEMCPY2D& copy) {
  CUDA_MEMCPY3D made{};
  made.srcXInBytes = copy.srcXInBytes;
  made.srcY = copy.srcY;
  made.srcMemoryType = copy.srcMemoryType;
  made.srcHost = copy.srcHost;
  made.srcDevice = copy.srcDevice;
  made.srcPitch = copy.srcPitch;
  made.srcHeight = copy.srcY + copy.Height;
  made.dstXInBytes = copy.dstXInBytes;
  made.dstY = copy.dstY;
  made.dstMemoryType = copy.dstMemoryType;
  made.dstHost = copy.dstHost;
  made.dstDevice = copy.dstDevice;
  made.dstPitch = copy.dstPitch;
  made.dstHeight = copy.dstY + copy.Height;
  made.WidthInBytes = copy.WidthInBytes;
  made.Height = copy.Height;
  made.Depth = 1;
  return runtime_copy(made);
}

CUDA_MEMCPY3D driver_copy(const cudaMemcpy3DParms& copy) {
  const bool unified = copy.kind == cudaMemcpyDefault;
  const bool from_host = copy.kind == cudaMemcpyHostToDevice || copy.kind == cudaMemcpyHostToHost;
  const bool to_host = copy.kind == cudaMemcpyDeviceToHost || copy.kind == cudaMemcpyHostToHost;
  CUDA_MEMCPY3D made{};
  made.srcMemoryType = unified ? CU_MEMORYTYPE_UNIFIED : from_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  made.dstMemoryType = unified ? CU_MEMORYTYPE_UNIFIED : to_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  if (from_host) made.srcHost = copy.srcPtr.ptr;
  if (!from_host) made.srcDevice = reinterpret_cast<CUdeviceptr>(copy.srcPtr.ptr);
  if (to_host) made.dstHost = copy.dstPtr.ptr;
  if (!to_host) made.dstDevice = reinterpret_cast<CUdeviceptr>(copy.dstPtr.ptr);
  made.srcPitch = copy.srcPtr.pitch;
  made.srcHeight = copy.srcPtr.ysize;
  made.dstPitch = copy.dstPtr.pitch;
  made.dstHeight = copy.dstPtr.ysize;
  made.srcXInBytes = copy.srcPos.x;
  made.srcY = copy.srcPos.y;
  made.srcZ = copy.srcPos.z;
  made.dstXInBytes = copy.dstPos.x;
  made.dstY = copy.dstPos.y;
  made.dstZ = copy.dstPos.z;
  made.WidthInBytes = copy.extent.width;
  made.Height = copy.extent.height;
  made.Depth = copy.extent.depth;
  return made;
}

}  // namespace reprise_runtime::driver
