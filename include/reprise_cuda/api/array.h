/* Arrays: allocation, properties, and copies to and from them. */
#ifndef REPRISE_API_ARRAY_H
#define REPRISE_API_ARRAY_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc, size_t width,
                                        size_t height REPRISE_DEFAULT(0), unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaFreeArray(cudaArray_t array);
REPRISE_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t mipmappedArray);
REPRISE_API cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* desc,
                                          struct cudaExtent extent, unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* mipmappedArray,
                                                 const struct cudaChannelFormatDesc* desc, struct cudaExtent extent,
                                                 unsigned int numLevels, unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* levelArray, cudaMipmappedArray_const_t mipmappedArray,
                                                   unsigned int level);
REPRISE_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc* desc, struct cudaExtent* extent,
                                         unsigned int* flags, cudaArray_t array);
REPRISE_API cudaError_t cudaArrayGetPlane(cudaArray_t* pPlaneArray, cudaArray_t hArray, unsigned int planeIdx);
REPRISE_API cudaError_t cudaArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* memoryRequirements,
                                                       cudaArray_t array, int device);
REPRISE_API cudaError_t cudaMipmappedArrayGetMemoryRequirements(struct cudaArrayMemoryRequirements* memoryRequirements,
                                                                cudaMipmappedArray_t mipmap, int device);
REPRISE_API cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties* sparseProperties,
                                                     cudaArray_t array);
REPRISE_API cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties* sparseProperties,
                                                              cudaMipmappedArray_t mipmap);
REPRISE_API cudaError_t cudaMemcpy2DToArray(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                            size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaMemcpy2DFromArray(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                              size_t hOffset, size_t width, size_t height, enum cudaMemcpyKind kind);
REPRISE_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst,
                                                 cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
                                                 size_t width, size_t height,
                                                 enum cudaMemcpyKind kind REPRISE_DEFAULT(cudaMemcpyDeviceToDevice));
REPRISE_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src,
                                                 size_t spitch, size_t width, size_t height, enum cudaMemcpyKind kind,
                                                 cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaMemcpy2DFromArrayAsync(void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset,
                                                   size_t hOffset, size_t width, size_t height,
                                                   enum cudaMemcpyKind kind, cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaMemcpyToArray(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                             const void* src, size_t count, enum cudaMemcpyKind kind);
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaMemcpyFromArray(void* dst, cudaArray_const_t src, size_t wOffset,
                                                               size_t hOffset, size_t count, enum cudaMemcpyKind kind);
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaMemcpyArrayToArray(
    cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, size_t wOffsetSrc, size_t hOffsetSrc,
    size_t count, enum cudaMemcpyKind kind REPRISE_DEFAULT(cudaMemcpyDeviceToDevice));
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t dst, size_t wOffset, size_t hOffset,
                                                                  const void* src, size_t count,
                                                                  enum cudaMemcpyKind kind,
                                                                  cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_DEPRECATED REPRISE_API cudaError_t cudaMemcpyFromArrayAsync(void* dst, cudaArray_const_t src, size_t wOffset,
                                                                    size_t hOffset, size_t count,
                                                                    enum cudaMemcpyKind kind,
                                                                    cudaStream_t stream REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* desc, cudaArray_const_t array);
REPRISE_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                               enum cudaChannelFormatKind f);

REPRISE_END_C

#endif /* REPRISE_API_ARRAY_H */
