/* Copies and fills, 1D to 3D, at once, in a stream, or in batches. */
#ifndef REPRISE_API_COPY_H
#define REPRISE_API_COPY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p);
REPRISE_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms* p);
REPRISE_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms* p,
                                              cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count);
REPRISE_API cudaError_t cudaMemcpy2D(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                     size_t height, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaMemcpyAsync(void* dst, const void* src, size_t count, enum cudaMemcpyKind kind,
                                        cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpyPeerAsync(void* dst, int dstDevice, const void* src, int srcDevice, size_t count,
                                            cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpyBatchAsync(void* const* dsts, const void* const* srcs, const size_t* sizes,
                                             size_t count, struct cudaMemcpyAttributes* attrs, size_t* attrsIdxs,
                                             size_t numAttrs, cudaStream_t stream);
REPRISE_API cudaError_t cudaMemcpy3DBatchAsync(size_t numOps, struct cudaMemcpy3DBatchOp* opList,
                                               unsigned long long flags, cudaStream_t stream);
REPRISE_API cudaError_t cudaMemcpy2DAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                                          size_t height, enum cudaMemcpyKind kind,
                                          cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemset(void* devPtr, int value, size_t count);
REPRISE_API cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height);
REPRISE_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent);
REPRISE_API cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemset2DAsync(void* devPtr, size_t pitch, int value, size_t width, size_t height,
                                          cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pitchedDevPtr, int value, struct cudaExtent extent,
                                          cudaStream_t stream REPRISE_DEFAULT(0));

REPRISE_END_C

#endif /* REPRISE_API_COPY_H */
