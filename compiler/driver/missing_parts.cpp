#include "missing_parts.h"

#include <array>
#include <regex>
#include <string_view>

namespace reprise_compiler::driver {
namespace {

struct Library {
  std::string_view header;  // prefix of its headers' names
  std::string_view name;
};

constexpr std::array libraries = {
    Library{"thrust/", "such part of Thrust (its headers are downloaded when Reprise is built)"},
    Library{"cub/", "such part of CUB (its headers are downloaded when Reprise is built)"},
    Library{"cuda/", "such part of libcu++ (docs/language.md lists the parts it has)"},
    Library{"nv/", "such part of libcu++ (docs/language.md lists the parts it has)"},
    Library{"cufft", "cuFFT"},
    Library{"curand", "such part of cuRAND (it has curand_kernel.h)"},
    Library{"cusparse", "cuSPARSE"},
    Library{"cusolver", "cuSOLVER"},
    Library{"cudnn", "cuDNN"},
    Library{"nccl", "NCCL"},
    Library{"npp", "NPP"},
    Library{"nvrtc", "NVRTC"},
    Library{"nvml", "NVML"},
    Library{"cutlass/", "CUTLASS"},
    Library{"cute/", "CUTLASS"},
    Library{"cudaGL.h", "graphics interoperability"},
    Library{"cuda_gl_interop.h", "graphics interoperability"},
};

}  // namespace

std::string note_on_missing_header(const std::string& message_line) {
  static const std::regex missing("(.*): fatal error: '([^']+)' file not found");
  std::smatch found;
  if (!std::regex_match(message_line, found, missing)) return "";
  const std::string header = found[2];
  if (header == "omp.h")
    return found[1].str() + ": note: clang compiles OpenMP in .cu files; install the package libomp-19-dev\n";
  for (const Library& library : libraries)
    if (header.starts_with(library.header))
      return found[1].str() + ": note: Reprise has no " + std::string(library.name) +
             "; it has the CUDA runtime, cooperative groups, Thrust, CUB, libcu++, cuBLAS and parts of cuRAND\n";
  return "";
}

std::string note_on_nested_launch(const std::string& message_line) {
  static const std::regex nested(
      "(.*): error: reference to __global__ function '[^']*' in __(global|device|host__ __device)__ function");
  std::smatch found;
  if (!std::regex_match(message_line, found, nested)) return "";
  return found[1].str() +
         ": note: the CPU device does not support launching kernels from kernels (dynamic parallelism)\n";
}

}  // namespace reprise_compiler::driver
