/* Types of pointers to calls by version: arrays, textures and surfaces. */
#ifndef REPRISE_DRIVER_POINTERS_ARRAY_H
#define REPRISE_DRIVER_POINTERS_ARRAY_H

#include <cuda.h>

typedef CUresult (*PFN_cuDeviceGetTexture1DLinearMaxWidth_v11010)(size_t*, CUarray_format, unsigned int, CUdevice_v1);
typedef CUresult (*PFN_cuModuleGetTexRef_v2000)(CUtexref*, CUmodule, const char*);
typedef CUresult (*PFN_cuModuleGetSurfRef_v3000)(CUsurfref*, CUmodule, const char*);
typedef CUresult (*PFN_cuArrayCreate_v3020)(CUarray*, const CUDA_ARRAY_DESCRIPTOR_v2*);
typedef CUresult (*PFN_cuArrayGetDescriptor_v3020)(CUDA_ARRAY_DESCRIPTOR_v2*, CUarray);
typedef CUresult (*PFN_cuArrayGetSparseProperties_v11010)(CUDA_ARRAY_SPARSE_PROPERTIES_v1*, CUarray);
typedef CUresult (*PFN_cuMipmappedArrayGetSparseProperties_v11010)(CUDA_ARRAY_SPARSE_PROPERTIES_v1*, CUmipmappedArray);
typedef CUresult (*PFN_cuArrayGetMemoryRequirements_v11060)(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1*, CUarray, CUdevice);
typedef CUresult (*PFN_cuMipmappedArrayGetMemoryRequirements_v11060)(CUDA_ARRAY_MEMORY_REQUIREMENTS_v1*,
                                                                     CUmipmappedArray, CUdevice);
typedef CUresult (*PFN_cuArrayGetPlane_v11020)(CUarray*, CUarray, unsigned int);
typedef CUresult (*PFN_cuArrayDestroy_v2000)(CUarray);
typedef CUresult (*PFN_cuArray3DCreate_v3020)(CUarray*, const CUDA_ARRAY3D_DESCRIPTOR_v2*);
typedef CUresult (*PFN_cuArray3DGetDescriptor_v3020)(CUDA_ARRAY3D_DESCRIPTOR_v2*, CUarray);
typedef CUresult (*PFN_cuMipmappedArrayCreate_v5000)(CUmipmappedArray*, const CUDA_ARRAY3D_DESCRIPTOR_v2*,
                                                     unsigned int);
typedef CUresult (*PFN_cuMipmappedArrayGetLevel_v5000)(CUarray*, CUmipmappedArray, unsigned int);
typedef CUresult (*PFN_cuMipmappedArrayDestroy_v5000)(CUmipmappedArray);
typedef CUresult (*PFN_cuMemMapArrayAsync_v11010_ptsz)(CUarrayMapInfo_v1*, unsigned int, CUstream);
typedef CUresult (*PFN_cuTexRefSetArray_v2000)(CUtexref, CUarray, unsigned int);
typedef CUresult (*PFN_cuTexRefSetMipmappedArray_v5000)(CUtexref, CUmipmappedArray, unsigned int);
typedef CUresult (*PFN_cuTexRefSetAddress_v3020)(size_t*, CUtexref, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuTexRefSetAddress2D_v4010)(CUtexref, const CUDA_ARRAY_DESCRIPTOR_v2*, CUdeviceptr_v2, size_t);
typedef CUresult (*PFN_cuTexRefSetFormat_v2000)(CUtexref, CUarray_format, int);
typedef CUresult (*PFN_cuTexRefSetAddressMode_v2000)(CUtexref, int, CUaddress_mode);
typedef CUresult (*PFN_cuTexRefSetFilterMode_v2000)(CUtexref, CUfilter_mode);
typedef CUresult (*PFN_cuTexRefSetMipmapFilterMode_v5000)(CUtexref, CUfilter_mode);
typedef CUresult (*PFN_cuTexRefSetMipmapLevelBias_v5000)(CUtexref, float);
typedef CUresult (*PFN_cuTexRefSetMipmapLevelClamp_v5000)(CUtexref, float, float);
typedef CUresult (*PFN_cuTexRefSetMaxAnisotropy_v5000)(CUtexref, unsigned int);
typedef CUresult (*PFN_cuTexRefSetBorderColor_v8000)(CUtexref, float*);
typedef CUresult (*PFN_cuTexRefSetFlags_v2000)(CUtexref, unsigned int);
typedef CUresult (*PFN_cuTexRefGetAddress_v3020)(CUdeviceptr_v2*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetArray_v2000)(CUarray*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmappedArray_v5000)(CUmipmappedArray*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetAddressMode_v2000)(CUaddress_mode*, CUtexref, int);
typedef CUresult (*PFN_cuTexRefGetFilterMode_v2000)(CUfilter_mode*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetFormat_v2000)(CUarray_format*, int*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapFilterMode_v5000)(CUfilter_mode*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapLevelBias_v5000)(float*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMipmapLevelClamp_v5000)(float*, float*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetMaxAnisotropy_v5000)(int*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetBorderColor_v8000)(float*, CUtexref);
typedef CUresult (*PFN_cuTexRefGetFlags_v2000)(unsigned int*, CUtexref);
typedef CUresult (*PFN_cuTexRefCreate_v2000)(CUtexref*);
typedef CUresult (*PFN_cuTexRefDestroy_v2000)(CUtexref);
typedef CUresult (*PFN_cuSurfRefSetArray_v3000)(CUsurfref, CUarray, unsigned int);
typedef CUresult (*PFN_cuSurfRefGetArray_v3000)(CUarray*, CUsurfref);
typedef CUresult (*PFN_cuTexObjectCreate_v5000)(CUtexObject_v1*, const CUDA_RESOURCE_DESC_v1*,
                                                const CUDA_TEXTURE_DESC_v1*, const CUDA_RESOURCE_VIEW_DESC_v1*);
typedef CUresult (*PFN_cuTexObjectDestroy_v5000)(CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetResourceDesc_v5000)(CUDA_RESOURCE_DESC_v1*, CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetTextureDesc_v5000)(CUDA_TEXTURE_DESC_v1*, CUtexObject_v1);
typedef CUresult (*PFN_cuTexObjectGetResourceViewDesc_v5000)(CUDA_RESOURCE_VIEW_DESC_v1*, CUtexObject_v1);
typedef CUresult (*PFN_cuSurfObjectCreate_v5000)(CUsurfObject_v1*, const CUDA_RESOURCE_DESC_v1*);
typedef CUresult (*PFN_cuSurfObjectDestroy_v5000)(CUsurfObject_v1);
typedef CUresult (*PFN_cuSurfObjectGetResourceDesc_v5000)(CUDA_RESOURCE_DESC_v1*, CUsurfObject_v1);
typedef CUresult (*PFN_cuMemMapArrayAsync_v11010)(CUarrayMapInfo_v1*, unsigned int, CUstream);

#endif /* REPRISE_DRIVER_POINTERS_ARRAY_H */
