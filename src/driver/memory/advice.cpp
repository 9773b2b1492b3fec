// Advice on managed memory, what is known of it, and its attachment to streams.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using driver::as_runtime;
using driver::pointer;

extern "C" {

CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location) {
  return driver::entry([&] { return cudaMemAdvise(pointer(devPtr), count, as_runtime(advice), as_runtime(location)); },
                       ARGUMENTS(devPtr, count, advice, as_runtime(location)));
}

CUresult cuMemRangeGetAttribute(void* data, size_t dataSize, CUmem_range_attribute attribute, CUdeviceptr devPtr,
                                size_t count) {
  return driver::entry(
      [&] { return cudaMemRangeGetAttribute(data, dataSize, as_runtime(attribute), pointer(devPtr), count); },
      ARGUMENTS(data, dataSize, attribute, devPtr, count));
}

CUresult cuMemRangeGetAttributes(void** data, size_t* dataSizes, CUmem_range_attribute* attributes,
                                 size_t numAttributes, CUdeviceptr devPtr, size_t count) {
  return driver::entry(
      [&] {
        return cudaMemRangeGetAttributes(data, dataSizes, as_runtime(attributes), numAttributes, pointer(devPtr),
                                         count);
      },
      ARGUMENTS(data, dataSizes, attributes, numAttributes, devPtr, count));
}

CALL_PTSZ(cuStreamAttachMemAsync, (CUstream hStream, CUdeviceptr dptr, size_t length, unsigned int flags),
          (hStream, dptr, length, flags), cudaStreamAttachMemAsync(hStream, pointer(dptr), length, flags))
}
