/* Tensor maps of the driver API. */
#ifndef REPRISE_DRIVER_TENSOR_MAP_H
#define REPRISE_DRIVER_TENSOR_MAP_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuTensorMapEncodeTiled(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                            cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
                                            const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
                                            const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                            CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion,
                                            CUtensorMapFloatOOBfill oobFill);
REPRISE_API CUresult cuTensorMapEncodeIm2col(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                             cuuint32_t tensorRank, void* globalAddress, const cuuint64_t* globalDim,
                                             const cuuint64_t* globalStrides, const int* pixelBoxLowerCorner,
                                             const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel,
                                             cuuint32_t pixelsPerColumn, const cuuint32_t* elementStrides,
                                             CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                             CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
REPRISE_API CUresult cuTensorMapEncodeIm2colWide(CUtensorMap* tensorMap, CUtensorMapDataType tensorDataType,
                                                 cuuint32_t tensorRank, void* globalAddress,
                                                 const cuuint64_t* globalDim, const cuuint64_t* globalStrides,
                                                 int pixelBoxLowerCornerWidth, int pixelBoxUpperCornerWidth,
                                                 cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
                                                 const cuuint32_t* elementStrides, CUtensorMapInterleave interleave,
                                                 CUtensorMapIm2ColWideMode mode, CUtensorMapSwizzle swizzle,
                                                 CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill);
REPRISE_API CUresult cuTensorMapReplaceAddress(CUtensorMap* tensorMap, void* globalAddress);

REPRISE_END_C

#endif /* REPRISE_DRIVER_TENSOR_MAP_H */
