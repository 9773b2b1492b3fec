// Textures and surfaces.
#include "api/unsupported.h"

#define WHY "this device has no textures or surfaces; read from linear memory"

extern "C" {

UNSUPPORTED(cudaDeviceGetTexture1DLinearMaxWidth, (size_t*, const cudaChannelFormatDesc*, int))
UNSUPPORTED(cudaCreateTextureObject,
            (cudaTextureObject_t*, const cudaResourceDesc*, const cudaTextureDesc*, const cudaResourceViewDesc*))
UNSUPPORTED(cudaDestroyTextureObject, (cudaTextureObject_t))
UNSUPPORTED(cudaGetTextureObjectResourceDesc, (cudaResourceDesc*, cudaTextureObject_t))
UNSUPPORTED(cudaGetTextureObjectTextureDesc, (cudaTextureDesc*, cudaTextureObject_t))
UNSUPPORTED(cudaGetTextureObjectResourceViewDesc, (cudaResourceViewDesc*, cudaTextureObject_t))
UNSUPPORTED(cudaCreateSurfaceObject, (cudaSurfaceObject_t*, const cudaResourceDesc*))
UNSUPPORTED(cudaDestroySurfaceObject, (cudaSurfaceObject_t))
UNSUPPORTED(cudaGetSurfaceObjectResourceDesc, (cudaResourceDesc*, cudaSurfaceObject_t))
}
