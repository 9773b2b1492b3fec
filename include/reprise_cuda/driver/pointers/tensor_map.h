/* Types of pointers to calls by version: tensor maps. */
#ifndef REPRISE_DRIVER_POINTERS_TENSOR_MAP_H
#define REPRISE_DRIVER_POINTERS_TENSOR_MAP_H

#include <cuda.h>

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                      const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                                      const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                       const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                                       cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                                       CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                       CUtensorMapFloatOOBfill);
typedef CUresult (*PFN_cuTensorMapReplaceAddress_v12000)(CUtensorMap*, void*);
typedef CUresult (*PFN_cuTensorMapEncodeIm2colWide_v12080)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                           const cuuint64_t*, const cuuint64_t*, int, int, cuuint32_t,
                                                           cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                                           CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

#endif /* REPRISE_DRIVER_POINTERS_TENSOR_MAP_H */
