// Refused calls: images: cubins, PTX and what is linked from them.
#include "driver/unsupported/unsupported.h"

#define WHY "loading images is not supported; compile the kernels into the program"

extern "C" {

UNSUPPORTED(cuModuleLoad, (CUmodule * module, const char* fname), (module, fname))
UNSUPPORTED(cuModuleLoadData, (CUmodule * module, const void* image), (module, image))
UNSUPPORTED(cuModuleLoadDataEx,
            (CUmodule * module, const void* image, unsigned int numOptions, CUjit_option* options, void** optionValues),
            (module, image, numOptions, options, optionValues))
UNSUPPORTED(cuModuleLoadFatBinary, (CUmodule * module, const void* fatCubin), (module, fatCubin))
UNSUPPORTED(cuModuleUnload, (CUmodule hmod), (hmod))
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
UNSUPPORTED(cuLibraryLoadData,
            (CUlibrary * library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
             unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
             unsigned int numLibraryOptions),
            (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
             numLibraryOptions))
UNSUPPORTED(cuLibraryLoadFromFile,
            (CUlibrary * library, const char* fileName, CUjit_option* jitOptions, void** jitOptionsValues,
             unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
             unsigned int numLibraryOptions),
            (library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
             numLibraryOptions))
UNSUPPORTED(cuLibraryUnload, (CUlibrary library), (library))
UNSUPPORTED(cuLibraryGetUnifiedFunction, (void** fptr, CUlibrary library, const char* symbol), (fptr, library, symbol))
}
