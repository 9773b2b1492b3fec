// Selects the host compiler's flags (-Xcompiler) that the device pass and the link step need too.
#pragma once

#include <string>
#include <vector>

namespace reprise_compiler::driver {

// Returns the flags that affect the meaning of the source or its warnings, but not those for generating host code.
// Both passes must see the same declarations.
std::vector<std::string> flags_for_device_pass(const std::vector<std::string>& host_flags);

// Returns the flags that the compiler needs again for linking: -fopenmp, -fsanitize=, -pthread, -Wl, ...
std::vector<std::string> flags_for_linking(const std::vector<std::string>& host_flags);

// -lgomp and the like. Clang compiles OpenMP for LLVM's runtime, which also implements the functions that gcc's code
// calls. Two OpenMP runtimes in one process would not know of each other's threads.
bool is_openmp_library(const std::string& flag);

// -lcudart and the like: libraries that the driver links itself or that are not needed.
bool is_runtime_library(const std::string& flag);

}  // namespace reprise_compiler::driver
