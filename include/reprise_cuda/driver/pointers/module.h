/* Types of pointers to calls by version: modules, libraries, functions and kernels. */
#ifndef REPRISE_DRIVER_POINTERS_MODULE_H
#define REPRISE_DRIVER_POINTERS_MODULE_H

#include <cuda.h>

typedef CUresult (*PFN_cuModuleLoad_v2000)(CUmodule*, const char*);
typedef CUresult (*PFN_cuModuleLoadData_v2000)(CUmodule*, const void*);
typedef CUresult (*PFN_cuModuleLoadDataEx_v2010)(CUmodule*, const void*, unsigned int, CUjit_option*, void**);
typedef CUresult (*PFN_cuModuleLoadFatBinary_v2000)(CUmodule*, const void*);
typedef CUresult (*PFN_cuModuleUnload_v2000)(CUmodule);
typedef CUresult (*PFN_cuModuleGetFunction_v2000)(CUfunction*, CUmodule, const char*);
typedef CUresult (*PFN_cuModuleGetGlobal_v3020)(CUdeviceptr_v2*, size_t*, CUmodule, const char*);
typedef CUresult (*PFN_cuModuleGetFunctionCount_v12040)(unsigned int*, CUmodule);
typedef CUresult (*PFN_cuModuleEnumerateFunctions_v12040)(CUfunction*, unsigned int, CUmodule);
typedef CUresult (*PFN_cuLinkCreate_v6050)(unsigned int, CUjit_option*, void**, CUlinkState*);
typedef CUresult (*PFN_cuLinkAddData_v6050)(CUlinkState, CUjitInputType, void*, size_t, const char*, unsigned int,
                                            CUjit_option*, void**);
typedef CUresult (*PFN_cuLinkAddFile_v6050)(CUlinkState, CUjitInputType, const char*, unsigned int, CUjit_option*,
                                            void**);
typedef CUresult (*PFN_cuLinkComplete_v5050)(CUlinkState, void**, size_t*);
typedef CUresult (*PFN_cuLinkDestroy_v5050)(CUlinkState);
typedef CUresult (*PFN_cuFuncGetAttribute_v2020)(int*, CUfunction_attribute, CUfunction);
typedef CUresult (*PFN_cuFuncSetAttribute_v9000)(CUfunction, CUfunction_attribute, int);
typedef CUresult (*PFN_cuFuncSetCacheConfig_v3000)(CUfunction, CUfunc_cache);
typedef CUresult (*PFN_cuFuncSetSharedMemConfig_v4020)(CUfunction, CUsharedconfig);
typedef CUresult (*PFN_cuFuncGetName_v12030)(const char**, CUfunction);
typedef CUresult (*PFN_cuFuncGetParamInfo_v12040)(CUfunction, size_t, size_t*, size_t*);
typedef CUresult (*PFN_cuFuncIsLoaded_v12040)(CUfunctionLoadingState*, CUfunction);
typedef CUresult (*PFN_cuFuncLoad_v12040)(CUfunction);
typedef CUresult (*PFN_cuFuncSetBlockShape_v2000)(CUfunction, int, int, int);
typedef CUresult (*PFN_cuFuncSetSharedSize_v2000)(CUfunction, unsigned int);
typedef CUresult (*PFN_cuFuncGetModule_v11000)(CUmodule*, CUfunction);
typedef CUresult (*PFN_cuModuleGetLoadingMode_v11070)(CUmoduleLoadingMode*);
typedef CUresult (*PFN_cuLibraryLoadData_v12000)(CUlibrary*, const void*, CUjit_option*, void**, unsigned int,
                                                 CUlibraryOption*, void**, unsigned int);
typedef CUresult (*PFN_cuLibraryLoadFromFile_v12000)(CUlibrary*, const char*, CUjit_option*, void**, unsigned int,
                                                     CUlibraryOption*, void**, unsigned int);
typedef CUresult (*PFN_cuLibraryUnload_v12000)(CUlibrary);
typedef CUresult (*PFN_cuLibraryGetKernel_v12000)(CUkernel*, CUlibrary, const char*);
typedef CUresult (*PFN_cuLibraryGetModule_v12000)(CUmodule*, CUlibrary);
typedef CUresult (*PFN_cuLibraryGetKernelCount_v12040)(unsigned int*, CUlibrary);
typedef CUresult (*PFN_cuLibraryEnumerateKernels_v12040)(CUkernel*, unsigned int, CUlibrary);
typedef CUresult (*PFN_cuKernelGetFunction_v12000)(CUfunction*, CUkernel);
typedef CUresult (*PFN_cuKernelGetLibrary_v12050)(CUlibrary*, CUkernel);
typedef CUresult (*PFN_cuLibraryGetGlobal_v12000)(CUdeviceptr*, size_t*, CUlibrary, const char*);
typedef CUresult (*PFN_cuLibraryGetManaged_v12000)(CUdeviceptr*, size_t*, CUlibrary, const char*);
typedef CUresult (*PFN_cuKernelGetAttribute_v12000)(int*, CUfunction_attribute, CUkernel, CUdevice);
typedef CUresult (*PFN_cuKernelSetAttribute_v12000)(CUfunction_attribute, int, CUkernel, CUdevice);
typedef CUresult (*PFN_cuKernelSetCacheConfig_v12000)(CUkernel, CUfunc_cache, CUdevice);
typedef CUresult (*PFN_cuKernelGetName_v12030)(const char**, CUkernel);
typedef CUresult (*PFN_cuKernelGetParamInfo_v12040)(CUkernel, size_t, size_t*, size_t*);
typedef CUresult (*PFN_cuLibraryGetUnifiedFunction_v12000)(void**, CUlibrary, const char*);

#endif /* REPRISE_DRIVER_POINTERS_MODULE_H */
