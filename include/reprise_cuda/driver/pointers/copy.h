/* Types of pointers to calls by version: copies and fills. */
#ifndef REPRISE_DRIVER_POINTERS_COPY_H
#define REPRISE_DRIVER_POINTERS_COPY_H

#include <cuda.h>

typedef CUresult (*PFN_cuMemcpy_v7000_ptds)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyHtoD_v7000_ptds)(CUdeviceptr_v2, const void*, size_t);
typedef CUresult (*PFN_cuMemcpyDtoH_v7000_ptds)(void*, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoD_v7000_ptds)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoA_v7000_ptds)(CUarray, size_t, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyAtoD_v7000_ptds)(CUdeviceptr_v2, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyHtoA_v7000_ptds)(CUarray, size_t, const void*, size_t);
typedef CUresult (*PFN_cuMemcpyAtoH_v7000_ptds)(void*, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyAtoA_v7000_ptds)(CUarray, size_t, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpy2D_v7000_ptds)(const CUDA_MEMCPY2D_v2*);
typedef CUresult (*PFN_cuMemcpy2DUnaligned_v7000_ptds)(const CUDA_MEMCPY2D_v2*);
typedef CUresult (*PFN_cuMemcpy3D_v7000_ptds)(const CUDA_MEMCPY3D_v2*);
typedef CUresult (*PFN_cuMemcpyAsync_v7000_ptsz)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyHtoDAsync_v7000_ptsz)(CUdeviceptr_v2, const void*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoHAsync_v7000_ptsz)(void*, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoDAsync_v7000_ptsz)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyHtoAAsync_v7000_ptsz)(CUarray, size_t, const void*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyAtoHAsync_v7000_ptsz)(void*, CUarray, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy2DAsync_v7000_ptsz)(const CUDA_MEMCPY2D_v2*, CUstream);
typedef CUresult (*PFN_cuMemcpy3DAsync_v7000_ptsz)(const CUDA_MEMCPY3D_v2*, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080_ptsz)(CUdeviceptr_v2*, CUdeviceptr_v2*, size_t*, size_t,
                                                       CUmemcpyAttributes_v1*, size_t*, size_t, size_t*, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v12080_ptsz)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, size_t*,
                                                         unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v13000_ptsz)(CUdeviceptr_v2*, CUdeviceptr_v2*, size_t*, size_t,
                                                       CUmemcpyAttributes_v1*, size_t*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v13000_ptsz)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, unsigned long long,
                                                         CUstream);
typedef CUresult (*PFN_cuMemsetD8_v7000_ptds)(CUdeviceptr_v2, unsigned char, size_t);
typedef CUresult (*PFN_cuMemsetD16_v7000_ptds)(CUdeviceptr_v2, unsigned short, size_t);
typedef CUresult (*PFN_cuMemsetD32_v7000_ptds)(CUdeviceptr_v2, unsigned int, size_t);
typedef CUresult (*PFN_cuMemsetD2D8_v7000_ptds)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D16_v7000_ptds)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D32_v7000_ptds)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD8Async_v7000_ptsz)(CUdeviceptr_v2, unsigned char, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD16Async_v7000_ptsz)(CUdeviceptr_v2, unsigned short, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD32Async_v7000_ptsz)(CUdeviceptr_v2, unsigned int, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D8Async_v7000_ptsz)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D16Async_v7000_ptsz)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D32Async_v7000_ptsz)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyHtoD_v3020)(CUdeviceptr_v2, const void*, size_t);
typedef CUresult (*PFN_cuMemcpyDtoH_v3020)(void*, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoD_v3020)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyDtoA_v3020)(CUarray, size_t, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyAtoD_v3020)(CUdeviceptr_v2, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyHtoA_v3020)(CUarray, size_t, const void*, size_t);
typedef CUresult (*PFN_cuMemcpyAtoH_v3020)(void*, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyAtoA_v3020)(CUarray, size_t, CUarray, size_t, size_t);
typedef CUresult (*PFN_cuMemcpyHtoAAsync_v3020)(CUarray, size_t, const void*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyAtoHAsync_v3020)(void*, CUarray, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy2D_v3020)(const CUDA_MEMCPY2D_v2*);
typedef CUresult (*PFN_cuMemcpy2DUnaligned_v3020)(const CUDA_MEMCPY2D_v2*);
typedef CUresult (*PFN_cuMemcpy3D_v3020)(const CUDA_MEMCPY3D_v2*);
typedef CUresult (*PFN_cuMemcpyHtoDAsync_v3020)(CUdeviceptr_v2, const void*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoHAsync_v3020)(void*, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyDtoDAsync_v3020)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy2DAsync_v3020)(const CUDA_MEMCPY2D_v2*, CUstream);
typedef CUresult (*PFN_cuMemcpy3DAsync_v3020)(const CUDA_MEMCPY3D_v2*, CUstream);
typedef CUresult (*PFN_cuMemsetD8_v3020)(CUdeviceptr_v2, unsigned char, size_t);
typedef CUresult (*PFN_cuMemsetD16_v3020)(CUdeviceptr_v2, unsigned short, size_t);
typedef CUresult (*PFN_cuMemsetD32_v3020)(CUdeviceptr_v2, unsigned int, size_t);
typedef CUresult (*PFN_cuMemsetD2D8_v3020)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D16_v3020)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t);
typedef CUresult (*PFN_cuMemsetD2D32_v3020)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t);
typedef CUresult (*PFN_cuMemcpy_v4000)(CUdeviceptr_v2, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuMemcpyAsync_v4000)(CUdeviceptr_v2, CUdeviceptr_v2, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v12080)(CUdeviceptr_v2*, CUdeviceptr_v2*, size_t*, size_t,
                                                  CUmemcpyAttributes_v1*, size_t*, size_t, size_t*, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v12080)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, size_t*, unsigned long long,
                                                    CUstream);
typedef CUresult (*PFN_cuMemcpyBatchAsync_v13000)(CUdeviceptr_v2*, CUdeviceptr_v2*, size_t*, size_t,
                                                  CUmemcpyAttributes_v1*, size_t*, size_t, CUstream);
typedef CUresult (*PFN_cuMemcpy3DBatchAsync_v13000)(size_t, CUDA_MEMCPY3D_BATCH_OP_v1*, unsigned long long, CUstream);
typedef CUresult (*PFN_cuMemsetD8Async_v3020)(CUdeviceptr_v2, unsigned char, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD16Async_v3020)(CUdeviceptr_v2, unsigned short, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD32Async_v3020)(CUdeviceptr_v2, unsigned int, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D8Async_v3020)(CUdeviceptr_v2, size_t, unsigned char, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D16Async_v3020)(CUdeviceptr_v2, size_t, unsigned short, size_t, size_t, CUstream);
typedef CUresult (*PFN_cuMemsetD2D32Async_v3020)(CUdeviceptr_v2, size_t, unsigned int, size_t, size_t, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_COPY_H */
