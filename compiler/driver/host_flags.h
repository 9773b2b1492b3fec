// What users give the host compiler behind -Xcompiler also concerns the device pass and the link, in part.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

// Those that change what the source means or which warnings it gets, and not how code for the host is made:
// both passes must read the same declarations.
std::vector<std::string> flags_for_device_pass(const std::vector<std::string>& host_flags);

// Those the compiler needs again when it links: -fopenmp, -fsanitize=, -pthread, -Wl, ...
std::vector<std::string> flags_for_linking(const std::vector<std::string>& host_flags);

// -lgomp and its kin. Clang compiles OpenMP for LLVM's runtime, which also has the functions that gcc's code calls;
// beside another one it would not see that one's threads.
bool is_openmp_library(const std::string& flag);

// -lcudart and its kin, which the driver links by itself.
bool is_runtime_library(const std::string& flag);

}  // namespace reprise_compiler::driver
