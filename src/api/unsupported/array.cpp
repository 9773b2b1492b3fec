// Refused calls: CUDA arrays.
#include "api/unsupported/unsupported.h"

#define WHY "this device has no arrays; use linear or pitched memory"

extern "C" {

UNSUPPORTED(cudaMallocArray,
            (cudaArray_t * array, const struct cudaChannelFormatDesc* desc, size_t width, size_t height,
             unsigned int flags),
            (array, desc, width, height, flags))
UNSUPPORTED(cudaFreeArray, (cudaArray_t array), (array))
UNSUPPORTED(cudaFreeMipmappedArray, (cudaMipmappedArray_t mipmappedArray), (mipmappedArray))
UNSUPPORTED(cudaMalloc3DArray,
            (cudaArray_t * array, const struct cudaChannelFormatDesc* desc, struct cudaExtent extent,
             unsigned int flags),
            (array, desc, extent, flags))
UNSUPPORTED(cudaMallocMipmappedArray,
            (cudaMipmappedArray_t * mipmappedArray, const struct cudaChannelFormatDesc* desc, struct cudaExtent extent,
             unsigned int numLevels, unsigned int flags),
            (mipmappedArray, desc, extent, numLevels, flags))
UNSUPPORTED(cudaGetMipmappedArrayLevel,
            (cudaArray_t * levelArray, cudaMipmappedArray_const_t mipmappedArray, unsigned int level),
            (levelArray, mipmappedArray, level))
UNSUPPORTED(cudaArrayGetInfo,
            (struct cudaChannelFormatDesc * desc, struct cudaExtent* extent, unsigned int* flags, cudaArray_t array),
            (desc, extent, flags, array))
UNSUPPORTED(cudaArrayGetPlane, (cudaArray_t * pPlaneArray, cudaArray_t hArray, unsigned int planeIdx),
            (pPlaneArray, hArray, planeIdx))
UNSUPPORTED(cudaArrayGetMemoryRequirements,
            (struct cudaArrayMemoryRequirements * memoryRequirements, cudaArray_t array, int device),
            (memoryRequirements, array, device))
UNSUPPORTED(cudaMipmappedArrayGetMemoryRequirements,
            (struct cudaArrayMemoryRequirements * memoryRequirements, cudaMipmappedArray_t mipmap, int device),
            (memoryRequirements, mipmap, device))
UNSUPPORTED(cudaArrayGetSparseProperties, (struct cudaArraySparseProperties * sparseProperties, cudaArray_t array),
            (sparseProperties, array))
UNSUPPORTED(cudaMipmappedArrayGetSparseProperties,
            (struct cudaArraySparseProperties * sparseProperties, cudaMipmappedArray_t mipmap),
            (sparseProperties, mipmap))
UNSUPPORTED_PTDS(cudaMemcpy2DToArray,
                 (cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width,
                  size_t height, enum cudaMemcpyKind kind),
                 (dst, wOffset, hOffset, src, spitch, width, height, kind))
UNSUPPORTED_PTDS(cudaMemcpy2DFromArray,
                 (void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width,
                  size_t height, enum cudaMemcpyKind kind),
                 (dst, dpitch, src, wOffset, hOffset, width, height, kind))
UNSUPPORTED_PTDS(cudaMemcpy2DArrayToArray,
                 (cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, size_t wOffsetSrc,
                  size_t hOffsetSrc, size_t width, size_t height, enum cudaMemcpyKind kind),
                 (dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind))
UNSUPPORTED_PTSZ(cudaMemcpy2DToArrayAsync,
                 (cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t spitch, size_t width,
                  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
                 (dst, wOffset, hOffset, src, spitch, width, height, kind, stream))
UNSUPPORTED_PTSZ(cudaMemcpy2DFromArrayAsync,
                 (void* dst, size_t dpitch, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t width,
                  size_t height, enum cudaMemcpyKind kind, cudaStream_t stream),
                 (dst, dpitch, src, wOffset, hOffset, width, height, kind, stream))
UNSUPPORTED_PTDS(cudaMemcpyToArray,
                 (cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                  enum cudaMemcpyKind kind),
                 (dst, wOffset, hOffset, src, count, kind))
UNSUPPORTED_PTDS(cudaMemcpyFromArray,
                 (void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                  enum cudaMemcpyKind kind),
                 (dst, src, wOffset, hOffset, count, kind))
UNSUPPORTED_PTDS(cudaMemcpyArrayToArray,
                 (cudaArray_t dst, size_t wOffsetDst, size_t hOffsetDst, cudaArray_const_t src, size_t wOffsetSrc,
                  size_t hOffsetSrc, size_t count, enum cudaMemcpyKind kind),
                 (dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, count, kind))
UNSUPPORTED_PTSZ(cudaMemcpyToArrayAsync,
                 (cudaArray_t dst, size_t wOffset, size_t hOffset, const void* src, size_t count,
                  enum cudaMemcpyKind kind, cudaStream_t stream),
                 (dst, wOffset, hOffset, src, count, kind, stream))
UNSUPPORTED_PTSZ(cudaMemcpyFromArrayAsync,
                 (void* dst, cudaArray_const_t src, size_t wOffset, size_t hOffset, size_t count,
                  enum cudaMemcpyKind kind, cudaStream_t stream),
                 (dst, src, wOffset, hOffset, count, kind, stream))
UNSUPPORTED(cudaGetChannelDesc, (struct cudaChannelFormatDesc * desc, cudaArray_const_t array), (desc, array))
}
