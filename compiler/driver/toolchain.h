// Finds our headers, libraries and tools, relative to this program, and clang in the system.
#pragma once

#include <filesystem>
#include <string>

#include "options.h"

namespace reprise_compiler::driver {

// A build tree and an installation have the same layout: PREFIX/bin, PREFIX/lib, PREFIX/include/reprise.
struct Toolchain {
  std::filesystem::path prefix;
  std::filesystem::path headers;
  std::filesystem::path cccl;  // Thrust, CUB and NVIDIA's libcu++; empty if the build could not download them
  std::filesystem::path libraries;
  std::filesystem::path toolkit;  // directory laid out like a CUDA toolkit, for build systems that look for one
  std::string clang;              // clang++; also compiles C
  std::string device_compiler;
  std::filesystem::path openmp;  // LLVM's libomp.so, which clang -fopenmp links
  std::string host_compiler;     // for .c and .cpp files and linking: clang, or the value of -ccbin
};

// Throws UsageError that names the missing program and how to get it.
Toolchain find_toolchain(const Options& options);

}  // namespace reprise_compiler::driver
