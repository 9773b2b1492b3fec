/* make_float4 and the like. */
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "cuda_runtime_api.h"

#define REPRISE_MAKE static __inline__ __host__ __device__

#define REPRISE_MAKE_1(type, element)        \
  REPRISE_MAKE type make_##type(element x) { \
    type v;                                  \
    v.x = x;                                 \
    return v;                                \
  }
#define REPRISE_MAKE_2(type, element)                   \
  REPRISE_MAKE type make_##type(element x, element y) { \
    type v;                                             \
    v.x = x;                                            \
    v.y = y;                                            \
    return v;                                           \
  }
#define REPRISE_MAKE_3(type, element)                              \
  REPRISE_MAKE type make_##type(element x, element y, element z) { \
    type v;                                                        \
    v.x = x;                                                       \
    v.y = y;                                                       \
    v.z = z;                                                       \
    return v;                                                      \
  }
#define REPRISE_MAKE_4(type, element)                                         \
  REPRISE_MAKE type make_##type(element x, element y, element z, element w) { \
    type v;                                                                   \
    v.x = x;                                                                  \
    v.y = y;                                                                  \
    v.z = z;                                                                  \
    v.w = w;                                                                  \
    return v;                                                                 \
  }

REPRISE_MAKE_1(char1, signed char)
REPRISE_MAKE_2(char2, signed char)
REPRISE_MAKE_3(char3, signed char)
REPRISE_MAKE_4(char4, signed char)

REPRISE_MAKE_1(uchar1, unsigned char)
REPRISE_MAKE_2(uchar2, unsigned char)
REPRISE_MAKE_3(uchar3, unsigned char)
REPRISE_MAKE_4(uchar4, unsigned char)

REPRISE_MAKE_1(short1, short)
REPRISE_MAKE_2(short2, short)
REPRISE_MAKE_3(short3, short)
REPRISE_MAKE_4(short4, short)

REPRISE_MAKE_1(ushort1, unsigned short)
REPRISE_MAKE_2(ushort2, unsigned short)
REPRISE_MAKE_3(ushort3, unsigned short)
REPRISE_MAKE_4(ushort4, unsigned short)

REPRISE_MAKE_1(int1, int)
REPRISE_MAKE_2(int2, int)
REPRISE_MAKE_3(int3, int)
REPRISE_MAKE_4(int4, int)

REPRISE_MAKE_1(uint1, unsigned int)
REPRISE_MAKE_2(uint2, unsigned int)
REPRISE_MAKE_3(uint3, unsigned int)
REPRISE_MAKE_4(uint4, unsigned int)

REPRISE_MAKE_1(long1, long)
REPRISE_MAKE_2(long2, long)
REPRISE_MAKE_3(long3, long)
REPRISE_MAKE_4(long4_16a, long)
REPRISE_MAKE_4(long4_32a, long)

REPRISE_MAKE_1(ulong1, unsigned long)
REPRISE_MAKE_2(ulong2, unsigned long)
REPRISE_MAKE_3(ulong3, unsigned long)
REPRISE_MAKE_4(ulong4_16a, unsigned long)
REPRISE_MAKE_4(ulong4_32a, unsigned long)

REPRISE_MAKE_1(longlong1, long long)
REPRISE_MAKE_2(longlong2, long long)
REPRISE_MAKE_3(longlong3, long long)
REPRISE_MAKE_4(longlong4_16a, long long)
REPRISE_MAKE_4(longlong4_32a, long long)

REPRISE_MAKE_1(ulonglong1, unsigned long long)
REPRISE_MAKE_2(ulonglong2, unsigned long long)
REPRISE_MAKE_3(ulonglong3, unsigned long long)
REPRISE_MAKE_4(ulonglong4_16a, unsigned long long)
REPRISE_MAKE_4(ulonglong4_32a, unsigned long long)

REPRISE_MAKE_1(float1, float)
REPRISE_MAKE_2(float2, float)
REPRISE_MAKE_3(float3, float)
REPRISE_MAKE_4(float4, float)

REPRISE_MAKE_1(double1, double)
REPRISE_MAKE_2(double2, double)
REPRISE_MAKE_3(double3, double)
REPRISE_MAKE_4(double4_16a, double)
REPRISE_MAKE_4(double4_32a, double)

__NV_SILENCE_DEPRECATION_BEGIN
REPRISE_MAKE_4(long4, long)
REPRISE_MAKE_4(ulong4, unsigned long)
REPRISE_MAKE_4(longlong4, long long)
REPRISE_MAKE_4(ulonglong4, unsigned long long)
REPRISE_MAKE_4(double4, double)
__NV_SILENCE_DEPRECATION_END

#undef REPRISE_MAKE_4
#undef REPRISE_MAKE_3
#undef REPRISE_MAKE_2
#undef REPRISE_MAKE_1
#undef REPRISE_MAKE

#endif /* __VECTOR_FUNCTIONS_H__ */
