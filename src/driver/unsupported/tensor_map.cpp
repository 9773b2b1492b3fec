// Refused calls: tensor maps.
#include "driver/unsupported/unsupported.h"

#define WHY "tensor maps are not supported"

extern "C" {

UNSUPPORTED(cuTensorMapEncodeTiled,
            (CUtensorMap * tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
             const cuuint64_t* globalDim, const cuuint64_t* globalStrides, const cuuint32_t* boxDim,
             const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
             CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill),
            (tensorMap, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides, boxDim, elementStrides,
             interleave, swizzle, l2Promotion, oobFill))
UNSUPPORTED(cuTensorMapEncodeIm2col,
            (CUtensorMap * tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
             const cuuint64_t* globalDim, const cuuint64_t* globalStrides, const int* pixelBoxLowerCorner,
             const int* pixelBoxUpperCorner, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
             const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
             CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill),
            (tensorMap, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides, pixelBoxLowerCorner,
             pixelBoxUpperCorner, channelsPerPixel, pixelsPerColumn, elementStrides, interleave, swizzle, l2Promotion,
             oobFill))
UNSUPPORTED(cuTensorMapEncodeIm2colWide,
            (CUtensorMap * tensorMap, CUtensorMapDataType tensorDataType, cuuint32_t tensorRank, void* globalAddress,
             const cuuint64_t* globalDim, const cuuint64_t* globalStrides, int pixelBoxLowerCornerWidth,
             int pixelBoxUpperCornerWidth, cuuint32_t channelsPerPixel, cuuint32_t pixelsPerColumn,
             const cuuint32_t* elementStrides, CUtensorMapInterleave interleave, CUtensorMapIm2ColWideMode mode,
             CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2Promotion, CUtensorMapFloatOOBfill oobFill),
            (tensorMap, tensorDataType, tensorRank, globalAddress, globalDim, globalStrides, pixelBoxLowerCornerWidth,
             pixelBoxUpperCornerWidth, channelsPerPixel, pixelsPerColumn, elementStrides, interleave, mode, swizzle,
             l2Promotion, oobFill))
UNSUPPORTED(cuTensorMapReplaceAddress, (CUtensorMap * tensorMap, void* globalAddress), (tensorMap, globalAddress))
}
