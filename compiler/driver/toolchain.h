// Where things are: our own headers, libraries and tools beside this program, clang in the system.
#pragma once

#include <filesystem>
#include <string>

#include "options.h"

namespace reprise_compiler::driver {

// The layout is the same in a build tree and where it is installed: PREFIX/bin, PREFIX/lib,
// PREFIX/include/reprise.
struct Toolchain {
  std::filesystem::path prefix;
  std::filesystem::path headers;
  std::filesystem::path cccl;  // Thrust, CUB and NVIDIA's libcu++; empty where set-up could not download them
  std::filesystem::path libraries;
  std::filesystem::path toolkit;  // a directory laid out like a CUDA toolkit, for what asks where one is
  std::string clang;              // C++; also compiles C
  std::string device_compiler;
  std::filesystem::path openmp;  // LLVM's libomp.so; what clang -fopenmp links
  std::string host_compiler;     // for .c and .cpp files and linking: clang, or what -ccbin says
};

// Throws UsageError that says what is missing and how to get it. A dry run needs nothing but itself.
Toolchain find_toolchain(const Options& options);

}  // namespace reprise_compiler::driver
