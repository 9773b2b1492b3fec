// -arch, -code and -gencode. Device code is compiled for the CPU in any case; these options decide the value of
// __CUDA_ARCH__.
#pragma once

#include <string>

#include "options.h"

namespace reprise_compiler::driver {

void add_architecture(Options& options, const std::string& value);  // -arch=sm_90
void add_code(Options& options, const std::string& value);          // -code=sm_90
void add_generate_code(Options& options,
                       const std::string& value);  // -gencode arch=compute_90,code=[sm_90,compute_90]

// Returns __CUDA_ARCH__ / 10: the highest architecture asked for, or nvcc 13's default.
int architecture(const Options& options);
// Returns __CUDA_ARCH_LIST__: every architecture asked for, ascending.
std::string architecture_list(const Options& options);
// --list-gpu-arch, --list-gpu-code
std::string list_architectures(const char* prefix);

}  // namespace reprise_compiler::driver
