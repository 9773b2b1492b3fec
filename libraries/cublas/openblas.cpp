// Settings for OpenBLAS. It reads them from the environment when it starts; in this library the linker replaces its
// getenv by __wrap_getenv (see CMakeLists.txt).
#include <cstdlib>
#include <cstring>

extern "C" char* __real_getenv(const char* name);
extern "C" char* __wrap_getenv(const char* name);

namespace {

// For a processor that is newer than OpenBLAS, it would select its oldest and slowest kernels (five times slower or
// more). So the kernels are selected by the features of the processor instead of its name.
const char* core_of_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return nullptr;
  return __builtin_cpu_is("amd") ? "Zen" : "Haswell";
}

}  // namespace

char* __wrap_getenv(const char* name) {
  // The runtime's workers run in parallel; additional threads of OpenBLAS would compete with them.
  if (std::strcmp(name, "OPENBLAS_NUM_THREADS") == 0) return const_cast<char*>("1");
  char* given = __real_getenv(name);
  if (given || std::strcmp(name, "OPENBLAS_CORETYPE") != 0) return given;
  return const_cast<char*>(core_of_processor());
}
