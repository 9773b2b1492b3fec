/* Modules, libraries, functions and kernels of the driver API. */
#ifndef REPRISE_DRIVER_MODULE_H
#define REPRISE_DRIVER_MODULE_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuModuleLoad(CUmodule* module, const char* fname);
REPRISE_API CUresult cuModuleLoadData(CUmodule* module, const void* image);
REPRISE_API CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions,
                                        CUjit_option* options, void** optionValues);
REPRISE_API CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin);
REPRISE_API CUresult cuModuleUnload(CUmodule hmod);
REPRISE_API CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode);
REPRISE_API CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name);
REPRISE_API CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod);
REPRISE_API CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod);
REPRISE_API CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name);
REPRISE_API CUresult cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues,
                                  CUlinkState* stateOut);
REPRISE_API CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                                   unsigned int numOptions, CUjit_option* options, void** optionValues);
REPRISE_API CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
                                   CUjit_option* options, void** optionValues);
REPRISE_API CUresult cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut);
REPRISE_API CUresult cuLinkDestroy(CUlinkState state);
REPRISE_API CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions,
                                       void** jitOptionsValues, unsigned int numJitOptions,
                                       CUlibraryOption* libraryOptions, void** libraryOptionValues,
                                       unsigned int numLibraryOptions);
REPRISE_API CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions,
                                           void** jitOptionsValues, unsigned int numJitOptions,
                                           CUlibraryOption* libraryOptions, void** libraryOptionValues,
                                           unsigned int numLibraryOptions);
REPRISE_API CUresult cuLibraryUnload(CUlibrary library);
REPRISE_API CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name);
REPRISE_API CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib);
REPRISE_API CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib);
REPRISE_API CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library);
REPRISE_API CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel);
REPRISE_API CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel);
REPRISE_API CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);
REPRISE_API CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);
REPRISE_API CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary library, const char* symbol);
REPRISE_API CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev);
REPRISE_API CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev);
REPRISE_API CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);
REPRISE_API CUresult cuKernelGetName(const char** name, CUkernel hfunc);
REPRISE_API CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize);
REPRISE_API CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc);
REPRISE_API CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);
REPRISE_API CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
REPRISE_API CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc);
REPRISE_API CUresult cuFuncGetName(const char** name, CUfunction hfunc);
REPRISE_API CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);
REPRISE_API CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function);
REPRISE_API CUresult cuFuncLoad(CUfunction function);
REPRISE_DEPRECATED REPRISE_API CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
REPRISE_DEPRECATED REPRISE_API CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
REPRISE_DEPRECATED REPRISE_API CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);

REPRISE_END_C

#endif /* REPRISE_DRIVER_MODULE_H */
