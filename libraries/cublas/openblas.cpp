// What OpenBLAS is told when it starts. It asks the environment, and in this library the environment answers as
// follows: the linker puts __wrap_getenv in the place of getenv (see CMakeLists.txt).
#include <cstdlib>
#include <cstring>

extern "C" char* __real_getenv(const char* name);
extern "C" char* __wrap_getenv(const char* name);

namespace {

// A processor that is newer than OpenBLAS would get code for the oldest one there is, which takes five times as long or
// more. What the processor can do says more than its name.
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
  // Work is shared among the runtime's workers; threads of OpenBLAS's own would only stand in their way.
  if (std::strcmp(name, "OPENBLAS_NUM_THREADS") == 0) return const_cast<char*>("1");
  char* given = __real_getenv(name);
  if (given || std::strcmp(name, "OPENBLAS_CORETYPE") != 0) return given;
  return const_cast<char*>(core_of_processor());
}
