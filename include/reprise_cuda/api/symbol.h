/* Variables of device code: their address, size, and copies to and from them. */
#ifndef REPRISE_API_SYMBOL_H
#define REPRISE_API_SYMBOL_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* src, size_t count,
                                           size_t offset REPRISE_DEFAULT(0),
                                           enum cudaMemcpyKind kind REPRISE_DEFAULT(cudaMemcpyHostToDevice));
REPRISE_API cudaError_t cudaMemcpyFromSymbol(void* dst, const void* symbol, size_t count,
                                             size_t offset REPRISE_DEFAULT(0),
                                             enum cudaMemcpyKind kind REPRISE_DEFAULT(cudaMemcpyDeviceToHost));
REPRISE_API cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* src, size_t count, size_t offset,
                                                enum cudaMemcpyKind kind, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpyFromSymbolAsync(void* dst, const void* symbol, size_t count, size_t offset,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGetSymbolAddress(void** devPtr, const void* symbol);
REPRISE_API cudaError_t cudaGetSymbolSize(size_t* size, const void* symbol);

REPRISE_END_C

#endif /* REPRISE_API_SYMBOL_H */
