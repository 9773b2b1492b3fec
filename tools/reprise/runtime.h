// The runtime library of the installation, loaded with dlopen by commands that need it.
#pragma once

#include <cuda_runtime_api.h>

#include <filesystem>
#include <string>

namespace reprise_tool {

class Runtime {
 public:
  // Throws Failure with the loader's message if the library cannot be loaded.
  explicit Runtime(const std::filesystem::path& library);

  const char* error_name(cudaError_t error) const { return error_name_(error); }
  const char* error_text(cudaError_t error) const { return error_text_(error); }
  int cuda_version() const;
  int device_count() const;
  cudaDeviceProp properties(int device) const;

 private:
  template <class Function>
  Function* function(const char* name) const;

  void* library_;
  decltype(&cudaGetErrorName) error_name_;
  decltype(&cudaGetErrorString) error_text_;
};

}  // namespace reprise_tool
