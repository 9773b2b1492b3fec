#include "openblas.h"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

// Only OpenBLAS's own header has these, and <cblas.h> may be another's. Those that are weak are not in every build of it.
extern "C" {
void openblas_set_num_threads(int count);
__attribute__((weak)) char* openblas_get_corename();
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace reprise::cublas {
namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";

bool has_wide_vectors(const char* core) {
  for (const char* each : {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"}) {
    if (std::strcmp(core, each) == 0) return true;
  }
  return false;
}

const char* core_of_processor() {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : nullptr;
}

// A processor that is newer than OpenBLAS gets code for the oldest one there is, which takes five times as long or more.
// What the processor can do says more than its name.
void choose_core() {
  if (!openblas_get_corename || !gotoblas_dynamic_init || !gotoblas_dynamic_quit || std::getenv(variable)) return;
  const char* core = core_of_processor();
  if (!core || has_wide_vectors(openblas_get_corename())) return;
  setenv(variable, core, 1);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  unsetenv(variable);
}

}  // namespace

void prepare_openblas() {
  choose_core();
  // Work is shared among the runtime's workers; threads of OpenBLAS's own would only stand in their way.
  openblas_set_num_threads(1);
}

}  // namespace reprise::cublas
