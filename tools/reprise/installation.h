// The installation that this tool is part of. The layout is that of reprise-nvcc (compiler/driver/toolchain.h).
#pragma once

#include <filesystem>
#include <string>

namespace reprise_tool {

struct Installation {
  std::filesystem::path prefix;
  std::filesystem::path nvcc, device_compiler;
  std::filesystem::path libraries, runtime;  // the folder, and libreprise.so
  std::filesystem::path headers, cuda_home;
  std::filesystem::path data;  // share/reprise
  std::filesystem::path cccl;  // Thrust, CUB and libcu++; empty if not installed
};

Installation find_installation();

// Returns the program's path as a shell would find it; empty if it is not found.
std::string find_program(const std::string& name);

}  // namespace reprise_tool
