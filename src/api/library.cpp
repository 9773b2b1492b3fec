// Libraries of kernels loaded at run time. CUDA looks at the code only when something of it is asked for; what can be
// loaded is NVIDIA's code, so that is where it ends here: see unsupported_library.cpp.
#include "api/library.h"

#include <unistd.h>

#include "api/entry.h"
#include "base/handle_table.h"
#include "diagnose/refuse.h"

using namespace reprise_runtime;
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
  return refuse(cudaErrorInvalidResourceHandle, "there is no such library");
}

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**, unsigned int,
                                cudaLibraryOption*, void**, unsigned int) {
  return entry([&] { return library && code ? load(library) : refuse(cudaErrorInvalidValue, "no code, or no place"); });
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, cudaJitOption*, void**, unsigned int,
                                    cudaLibraryOption*, void**, unsigned int) {
  return entry([&] {
    if (!library || !fileName) return refuse(cudaErrorInvalidValue, "no file, or no place for the library");
    if (access(fileName, R_OK) != 0) return refuse(cudaErrorFileNotFound, "%s cannot be read", fileName);
    return load(library);
  });
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return entry([&] {
    return libraries().erase(Handle::from(library))
               ? cudaSuccess
               : refuse(cudaErrorInvalidResourceHandle, "there is no such library");
  });
}
}
