// Textures and surfaces: reads and writes of them in device code are compile-time errors.
#pragma once

#define __REPRISE_TEXTURE__ \
  __device__ __attribute__((unavailable("textures and surfaces are not supported by the CPU device")))
#define __REPRISE_READS__(__name)                              \
  template <class __T, class... __A>                           \
  __REPRISE_TEXTURE__ __T __name(cudaTextureObject_t, __A...); \
  template <class __T, class... __A>                           \
  __REPRISE_TEXTURE__ void __name(__T*, cudaTextureObject_t, __A...);
#define __REPRISE_SURFACE__(__name)                                         \
  template <class __T, class... __A>                                        \
  __REPRISE_TEXTURE__ __T __name##read(cudaSurfaceObject_t, __A...);        \
  template <class __T, class... __A>                                        \
  __REPRISE_TEXTURE__ void __name##read(__T*, cudaSurfaceObject_t, __A...); \
  template <class __T, class... __A>                                        \
  __REPRISE_TEXTURE__ void __name##write(__T, cudaSurfaceObject_t, __A...);

__REPRISE_READS__(tex1D)
__REPRISE_READS__(tex1DLod)
__REPRISE_READS__(tex1DGrad)
__REPRISE_READS__(tex1Dfetch)
__REPRISE_READS__(tex1DLayered)
__REPRISE_READS__(tex2D)
__REPRISE_READS__(tex2DLod)
__REPRISE_READS__(tex2DGrad)
__REPRISE_READS__(tex2Dgather)
__REPRISE_READS__(tex2DLayered)
__REPRISE_READS__(tex3D)
__REPRISE_READS__(tex3DLod)
__REPRISE_READS__(tex3DGrad)
__REPRISE_READS__(texCubemap)
__REPRISE_READS__(texCubemapLayered)
__REPRISE_SURFACE__(surf1D)
__REPRISE_SURFACE__(surf1DLayered)
__REPRISE_SURFACE__(surf2D)
__REPRISE_SURFACE__(surf2DLayered)
__REPRISE_SURFACE__(surf3D)
__REPRISE_SURFACE__(surfCubemap)
__REPRISE_SURFACE__(surfCubemapLayered)

#undef __REPRISE_TEXTURE__
#undef __REPRISE_READS__
#undef __REPRISE_SURFACE__
