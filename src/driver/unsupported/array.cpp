// Refused calls: arrays, textures and surfaces.
#include "driver/unsupported/unsupported.h"

#define WHY "this device has no arrays, textures or surfaces; use linear or pitched memory"

extern "C" {

UNSUPPORTED(cuDeviceGetTexture1DLinearMaxWidth,
            (size_t* maxWidthInElements, CUarray_format format, unsigned int numChannels, CUdevice dev),
            (maxWidthInElements, format, numChannels, dev))
UNSUPPORTED(cuModuleGetTexRef, (CUtexref * pTexRef, CUmodule hmod, const char* name), (pTexRef, hmod, name))
UNSUPPORTED(cuModuleGetSurfRef, (CUsurfref * pSurfRef, CUmodule hmod, const char* name), (pSurfRef, hmod, name))
UNSUPPORTED(cuArrayCreate, (CUarray * pHandle, const CUDA_ARRAY_DESCRIPTOR* pAllocateArray), (pHandle, pAllocateArray))
UNSUPPORTED(cuArrayGetDescriptor, (CUDA_ARRAY_DESCRIPTOR * pArrayDescriptor, CUarray hArray),
            (pArrayDescriptor, hArray))
UNSUPPORTED(cuArrayGetSparseProperties, (CUDA_ARRAY_SPARSE_PROPERTIES * sparseProperties, CUarray array),
            (sparseProperties, array))
UNSUPPORTED(cuMipmappedArrayGetSparseProperties,
            (CUDA_ARRAY_SPARSE_PROPERTIES * sparseProperties, CUmipmappedArray mipmap), (sparseProperties, mipmap))
UNSUPPORTED(cuArrayGetMemoryRequirements,
            (CUDA_ARRAY_MEMORY_REQUIREMENTS * memoryRequirements, CUarray array, CUdevice device),
            (memoryRequirements, array, device))
UNSUPPORTED(cuMipmappedArrayGetMemoryRequirements,
            (CUDA_ARRAY_MEMORY_REQUIREMENTS * memoryRequirements, CUmipmappedArray mipmap, CUdevice device),
            (memoryRequirements, mipmap, device))
UNSUPPORTED(cuArrayGetPlane, (CUarray * pPlaneArray, CUarray hArray, unsigned int planeIdx),
            (pPlaneArray, hArray, planeIdx))
UNSUPPORTED(cuArrayDestroy, (CUarray hArray), (hArray))
UNSUPPORTED(cuArray3DCreate, (CUarray * pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pAllocateArray),
            (pHandle, pAllocateArray))
UNSUPPORTED(cuArray3DGetDescriptor, (CUDA_ARRAY3D_DESCRIPTOR * pArrayDescriptor, CUarray hArray),
            (pArrayDescriptor, hArray))
UNSUPPORTED(cuMipmappedArrayCreate,
            (CUmipmappedArray * pHandle, const CUDA_ARRAY3D_DESCRIPTOR* pMipmappedArrayDesc,
             unsigned int numMipmapLevels),
            (pHandle, pMipmappedArrayDesc, numMipmapLevels))
UNSUPPORTED(cuMipmappedArrayGetLevel, (CUarray * pLevelArray, CUmipmappedArray hMipmappedArray, unsigned int level),
            (pLevelArray, hMipmappedArray, level))
UNSUPPORTED(cuMipmappedArrayDestroy, (CUmipmappedArray hMipmappedArray), (hMipmappedArray))
UNSUPPORTED_PTSZ(cuMemMapArrayAsync, (CUarrayMapInfo * mapInfoList, unsigned int count, CUstream hStream),
                 (mapInfoList, count, hStream))
UNSUPPORTED(cuTexRefSetArray, (CUtexref hTexRef, CUarray hArray, unsigned int Flags), (hTexRef, hArray, Flags))
UNSUPPORTED(cuTexRefSetMipmappedArray, (CUtexref hTexRef, CUmipmappedArray hMipmappedArray, unsigned int Flags),
            (hTexRef, hMipmappedArray, Flags))
UNSUPPORTED(cuTexRefSetAddress, (size_t* ByteOffset, CUtexref hTexRef, CUdeviceptr dptr, size_t bytes),
            (ByteOffset, hTexRef, dptr, bytes))
UNSUPPORTED(cuTexRefSetAddress2D, (CUtexref hTexRef, const CUDA_ARRAY_DESCRIPTOR* desc, CUdeviceptr dptr, size_t Pitch),
            (hTexRef, desc, dptr, Pitch))
UNSUPPORTED(cuTexRefSetFormat, (CUtexref hTexRef, CUarray_format fmt, int NumPackedComponents),
            (hTexRef, fmt, NumPackedComponents))
UNSUPPORTED(cuTexRefSetAddressMode, (CUtexref hTexRef, int dim, CUaddress_mode am), (hTexRef, dim, am))
UNSUPPORTED(cuTexRefSetFilterMode, (CUtexref hTexRef, CUfilter_mode fm), (hTexRef, fm))
UNSUPPORTED(cuTexRefSetMipmapFilterMode, (CUtexref hTexRef, CUfilter_mode fm), (hTexRef, fm))
UNSUPPORTED(cuTexRefSetMipmapLevelBias, (CUtexref hTexRef, float bias), (hTexRef, bias))
UNSUPPORTED(cuTexRefSetMipmapLevelClamp, (CUtexref hTexRef, float minMipmapLevelClamp, float maxMipmapLevelClamp),
            (hTexRef, minMipmapLevelClamp, maxMipmapLevelClamp))
UNSUPPORTED(cuTexRefSetMaxAnisotropy, (CUtexref hTexRef, unsigned int maxAniso), (hTexRef, maxAniso))
UNSUPPORTED(cuTexRefSetBorderColor, (CUtexref hTexRef, float* pBorderColor), (hTexRef, pBorderColor))
UNSUPPORTED(cuTexRefSetFlags, (CUtexref hTexRef, unsigned int Flags), (hTexRef, Flags))
UNSUPPORTED(cuTexRefGetAddress, (CUdeviceptr * pdptr, CUtexref hTexRef), (pdptr, hTexRef))
UNSUPPORTED(cuTexRefGetArray, (CUarray * phArray, CUtexref hTexRef), (phArray, hTexRef))
UNSUPPORTED(cuTexRefGetMipmappedArray, (CUmipmappedArray * phMipmappedArray, CUtexref hTexRef),
            (phMipmappedArray, hTexRef))
UNSUPPORTED(cuTexRefGetAddressMode, (CUaddress_mode * pam, CUtexref hTexRef, int dim), (pam, hTexRef, dim))
UNSUPPORTED(cuTexRefGetFilterMode, (CUfilter_mode * pfm, CUtexref hTexRef), (pfm, hTexRef))
UNSUPPORTED(cuTexRefGetFormat, (CUarray_format * pFormat, int* pNumChannels, CUtexref hTexRef),
            (pFormat, pNumChannels, hTexRef))
UNSUPPORTED(cuTexRefGetMipmapFilterMode, (CUfilter_mode * pfm, CUtexref hTexRef), (pfm, hTexRef))
UNSUPPORTED(cuTexRefGetMipmapLevelBias, (float* pbias, CUtexref hTexRef), (pbias, hTexRef))
UNSUPPORTED(cuTexRefGetMipmapLevelClamp, (float* pminMipmapLevelClamp, float* pmaxMipmapLevelClamp, CUtexref hTexRef),
            (pminMipmapLevelClamp, pmaxMipmapLevelClamp, hTexRef))
UNSUPPORTED(cuTexRefGetMaxAnisotropy, (int* pmaxAniso, CUtexref hTexRef), (pmaxAniso, hTexRef))
UNSUPPORTED(cuTexRefGetBorderColor, (float* pBorderColor, CUtexref hTexRef), (pBorderColor, hTexRef))
UNSUPPORTED(cuTexRefGetFlags, (unsigned int* pFlags, CUtexref hTexRef), (pFlags, hTexRef))
UNSUPPORTED(cuTexRefCreate, (CUtexref * pTexRef), (pTexRef))
UNSUPPORTED(cuTexRefDestroy, (CUtexref hTexRef), (hTexRef))
UNSUPPORTED(cuSurfRefSetArray, (CUsurfref hSurfRef, CUarray hArray, unsigned int Flags), (hSurfRef, hArray, Flags))
UNSUPPORTED(cuSurfRefGetArray, (CUarray * phArray, CUsurfref hSurfRef), (phArray, hSurfRef))
UNSUPPORTED(cuTexObjectCreate,
            (CUtexObject * pTexObject, const CUDA_RESOURCE_DESC* pResDesc, const CUDA_TEXTURE_DESC* pTexDesc,
             const CUDA_RESOURCE_VIEW_DESC* pResViewDesc),
            (pTexObject, pResDesc, pTexDesc, pResViewDesc))
UNSUPPORTED(cuTexObjectDestroy, (CUtexObject texObject), (texObject))
UNSUPPORTED(cuTexObjectGetResourceDesc, (CUDA_RESOURCE_DESC * pResDesc, CUtexObject texObject), (pResDesc, texObject))
UNSUPPORTED(cuTexObjectGetTextureDesc, (CUDA_TEXTURE_DESC * pTexDesc, CUtexObject texObject), (pTexDesc, texObject))
UNSUPPORTED(cuTexObjectGetResourceViewDesc, (CUDA_RESOURCE_VIEW_DESC * pResViewDesc, CUtexObject texObject),
            (pResViewDesc, texObject))
UNSUPPORTED(cuSurfObjectCreate, (CUsurfObject * pSurfObject, const CUDA_RESOURCE_DESC* pResDesc),
            (pSurfObject, pResDesc))
UNSUPPORTED(cuSurfObjectDestroy, (CUsurfObject surfObject), (surfObject))
UNSUPPORTED(cuSurfObjectGetResourceDesc, (CUDA_RESOURCE_DESC * pResDesc, CUsurfObject surfObject),
            (pResDesc, surfObject))
UNSUPPORTED_PTDS(cuMemcpyDtoA, (CUarray dstArray, size_t dstOffset, CUdeviceptr srcDevice, size_t ByteCount),
                 (dstArray, dstOffset, srcDevice, ByteCount))
UNSUPPORTED_PTDS(cuMemcpyAtoD, (CUdeviceptr dstDevice, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                 (dstDevice, srcArray, srcOffset, ByteCount))
UNSUPPORTED_PTDS(cuMemcpyHtoA, (CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount),
                 (dstArray, dstOffset, srcHost, ByteCount))
UNSUPPORTED_PTDS(cuMemcpyAtoH, (void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                 (dstHost, srcArray, srcOffset, ByteCount))
UNSUPPORTED_PTDS(cuMemcpyAtoA,
                 (CUarray dstArray, size_t dstOffset, CUarray srcArray, size_t srcOffset, size_t ByteCount),
                 (dstArray, dstOffset, srcArray, srcOffset, ByteCount))
UNSUPPORTED_PTSZ(cuMemcpyHtoAAsync,
                 (CUarray dstArray, size_t dstOffset, const void* srcHost, size_t ByteCount, CUstream hStream),
                 (dstArray, dstOffset, srcHost, ByteCount, hStream))
UNSUPPORTED_PTSZ(cuMemcpyAtoHAsync,
                 (void* dstHost, CUarray srcArray, size_t srcOffset, size_t ByteCount, CUstream hStream),
                 (dstHost, srcArray, srcOffset, ByteCount, hStream))
}
