// CUDA arrays: memory laid out for textures.
#include "api/unsupported.h"

#define WHY "this device has no arrays; use linear or pitched memory"

extern "C" {

UNSUPPORTED(cudaMallocArray, (cudaArray_t*, const cudaChannelFormatDesc*, size_t, size_t, unsigned int))
UNSUPPORTED(cudaFreeArray, (cudaArray_t))
UNSUPPORTED(cudaFreeMipmappedArray, (cudaMipmappedArray_t))
UNSUPPORTED(cudaMalloc3DArray, (cudaArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int))
UNSUPPORTED(cudaMallocMipmappedArray,
            (cudaMipmappedArray_t*, const cudaChannelFormatDesc*, cudaExtent, unsigned int, unsigned int))
UNSUPPORTED(cudaGetMipmappedArrayLevel, (cudaArray_t*, cudaMipmappedArray_const_t, unsigned int))
UNSUPPORTED(cudaArrayGetInfo, (cudaChannelFormatDesc*, cudaExtent*, unsigned int*, cudaArray_t))
UNSUPPORTED(cudaArrayGetPlane, (cudaArray_t*, cudaArray_t, unsigned int))
UNSUPPORTED(cudaArrayGetMemoryRequirements, (cudaArrayMemoryRequirements*, cudaArray_t, int))
UNSUPPORTED(cudaMipmappedArrayGetMemoryRequirements, (cudaArrayMemoryRequirements*, cudaMipmappedArray_t, int))
UNSUPPORTED(cudaArrayGetSparseProperties, (cudaArraySparseProperties*, cudaArray_t))
UNSUPPORTED(cudaMipmappedArrayGetSparseProperties, (cudaArraySparseProperties*, cudaMipmappedArray_t))
UNSUPPORTED_PTDS(cudaMemcpy2DToArray,
                 (cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED_PTDS(cudaMemcpy2DFromArray,
                 (void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED_PTDS(cudaMemcpy2DArrayToArray,
                 (cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED_PTSZ(cudaMemcpy2DToArrayAsync,
                 (cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t))
UNSUPPORTED_PTSZ(cudaMemcpy2DFromArrayAsync,
                 (void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t))
UNSUPPORTED_PTDS(cudaMemcpyToArray, (cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind))
UNSUPPORTED_PTDS(cudaMemcpyFromArray, (void*, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED_PTDS(cudaMemcpyArrayToArray,
                 (cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind))
UNSUPPORTED_PTSZ(cudaMemcpyToArrayAsync,
                 (cudaArray_t, size_t, size_t, const void*, size_t, cudaMemcpyKind, cudaStream_t))
UNSUPPORTED_PTSZ(cudaMemcpyFromArrayAsync,
                 (void*, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind, cudaStream_t))
UNSUPPORTED(cudaGetChannelDesc, (cudaChannelFormatDesc*, cudaArray_const_t))
}
