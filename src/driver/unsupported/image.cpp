// Refused calls: images: cubins, PTX and what is linked from them.
#include <unistd.h>

#include "api/entry/arguments.h"
#include "driver/kernel/module.h"
#include "driver/unsupported/unsupported.h"

#define WHY "loading images is not supported; compile the kernels into the program"

using namespace reprise_runtime;

namespace {

cudaError_t check_image(const void* out, const void* image) {
  if (cudaError_t status = api::check_output(out); status != cudaSuccess) return status;
  return image ? cudaSuccess : diagnose::refuse(cudaErrorInvalidValue, "the image is null");
}

cudaError_t check_file(const void* out, const char* path) {
  if (cudaError_t status = check_image(out, path); status != cudaSuccess) return status;
  return access(path, R_OK) == 0 ? cudaSuccess : diagnose::refuse(cudaErrorFileNotFound, "%s cannot be read", path);
}

// Modules that the program was compiled with stay.
cudaError_t check_unload(const void* handle) {
  if (driver::Module::find(handle)) {
    return diagnose::refuse(cudaErrorNotPermitted, "the program was compiled with the module or library");
  }
  return diagnose::refuse(cudaErrorInvalidResourceHandle, "%p is not a module or library", handle);
}

}  // namespace

extern "C" {

UNSUPPORTED_AFTER(cuModuleLoad, (CUmodule * module, const char* fname), (module, fname), check_file(module, fname))
UNSUPPORTED_AFTER(cuModuleLoadData, (CUmodule * module, const void* image), (module, image), check_image(module, image))
UNSUPPORTED_AFTER(cuModuleLoadDataEx,
                  (CUmodule * module, const void* image, unsigned int numOptions, CUjit_option* options,
                   void** optionValues),
                  (module, image, numOptions, options, optionValues), check_image(module, image))
UNSUPPORTED_AFTER(cuModuleLoadFatBinary, (CUmodule * module, const void* fatCubin), (module, fatCubin),
                  check_image(module, fatCubin))
UNSUPPORTED_AFTER(cuModuleUnload, (CUmodule hmod), (hmod), check_unload(hmod))
UNSUPPORTED(cuLinkCreate, (unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut),
            (numOptions, options, optionValues, stateOut))
UNSUPPORTED(cuLinkAddData,
            (CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name, unsigned int numOptions,
             CUjit_option* options, void** optionValues),
            (state, type, data, size, name, numOptions, options, optionValues))
UNSUPPORTED(cuLinkAddFile,
            (CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions, CUjit_option* options,
             void** optionValues),
            (state, type, path, numOptions, options, optionValues))
UNSUPPORTED(cuLinkComplete, (CUlinkState state, void** cubinOut, size_t* sizeOut), (state, cubinOut, sizeOut))
UNSUPPORTED(cuLinkDestroy, (CUlinkState state), (state))
UNSUPPORTED_AFTER(cuLibraryLoadData,
                  (CUlibrary * library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
                   unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
                   unsigned int numLibraryOptions),
                  (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                   numLibraryOptions),
                  check_image(library, code))
UNSUPPORTED_AFTER(cuLibraryLoadFromFile,
                  (CUlibrary * library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues,
                   unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
                   unsigned int numLibraryOptions),
                  (library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                   numLibraryOptions),
                  check_file(library, fileName))
UNSUPPORTED_AFTER(cuLibraryUnload, (CUlibrary library), (library), check_unload(library))
UNSUPPORTED(cuLibraryGetUnifiedFunction, (void** fptr, CUlibrary library, const char* symbol), (fptr, library, symbol))
}
