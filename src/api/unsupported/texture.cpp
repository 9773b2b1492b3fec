// Refused calls: textures and surfaces.
#include "api/unsupported/unsupported.h"

#define WHY "this device has no textures or surfaces; read from linear memory"

extern "C" {

UNSUPPORTED(cudaDeviceGetTexture1DLinearMaxWidth,
            (size_t* maxWidthInElements, const struct cudaChannelFormatDesc* fmtDesc, int device),
            (maxWidthInElements, fmtDesc, device))
UNSUPPORTED(cudaCreateTextureObject,
            (cudaTextureObject_t * pTexObject, const struct cudaResourceDesc* pResDesc,
             const struct cudaTextureDesc* pTexDesc, const struct cudaResourceViewDesc* pResViewDesc),
            (pTexObject, pResDesc, pTexDesc, pResViewDesc))
UNSUPPORTED(cudaDestroyTextureObject, (cudaTextureObject_t texObject), (texObject))
UNSUPPORTED(cudaGetTextureObjectResourceDesc, (struct cudaResourceDesc * pResDesc, cudaTextureObject_t texObject),
            (pResDesc, texObject))
UNSUPPORTED(cudaGetTextureObjectTextureDesc, (struct cudaTextureDesc * pTexDesc, cudaTextureObject_t texObject),
            (pTexDesc, texObject))
UNSUPPORTED(cudaGetTextureObjectResourceViewDesc,
            (struct cudaResourceViewDesc * pResViewDesc, cudaTextureObject_t texObject), (pResViewDesc, texObject))
UNSUPPORTED(cudaCreateSurfaceObject, (cudaSurfaceObject_t * pSurfObject, const struct cudaResourceDesc* pResDesc),
            (pSurfObject, pResDesc))
UNSUPPORTED(cudaDestroySurfaceObject, (cudaSurfaceObject_t surfObject), (surfObject))
UNSUPPORTED(cudaGetSurfaceObjectResourceDesc, (struct cudaResourceDesc * pResDesc, cudaSurfaceObject_t surfObject),
            (pResDesc, surfObject))
}
