/* Arrays, textures and surfaces of the driver API. */
#ifndef REPRISE_DRIVER_ARRAY_H
#define REPRISE_DRIVER_ARRAY_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t* maxWidthInElements, CUarray_format format,
                                                        unsigned int numChannels, CUdevice dev);
REPRISE_DEPRECATED REPRISE_API CUresult cuModuleGetTexRef(CUtexref* pTexRef, CUmodule hmod, const char* name);
REPRISE_DEPRECATED REPRISE_API CUresult cuModuleGetSurfRef(CUsurfref* pSurfRef, CUmodule hmod, const char* name);
REPRISE_API CUresult cuArrayCreate(CUarray* pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray);
REPRISE_API CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* pArrayDescriptor, CUarray hArray);
REPRISE_API CUresult cuArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties, CUarray array);
REPRISE_API CUresult cuMipmappedArrayGetSparseProperties(CUDA_ARRAY_SPARSE_PROPERTIES* sparseProperties,
                                                         CUmipmappedArray mipmap);
REPRISE_API CUresult cuArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements, CUarray array,
                                                  CUdevice device);
REPRISE_API CUresult cuMipmappedArrayGetMemoryRequirements(CUDA_ARRAY_MEMORY_REQUIREMENTS* memoryRequirements,
                                                           CUmipmappedArray mipmap, CUdevice device);
REPRISE_API CUresult cuArrayGetPlane(CUarray* pPlaneArray, CUarray hArray, unsigned int planeIdx);
REPRISE_API CUresult cuArrayDestroy(CUarray hArray);
REPRISE_API CUresult cuArray3DCreate(CUarray* pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray);
REPRISE_API CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* pArrayDescriptor, CUarray hArray);
REPRISE_API CUresult cuMipmappedArrayCreate(CUmipmappedArray* pHandle,
                                            const CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
                                            unsigned int numMipmapLevels);
REPRISE_API CUresult cuMipmappedArrayGetLevel(CUarray* pLevelArray, CUmipmappedArray hMipmappedArray,
                                              unsigned int level);
REPRISE_API CUresult cuMipmappedArrayDestroy(CUmipmappedArray hMipmappedArray);
REPRISE_API CUresult cuMemMapArrayAsync(CUarrayMapInfo* mapInfoList, unsigned int count, CUstream hStream);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetArray(CUtexref hTexRef, CUarray hArray, unsigned int Flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetMipmappedArray(CUtexref hTexRef, CUmipmappedArray hMipmappedArray,
                                                                  unsigned int Flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetAddress(size_t* ByteOffset, CUtexref hTexRef, CUdeviceptr dptr,
                                                           size_t bytes);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetAddress2D(CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc,
                                                             CUdeviceptr dptr, size_t Pitch);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetFormat(CUtexref hTexRef, CUarray_format fmt,
                                                          int NumPackedComponents);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetAddressMode(CUtexref hTexRef, int dim, CUaddress_mode am);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetFilterMode(CUtexref hTexRef, CUfilter_mode fm);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetMipmapFilterMode(CUtexref hTexRef, CUfilter_mode fm);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetMipmapLevelBias(CUtexref hTexRef, float bias);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetMipmapLevelClamp(CUtexref hTexRef, float minMipmapLevelClamp,
                                                                    float maxMipmapLevelClamp);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetMaxAnisotropy(CUtexref hTexRef, unsigned int maxAniso);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetBorderColor(CUtexref hTexRef, float* pBorderColor);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefSetFlags(CUtexref hTexRef, unsigned int Flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetAddress(CUdeviceptr* pdptr, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetArray(CUarray* phArray, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetMipmappedArray(CUmipmappedArray* phMipmappedArray, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetAddressMode(CUaddress_mode* pam, CUtexref hTexRef, int dim);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetFilterMode(CUfilter_mode* pfm, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetFormat(CUarray_format* pFormat, int* pNumChannels, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode* pfm, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetMipmapLevelBias(float* pbias, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetMipmapLevelClamp(float* pminMipmapLevelClamp,
                                                                    float* pmaxMipmapLevelClamp, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetMaxAnisotropy(int* pmaxAniso, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetBorderColor(float* pBorderColor, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefGetFlags(unsigned int* pFlags, CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefCreate(CUtexref* pTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuTexRefDestroy(CUtexref hTexRef);
REPRISE_DEPRECATED REPRISE_API CUresult cuSurfRefSetArray(CUsurfref hSurfRef, CUarray hArray, unsigned int Flags);
REPRISE_DEPRECATED REPRISE_API CUresult cuSurfRefGetArray(CUarray* phArray, CUsurfref hSurfRef);
REPRISE_API CUresult cuTexObjectCreate(CUtexObject* pTexObject, const CUDA_RESOURCE_DESC* pResDesc,
                                       const CUDA_TEXTURE_DESC* pTexDesc, const CUDA_RESOURCE_VIEW_DESC* pResViewDesc);
REPRISE_API CUresult cuTexObjectDestroy(CUtexObject texObject);
REPRISE_API CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUtexObject texObject);
REPRISE_API CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* pTexDesc, CUtexObject texObject);
REPRISE_API CUresult cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* pResViewDesc, CUtexObject texObject);
REPRISE_API CUresult cuSurfObjectCreate(CUsurfObject* pSurfObject, const CUDA_RESOURCE_DESC* pResDesc);
REPRISE_API CUresult cuSurfObjectDestroy(CUsurfObject surfObject);
REPRISE_API CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* pResDesc, CUsurfObject surfObject);

REPRISE_END_C

#endif /* REPRISE_DRIVER_ARRAY_H */
