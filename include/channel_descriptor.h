/* cudaCreateChannelDesc<T>(): the texel format of a C++ type, or of a named format. */
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#if defined(__cplusplus)

#include "cuda_runtime_api.h"

template <class T>
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

template <cudaChannelFormatKind>
inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define REPRISE_CHANNELS(type, x, y, z, w, kind)                           \
  template <>                                                              \
  inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>() {    \
    return cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind); \
  }

#define REPRISE_SCALAR(type, kind) REPRISE_CHANNELS(type, int(sizeof(type) * 8), 0, 0, 0, kind)
#define REPRISE_VECTORS(type, bits, kind)           \
  REPRISE_CHANNELS(type##1, bits, 0, 0, 0, kind)    \
  REPRISE_CHANNELS(type##2, bits, bits, 0, 0, kind) \
  REPRISE_CHANNELS(type##4, bits, bits, bits, bits, kind)

REPRISE_SCALAR(char, Signed)
REPRISE_SCALAR(signed char, Signed)
REPRISE_SCALAR(unsigned char, Unsigned)
REPRISE_SCALAR(short, Signed)
REPRISE_SCALAR(unsigned short, Unsigned)
REPRISE_SCALAR(int, Signed)
REPRISE_SCALAR(unsigned int, Unsigned)
REPRISE_SCALAR(float, Float)
REPRISE_VECTORS(char, 8, Signed)
REPRISE_VECTORS(uchar, 8, Unsigned)
REPRISE_VECTORS(short, 16, Signed)
REPRISE_VECTORS(ushort, 16, Unsigned)
REPRISE_VECTORS(int, 32, Signed)
REPRISE_VECTORS(uint, 32, Unsigned)
REPRISE_VECTORS(float, 32, Float)

#define REPRISE_FORMAT(format, x, y, z, w) REPRISE_CHANNELS(cudaChannelFormatKind##format, x, y, z, w, format)

REPRISE_FORMAT(SignedNormalized8X1, 8, 0, 0, 0)
REPRISE_FORMAT(SignedNormalized8X2, 8, 8, 0, 0)
REPRISE_FORMAT(SignedNormalized8X4, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedNormalized8X1, 8, 0, 0, 0)
REPRISE_FORMAT(UnsignedNormalized8X2, 8, 8, 0, 0)
REPRISE_FORMAT(UnsignedNormalized8X4, 8, 8, 8, 8)
REPRISE_FORMAT(SignedNormalized16X1, 16, 0, 0, 0)
REPRISE_FORMAT(SignedNormalized16X2, 16, 16, 0, 0)
REPRISE_FORMAT(SignedNormalized16X4, 16, 16, 16, 16)
REPRISE_FORMAT(UnsignedNormalized16X1, 16, 0, 0, 0)
REPRISE_FORMAT(UnsignedNormalized16X2, 16, 16, 0, 0)
REPRISE_FORMAT(UnsignedNormalized16X4, 16, 16, 16, 16)
REPRISE_FORMAT(UnsignedNormalized1010102, 10, 10, 10, 2)
REPRISE_FORMAT(NV12, 8, 8, 8, 0)
REPRISE_FORMAT(UnsignedBlockCompressed1, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed1SRGB, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed2, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed2SRGB, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed3, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed3SRGB, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed4, 8, 0, 0, 0)
REPRISE_FORMAT(SignedBlockCompressed4, 8, 0, 0, 0)
REPRISE_FORMAT(UnsignedBlockCompressed5, 8, 8, 0, 0)
REPRISE_FORMAT(SignedBlockCompressed5, 8, 8, 0, 0)
REPRISE_FORMAT(UnsignedBlockCompressed6H, 16, 16, 16, 0)
REPRISE_FORMAT(SignedBlockCompressed6H, 16, 16, 16, 0)
REPRISE_FORMAT(UnsignedBlockCompressed7, 8, 8, 8, 8)
REPRISE_FORMAT(UnsignedBlockCompressed7SRGB, 8, 8, 8, 8)

#undef REPRISE_FORMAT
#undef REPRISE_VECTORS
#undef REPRISE_SCALAR
#undef REPRISE_CHANNELS

static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDescNV12() {
  return cudaCreateChannelDesc<cudaChannelFormatKindNV12>();
}

#endif

#endif /* __CHANNEL_DESCRIPTOR_H__ */
