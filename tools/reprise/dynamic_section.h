// The shared libraries that a program needs, and the paths where it looks for them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace reprise_tool {

struct DynamicSection {
  std::vector<std::string> needed;                  // names of libraries
  std::vector<std::filesystem::path> search_paths;  // RPATH and RUNPATH, with $ORIGIN replaced
};

// Empty for anything but a 64-bit ELF file with a dynamic section.
DynamicSection read_dynamic_section(const std::filesystem::path& program);

// Whether the program needs libreprise.so and has no search path with one.
bool lacks_runtime(const std::filesystem::path& program);

}  // namespace reprise_tool
