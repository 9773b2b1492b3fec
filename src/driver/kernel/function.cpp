// Modules, libraries, functions and kernels. A function and a kernel are the same object, as are a module and a
// library.
#include "api/entry/arguments.h"
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "driver/kernel/module.h"

using namespace reprise_runtime;
using diagnose::refuse;
using driver::as_runtime;
using driver::Module;

namespace {

constexpr const char* no_place = "the output pointer is null";

template <class Handle>
Handle handle_of(const kernel::Function& function) {
  return reinterpret_cast<Handle>(const_cast<void*>(kernel::function_handle(function)));
}

// Calls `use(function)` for a CUfunction or CUkernel that is one.
template <class Use>
cudaError_t with_function(const void* handle, Use&& use) {
  const kernel::Function* function = handle ? kernel::find_function(handle) : nullptr;
  if (!function || !function->code()) return refuse(cudaErrorInvalidResourceHandle, "%p is not a function", handle);
  return use(*function);
}

// Calls `use(module)` for a CUmodule or CUlibrary that is one.
template <class Use>
cudaError_t with_module(const void* handle, Use&& use) {
  Module* module = Module::find(handle);
  return module ? use(*module) : refuse(cudaErrorInvalidResourceHandle, "%p is not a module or library", handle);
}

// Stores what `get(function)` gives.
template <class T, class Get>
cudaError_t tell(T* out, const void* handle, Get&& get) {
  if (!out) return refuse(cudaErrorInvalidValue, no_place);
  return with_function(handle, [&](const kernel::Function& function) {
    *out = get(function);
    return cudaSuccess;
  });
}

// The same for a CUfunction, where null is a wrong value, as on an H200.
template <class T, class Get>
cudaError_t tell_of_function(T* out, CUfunction handle, Get&& get) {
  return handle ? tell(out, handle, get) : refuse(cudaErrorInvalidValue, "the function is null");
}

template <class Handle>
cudaError_t find_by_name(Handle* out, const void* module, const char* name) {
  if (!out || !name) return refuse(cudaErrorInvalidValue, "the name or the output pointer is null");
  return with_module(module, [&](Module& found) {
    const kernel::Function* function = found.function(name);
    if (!function) return refuse(cudaErrorSymbolNotFound, "the module has no kernel %s", name);
    *out = handle_of<Handle>(*function);
    return cudaSuccess;
  });
}

cudaError_t count_functions(unsigned* out, const void* module) {
  if (!out) return refuse(cudaErrorInvalidValue, no_place);
  return with_module(module, [&](Module& found) {
    *out = static_cast<unsigned>(found.functions().size());
    return cudaSuccess;
  });
}

template <class Handle>
cudaError_t list_functions(Handle* out, unsigned count, const void* module) {
  if (!out) return refuse(cudaErrorInvalidValue, no_place);
  return with_module(module, [&](Module& found) {
    unsigned stored = 0;
    for (const kernel::Function* each : found.functions()) {
      if (stored == count) break;
      out[stored++] = handle_of<Handle>(*each);
    }
    return cudaSuccess;
  });
}

cudaError_t find_variable(CUdeviceptr* address, size_t* bytes, const void* module, const char* name) {
  if (!name || (!address && !bytes)) return refuse(cudaErrorInvalidValue, "the name or both outputs are null");
  return with_module(module, [&](Module& found) {
    const kernel::Variable* variable = found.variable(name);
    if (!variable || !variable->address()) {
      return refuse(cudaErrorSymbolNotFound, "the module has no variable %s", name);
    }
    if (address) *address = reinterpret_cast<CUdeviceptr>(variable->address());
    if (bytes) *bytes = variable->size();
    return cudaSuccess;
  });
}

cudaError_t find_managed(CUdeviceptr* address, size_t* bytes, const void* library, const char* name) {
  if (!name || (!address && !bytes)) return refuse(cudaErrorInvalidValue, "the name or both outputs are null");
  return with_module(library, [&](Module& found) {
    const reprise_variable* variable = kernel::find_device_variable(found.id(), name);
    if (!variable || !kernel::find_managed_variable(variable->address)) {
      return refuse(cudaErrorSymbolNotFound, "the library has no managed variable %s", name);
    }
    if (address) *address = reinterpret_cast<CUdeviceptr>(variable->address);
    if (bytes) *bytes = variable->size;
    return cudaSuccess;
  });
}

cudaError_t attribute(int* out, CUfunction_attribute which, const void* handle) {
  if (!out) return refuse(cudaErrorInvalidValue, no_place);
  cudaFuncAttributes all;
  if (cudaError_t status = cudaFuncGetAttributes(&all, handle); status != cudaSuccess) return status;
  switch (which) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return *out = all.maxThreadsPerBlock, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return *out = static_cast<int>(all.sharedSizeBytes), cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return *out = static_cast<int>(all.constSizeBytes), cudaSuccess;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return *out = static_cast<int>(all.localSizeBytes), cudaSuccess;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return *out = all.numRegs, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      return *out = all.ptxVersion, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return *out = all.binaryVersion, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
      return *out = all.cacheModeCA, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return *out = all.maxDynamicSharedSizeBytes, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return *out = all.preferredShmemCarveout, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
      return *out = all.clusterDimMustBeSet, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      return *out = all.requiredClusterWidth, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      return *out = all.requiredClusterHeight, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return *out = all.requiredClusterDepth, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return *out = all.nonPortableClusterSizeAllowed, cudaSuccess;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return *out = all.clusterSchedulingPolicyPreference, cudaSuccess;
    default:
      return refuse(cudaErrorInvalidValue, "no attribute has the number %d", static_cast<int>(which));
  }
}

// The settings of a kernel are those of all devices.
template <class Call>
cudaError_t on(CUdevice device, Call&& call) {
  const cudaError_t status = api::check_device(device);
  return status == cudaSuccess ? call() : status;
}

}  // namespace

extern "C" {

CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name) {
  return driver::entry([&] { return find_by_name(hfunc, hmod, name); }, ARGUMENTS(hfunc, hmod, name));
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod) {
  return driver::entry([&] { return count_functions(count, mod); }, ARGUMENTS(count, mod));
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod) {
  return driver::entry([&] { return list_functions(functions, numFunctions, mod); },
                       ARGUMENTS(functions, numFunctions, mod));
}

CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name) {
  return driver::entry([&] { return find_variable(dptr, bytes, hmod, name); }, ARGUMENTS(dptr, bytes, hmod, name));
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return driver::entry_initialised(
      [&] {
        if (!mode) return refuse(cudaErrorInvalidValue, no_place);
        *mode = CU_MODULE_EAGER_LOADING;
        return cudaSuccess;
      },
      ARGUMENTS(mode));
}

CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name) {
  return driver::entry_initialised([&] { return find_by_name(pKernel, library, name); },
                                   ARGUMENTS(pKernel, library, name));
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib) {
  return driver::entry_initialised([&] { return count_functions(count, lib); }, ARGUMENTS(count, lib));
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib) {
  return driver::entry_initialised([&] { return list_functions(kernels, numKernels, lib); },
                                   ARGUMENTS(kernels, numKernels, lib));
}

CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library) {
  return driver::entry(
      [&] {
        return pMod ? with_module(library, [&](Module& found) { return *pMod = found.as_module(), cudaSuccess; })
                    : refuse(cudaErrorInvalidValue, no_place);
      },
      ARGUMENTS(pMod, library));
}

CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  return driver::entry([&] { return find_variable(dptr, bytes, library, name); },
                       ARGUMENTS(dptr, bytes, library, name));
}

CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name) {
  return driver::entry([&] { return find_managed(dptr, bytes, library, name); }, ARGUMENTS(dptr, bytes, library, name));
}

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel) {
  return driver::entry(
      [&] { return tell(pFunc, kernel, [](const auto& function) { return handle_of<CUfunction>(function); }); },
      ARGUMENTS(pFunc, kernel));
}

CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel) {
  return driver::entry_initialised(
      [&] { return tell(pLib, kernel, [](const auto& function) { return Module::of(function).as_library(); }); },
      ARGUMENTS(pLib, kernel));
}

CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev) {
  return driver::entry_initialised([&] { return on(dev, [&] { return attribute(pi, attrib, kernel); }); },
                                   ARGUMENTS(pi, attrib, kernel, dev));
}

CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev) {
  return driver::entry_initialised(
      [&] {
        return on(dev, [&] { return cudaFuncSetAttribute(static_cast<const void*>(kernel), as_runtime(attrib), val); });
      },
      ARGUMENTS(attrib, val, kernel, dev));
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev) {
  return driver::entry_initialised(
      [&] {
        return on(dev, [&] { return cudaFuncSetCacheConfig(static_cast<const void*>(kernel), as_runtime(config)); });
      },
      ARGUMENTS(kernel, config, dev));
}

CUresult cuKernelGetName(const char** name, CUkernel hfunc) {
  return driver::entry_initialised(
      [&] { return tell(name, hfunc, [](const auto& function) { return function.name(); }); }, ARGUMENTS(name, hfunc));
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return driver::entry_initialised(
      [&] { return cudaFuncGetParamInfo(static_cast<const void*>(kernel), paramIndex, paramOffset, paramSize); },
      ARGUMENTS(kernel, paramIndex, paramOffset, paramSize));
}

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc) {
  return driver::entry([&] { return attribute(pi, attrib, hfunc); }, ARGUMENTS(pi, attrib, hfunc));
}

CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value) {
  return driver::entry([&] { return cudaFuncSetAttribute(static_cast<const void*>(hfunc), as_runtime(attrib), value); },
                       ARGUMENTS(hfunc, attrib, value));
}

CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config) {
  return driver::entry([&] { return cudaFuncSetCacheConfig(static_cast<const void*>(hfunc), as_runtime(config)); },
                       ARGUMENTS(hfunc, config));
}

CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config) {
  return driver::entry([&] { return cudaFuncSetSharedMemConfig(static_cast<const void*>(hfunc), as_runtime(config)); },
                       ARGUMENTS(hfunc, config));
}

CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc) {
  return driver::entry(
      [&] {
        return tell_of_function(hmod, hfunc, [](const auto& function) { return Module::of(function).as_module(); });
      },
      ARGUMENTS(hmod, hfunc));
}

CUresult cuFuncGetName(const char** name, CUfunction hfunc) {
  return driver::entry(
      [&] { return tell_of_function(name, hfunc, [](const auto& function) { return function.name(); }); },
      ARGUMENTS(name, hfunc));
}

CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize) {
  return driver::entry(
      [&] { return cudaFuncGetParamInfo(static_cast<const void*>(func), paramIndex, paramOffset, paramSize); },
      ARGUMENTS(func, paramIndex, paramOffset, paramSize));
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function) {
  return driver::entry(
      [&] { return tell(state, function, [](const auto&) { return CU_FUNCTION_LOADING_STATE_LOADED; }); },
      ARGUMENTS(state, function));
}

CUresult cuFuncLoad(CUfunction function) {
  return driver::entry([&] { return with_function(function, [](const kernel::Function&) { return cudaSuccess; }); },
                       ARGUMENTS(function));
}
}
