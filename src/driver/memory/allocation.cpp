// Allocating and freeing memory of the device, managed memory and pinned host memory.
#include "driver/entry/entry.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::output;
using driver::pointer;

namespace {

cudaError_t allocate(CUdeviceptr* out, size_t bytes) {
  if (bytes == 0) return refuse(cudaErrorInvalidValue, "the size is 0");
  return cudaMalloc(output(out), bytes);
}

cudaError_t allocate_managed(CUdeviceptr* out, size_t bytes, unsigned flags) {
  if (bytes == 0) return refuse(cudaErrorInvalidValue, "the size is 0");
  return cudaMallocManaged(output(out), bytes, flags);
}

cudaError_t allocate_pitched(CUdeviceptr* out, size_t* pitch, size_t width, size_t height, unsigned element) {
  if (element != 4 && element != 8 && element != 16) {
    return refuse(cudaErrorInvalidValue, "ElementSizeBytes is %u and must be 4, 8 or 16", element);
  }
  if (width == 0 || height == 0) return refuse(cudaErrorInvalidValue, "the width or the height is 0");
  return cudaMallocPitch(output(out), pitch, width, height);
}

}  // namespace

extern "C" {

CUresult cuMemGetInfo(size_t* free, size_t* total) {
  return driver::entry([&] { return cudaMemGetInfo(free, total); }, ARGUMENTS(free, total));
}

CUresult cuMemAlloc(CUdeviceptr* dptr, size_t bytesize) {
  return driver::entry([&] { return allocate(dptr, bytesize); }, ARGUMENTS(dptr, bytesize));
}

CUresult cuMemAllocPitch(CUdeviceptr* dptr, size_t* pPitch, size_t WidthInBytes, size_t Height,
                         unsigned int ElementSizeBytes) {
  return driver::entry([&] { return allocate_pitched(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes); },
                       ARGUMENTS(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes));
}

CUresult cuMemAllocManaged(CUdeviceptr* dptr, size_t bytesize, unsigned int flags) {
  return driver::entry([&] { return allocate_managed(dptr, bytesize, flags); }, ARGUMENTS(dptr, bytesize, flags));
}

CUresult cuMemFree(CUdeviceptr dptr) {
  return driver::entry_initialised([&] { return cudaFree(pointer(dptr)); }, ARGUMENTS(dptr));
}

CUresult cuMemAllocHost(void** pp, size_t bytesize) {
  return driver::entry([&] { return cudaMallocHost(pp, bytesize); }, ARGUMENTS(pp, bytesize));
}

CUresult cuMemHostAlloc(void** pp, size_t bytesize, unsigned int Flags) {
  return driver::entry([&] { return cudaHostAlloc(pp, bytesize, Flags); }, ARGUMENTS(pp, bytesize, Flags));
}

CUresult cuMemFreeHost(void* p) {
  return driver::entry([&] { return cudaFreeHost(p); }, ARGUMENTS(p));
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr* pdptr, void* p, unsigned int Flags) {
  return driver::entry([&] { return cudaHostGetDevicePointer(output(pdptr), p, Flags); }, ARGUMENTS(pdptr, p, Flags));
}

CUresult cuMemHostGetFlags(unsigned int* pFlags, void* p) {
  return driver::entry([&] { return cudaHostGetFlags(pFlags, p); }, ARGUMENTS(pFlags, p));
}

CUresult cuMemHostRegister(void* p, size_t bytesize, unsigned int Flags) {
  return driver::entry([&] { return cudaHostRegister(p, bytesize, Flags); }, ARGUMENTS(p, bytesize, Flags));
}

CUresult cuMemHostUnregister(void* p) {
  return driver::entry([&] { return cudaHostUnregister(p); }, ARGUMENTS(p));
}
}
