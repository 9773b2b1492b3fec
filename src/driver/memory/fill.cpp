// Fills with elements of 1, 2 or 4 bytes.
#include "driver/entry/entry.h"
#include "op/memset.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::pointer;
using op::Memset;

namespace {

// `size` bytes of `value` for each of `width` by `height` elements.
cudaError_t fill(CUstream stream, bool wait, CUdeviceptr to, size_t pitch, unsigned value, unsigned size, size_t width,
                 size_t height) {
  if (width == 0 || height == 0) return cudaSuccess;
  if (to % size != 0) return refuse(cudaErrorInvalidValue, "%p is not aligned to elements of %u", pointer(to), size);
  cudaMemsetParams parameters{};
  parameters.dst = pointer(to);
  parameters.pitch = pitch;
  parameters.value = value;
  parameters.elementSize = size;
  parameters.width = width;
  parameters.height = height;
  return driver::if_allowed([&] {
    Result<Memset> built = Memset::build(parameters);
    return wait ? stream::set_now(stream, std::move(built)) : stream::set_async(stream, std::move(built));
  });
}

}  // namespace

extern "C" {

CALL_PTDS(cuMemsetD8, (CUdeviceptr dstDevice, unsigned char uc, size_t N), (dstDevice, uc, N),
          fill(default_stream, true, dstDevice, N, uc, 1, N, 1))
CALL_PTDS(cuMemsetD16, (CUdeviceptr dstDevice, unsigned short us, size_t N), (dstDevice, us, N),
          fill(default_stream, true, dstDevice, N * 2, us, 2, N, 1))
CALL_PTDS(cuMemsetD32, (CUdeviceptr dstDevice, unsigned int ui, size_t N), (dstDevice, ui, N),
          fill(default_stream, true, dstDevice, N * 4, ui, 4, N, 1))
CALL_PTDS(cuMemsetD2D8, (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height),
          (dstDevice, dstPitch, uc, Width, Height),
          fill(default_stream, true, dstDevice, dstPitch, uc, 1, Width, Height))
CALL_PTDS(cuMemsetD2D16, (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height),
          (dstDevice, dstPitch, us, Width, Height),
          fill(default_stream, true, dstDevice, dstPitch, us, 2, Width, Height))
CALL_PTDS(cuMemsetD2D32, (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height),
          (dstDevice, dstPitch, ui, Width, Height),
          fill(default_stream, true, dstDevice, dstPitch, ui, 4, Width, Height))

CALL_PTSZ(cuMemsetD8Async, (CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream),
          (dstDevice, uc, N, hStream), fill(hStream, false, dstDevice, N, uc, 1, N, 1))
CALL_PTSZ(cuMemsetD16Async, (CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream),
          (dstDevice, us, N, hStream), fill(hStream, false, dstDevice, N * 2, us, 2, N, 1))
CALL_PTSZ(cuMemsetD32Async, (CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream),
          (dstDevice, ui, N, hStream), fill(hStream, false, dstDevice, N * 4, ui, 4, N, 1))
CALL_PTSZ(cuMemsetD2D8Async,
          (CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, CUstream hStream),
          (dstDevice, dstPitch, uc, Width, Height, hStream),
          fill(hStream, false, dstDevice, dstPitch, uc, 1, Width, Height))
CALL_PTSZ(cuMemsetD2D16Async,
          (CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, CUstream hStream),
          (dstDevice, dstPitch, us, Width, Height, hStream),
          fill(hStream, false, dstDevice, dstPitch, us, 2, Width, Height))
CALL_PTSZ(cuMemsetD2D32Async,
          (CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width, size_t Height, CUstream hStream),
          (dstDevice, dstPitch, ui, Width, Height, hStream),
          fill(hStream, false, dstDevice, dstPitch, ui, 4, Width, Height))
}
