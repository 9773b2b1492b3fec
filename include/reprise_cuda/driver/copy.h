/* Copies and fills of the driver API. */
#ifndef REPRISE_DRIVER_COPY_H
#define REPRISE_DRIVER_COPY_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount);
REPRISE_API CUresult cuMemcpyHtoD(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount);
REPRISE_API CUresult cuMemcpyDtoH(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount);
REPRISE_API CUresult cuMemcpyDtoD(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount);
REPRISE_API CUresult cuMemcpyDtoA(CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount);
REPRISE_API CUresult cuMemcpyAtoD(CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount);
REPRISE_API CUresult cuMemcpyHtoA(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount);
REPRISE_API CUresult cuMemcpyAtoH(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount);
REPRISE_API CUresult cuMemcpyAtoA(CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset,
                                  size_t ByteCount);
REPRISE_API CUresult cuMemcpy2D(const CUDA_MEMCPY2D* pCopy);
REPRISE_API CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* pCopy);
REPRISE_API CUresult cuMemcpy3D(const CUDA_MEMCPY3D* pCopy);
REPRISE_API CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t ByteCount, CUstream hStream);
REPRISE_API CUresult cuMemcpyHtoDAsync(CUdeviceptr dstDevice, const void* srcHost, size_t ByteCount, CUstream hStream);
REPRISE_API CUresult cuMemcpyDtoHAsync(void* dstHost, CUdeviceptr srcDevice, size_t ByteCount, CUstream hStream);
REPRISE_API CUresult cuMemcpyDtoDAsync(CUdeviceptr dstDevice, CUdeviceptr srcDevice, size_t ByteCount,
                                       CUstream hStream);
REPRISE_API CUresult cuMemcpyHtoAAsync(CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount,
                                       CUstream hStream);
REPRISE_API CUresult cuMemcpyAtoHAsync(void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount,
                                       CUstream hStream);
REPRISE_API CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* pCopy, CUstream hStream);
REPRISE_API CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* pCopy, CUstream hStream);
REPRISE_API CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                                        CUmemcpyAttributes* attrs, size_t* attrsIdxs, size_t numAttrs,
                                        CUstream hStream);
REPRISE_API CUresult cuMemcpy3DBatchAsync(size_t numOps, CUDA_MEMCPY3D_BATCH_OP* opList, unsigned long long flags,
                                          CUstream hStream);
REPRISE_API CUresult cuMemsetD8(CUdeviceptr dstDevice, unsigned char uc, size_t N);
REPRISE_API CUresult cuMemsetD16(CUdeviceptr dstDevice, unsigned short us, size_t N);
REPRISE_API CUresult cuMemsetD32(CUdeviceptr dstDevice, unsigned int ui, size_t N);
REPRISE_API CUresult cuMemsetD2D8(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                                  size_t Height);
REPRISE_API CUresult cuMemsetD2D16(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                                   size_t Height);
REPRISE_API CUresult cuMemsetD2D32(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                                   size_t Height);
REPRISE_API CUresult cuMemsetD8Async(CUdeviceptr dstDevice, unsigned char uc, size_t N, CUstream hStream);
REPRISE_API CUresult cuMemsetD16Async(CUdeviceptr dstDevice, unsigned short us, size_t N, CUstream hStream);
REPRISE_API CUresult cuMemsetD32Async(CUdeviceptr dstDevice, unsigned int ui, size_t N, CUstream hStream);
REPRISE_API CUresult cuMemsetD2D8Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned char uc, size_t Width,
                                       size_t Height, CUstream hStream);
REPRISE_API CUresult cuMemsetD2D16Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned short us, size_t Width,
                                        size_t Height, CUstream hStream);
REPRISE_API CUresult cuMemsetD2D32Async(CUdeviceptr dstDevice, size_t dstPitch, unsigned int ui, size_t Width,
                                        size_t Height, CUstream hStream);

REPRISE_END_C

#endif /* REPRISE_DRIVER_COPY_H */
