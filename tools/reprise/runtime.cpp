#include "runtime.h"

#include <dlfcn.h>

#include "subcommands.h"

namespace reprise_tool {

template <class Function>
Function* Runtime::function(const char* name) const {
  void* found = dlsym(library_, name);
  if (!found) throw Failure(std::string("the runtime has no function ") + name + ": " + dlerror());
  return reinterpret_cast<Function*>(found);
}

Runtime::Runtime(const std::filesystem::path& library) : library_(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
  if (!library_) throw Failure(std::string("the runtime cannot be loaded: ") + dlerror());
  error_name_ = function<decltype(cudaGetErrorName)>("cudaGetErrorName");
  error_text_ = function<decltype(cudaGetErrorString)>("cudaGetErrorString");
}

int Runtime::cuda_version() const {
  int version = 0;
  function<decltype(cudaRuntimeGetVersion)>("cudaRuntimeGetVersion")(&version);
  return version;
}

int Runtime::device_count() const {
  int count = 0;
  function<decltype(cudaGetDeviceCount)>("cudaGetDeviceCount")(&count);
  return count;
}

cudaDeviceProp Runtime::properties(int device) const {
  cudaDeviceProp properties{};
  function<decltype(cudaGetDeviceProperties)>("cudaGetDeviceProperties")(&properties, device);
  return properties;
}

}  // namespace reprise_tool
