/* Texture and surface objects. */
#ifndef REPRISE_API_TEXTURE_H
#define REPRISE_API_TEXTURE_H

#include <driver_types.h>
#include <surface_types.h>
#include <texture_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements,
                                                             const struct cudaChannelFormatDesc* fmtDesc, int device);
REPRISE_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* pTexObject,
                                                const struct cudaResourceDesc* pResDesc,
                                                const struct cudaTextureDesc* pTexDesc,
                                                const struct cudaResourceViewDesc* pResViewDesc);
REPRISE_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texObject);
REPRISE_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc* pResDesc,
                                                         cudaTextureObject_t texObject);
REPRISE_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc* pTexDesc,
                                                        cudaTextureObject_t texObject);
REPRISE_API cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc* pResViewDesc,
                                                             cudaTextureObject_t texObject);
REPRISE_API cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* pSurfObject,
                                                const struct cudaResourceDesc* pResDesc);
REPRISE_API cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surfObject);
REPRISE_API cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc* pResDesc,
                                                         cudaSurfaceObject_t surfObject);

REPRISE_END_C

#endif /* REPRISE_API_TEXTURE_H */
