// Libraries of kernels loaded at run time. Loading succeeds, as CUDA looks at the code only when a kernel or a variable
// of it is requested. Those requests fail here, since the code is for NVIDIA's devices: see unsupported_library.cpp.
#include "api/kernel/library.h"

#include <unistd.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"
#include "base/handle_table.h"
#include "diagnose/refuse.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using diagnose::refuse;

namespace {

class Library : public Handled<Library> {
 public:
  static constexpr HandleType handle_type = HandleType::library;
};

HandleTable<Library>& libraries() { return HandleTable<Library>::instance(); }

cudaError_t load(cudaLibrary_t* out) {
  Ref<Library> library = libraries().create();
  if (!library) return cudaErrorMemoryAllocation;
  *out = library->handle().as<cudaLibrary_t>();
  return cudaSuccess;
}

}  // namespace

cudaError_t api::check_library(cudaLibrary_t handle) {
  if (libraries().find(Handle::from(handle))) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not a library", static_cast<void*>(handle));
}

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption* jitOptions,
                                void** jitOptionsValues, unsigned int numJitOptions, cudaLibraryOption* libraryOptions,
                                void** libraryOptionValues, unsigned int numLibraryOptions) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(library); status != cudaSuccess) return status;
        return code ? load(library) : refuse(cudaErrorInvalidValue, "the code is null");
      },
      ARGUMENTS(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                numLibraryOptions));
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, cudaJitOption* jitOptions,
                                    void** jitOptionsValues, unsigned int numJitOptions,
                                    cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                    unsigned int numLibraryOptions) {
  return entry(
      [&] {
        if (cudaError_t status = check_output(library); status != cudaSuccess) return status;
        if (!fileName) return refuse(cudaErrorInvalidValue, "the file name is null");
        if (access(fileName, R_OK) != 0) return refuse(cudaErrorFileNotFound, "%s cannot be read", fileName);
        return load(library);
      },
      ARGUMENTS(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues,
                numLibraryOptions));
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return entry(
      [&] {
        return libraries().erase(Handle::from(library))
                   ? cudaSuccess
                   : refuse(cudaErrorInvalidResourceHandle, "%p is not a library", static_cast<void*>(library));
      },
      ARGUMENTS(library));
}
}
