// Variables of device code: addresses, sizes, and copies.
#include "op/symbol.h"

#include <cuda_runtime_api.h>

#include "api/entry/arguments.h"
#include "api/entry/default_stream.h"
#include "op/memcpy.h"
#include "stream/memory_work.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using op::Memcpy;

extern "C" {

cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(devPtr); status != cudaSuccess) return status;
        Result<op::Symbol> variable = op::find_symbol(symbol);
        if (variable.ok()) *devPtr = variable->address;
        return variable.status();
      },
      ARGUMENTS(devPtr, symbol));
}

cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(size); status != cudaSuccess) return status;
        Result<op::Symbol> variable = op::find_symbol(symbol);
        if (variable.ok()) *size = variable->size;
        return variable.status();
      },
      ARGUMENTS(size, symbol));
}

WITHOUT_STREAM(cudaMemcpyToSymbol,
               (const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind),
               (symbol, src, count, offset, kind),
               stream::copy_now(default_stream, Memcpy::build_to_symbol(symbol, src, count, offset, kind)))

WITHOUT_STREAM(cudaMemcpyFromSymbol, (void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind),
               (dst, symbol, count, offset, kind),
               stream::copy_now(default_stream, Memcpy::build_from_symbol(dst, symbol, count, offset, kind)))

WITH_STREAM(cudaMemcpyToSymbolAsync,
            (const void* symbol, const void* src, size_t count, size_t offset, cudaMemcpyKind kind,
             cudaStream_t stream),
            (symbol, src, count, offset, kind, stream),
            stream::copy_async(stream, Memcpy::build_to_symbol(symbol, src, count, offset, kind)))

WITH_STREAM(cudaMemcpyFromSymbolAsync,
            (void* dst, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind, cudaStream_t stream),
            (dst, symbol, count, offset, kind, stream),
            stream::copy_async(stream, Memcpy::build_from_symbol(dst, symbol, count, offset, kind)))
}
