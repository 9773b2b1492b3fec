// Advice about managed memory, and queries of it.
#include "memory/allocate/advice.h"

#include <cuda_runtime_api.h>

#include "api/entry/entry.h"
#include "stream/capture_rules.h"

using namespace reprise_runtime;
using api::entry;

extern "C" {

cudaError_t cudaMemAdvise(const void* devPtr, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return entry(
      [&] {
        const cudaError_t refused = stream::check_unsafe({"advise before the capture", count, devPtr});
        return refused != cudaSuccess ? refused : memory::advise(devPtr, count, advice, location);
      },
      ARGUMENTS(devPtr, count, advice, location));
}

cudaError_t cudaMemRangeGetAttribute(void* data, size_t dataSize, cudaMemRangeAttribute attribute, const void* devPtr,
                                     size_t count) {
  return entry([&] { return memory::range_attribute(data, dataSize, attribute, devPtr, count); },
               ARGUMENTS(data, dataSize, attribute, devPtr, count));
}

cudaError_t cudaMemRangeGetAttributes(void** data, size_t* dataSizes, cudaMemRangeAttribute* attributes,
                                      size_t numAttributes, const void* devPtr, size_t count) {
  return entry([&] { return memory::range_attributes(data, dataSizes, attributes, numAttributes, devPtr, count); },
               ARGUMENTS(data, dataSizes, attributes, numAttributes, devPtr, count));
}
}
