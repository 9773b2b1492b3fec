#include "openblas.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

// Only OpenBLAS's own header has these, and <cblas.h> may be another's. Those that are weak are not in every build of it.
extern "C" {
void openblas_set_num_threads(int count);
__attribute__((weak)) char* openblas_get_corename();
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
__attribute__((weak)) int blas_thread_shutdown_();
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

// While it lives, the process has one variable more; for once. setenv would move and change the list under those who read it
// in other threads; this is another list, whose address is exchanged, and both stay whole for who has begun to read one.
class AnotherEnvironment {
 public:
  AnotherEnvironment(const char* name, const char* value) : before_(environ) {
    static auto* list = new std::vector<char*>;  // never freed: somebody may still be reading
    static auto* added = new std::string;
    *added = std::string(name) + "=" + value;
    for (char** each = before_; each && *each; ++each) list->push_back(*each);
    list->push_back(added->data());
    list->push_back(nullptr);
    list_ = list->data();
    __atomic_store_n(&environ, list_, __ATOMIC_SEQ_CST);
  }
  // Who has set or unset a variable meanwhile has made a list of his own or changed this one, which then stays.
  ~AnotherEnvironment() {
    char** ours = list_;
    for (char **was = before_, **is = list_; was && *was; ++was, ++is) {
      if (*was != *is) return;
    }
    __atomic_compare_exchange_n(&environ, &ours, before_, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
  AnotherEnvironment(const AnotherEnvironment&) = delete;
  AnotherEnvironment& operator=(const AnotherEnvironment&) = delete;

 private:
  char** const before_;
  char** list_;
};

// A processor that is newer than OpenBLAS gets code for the oldest one there is, which takes five times as long or more.
// What the processor can do says more than its name.
void choose_core() {
  if (!openblas_get_corename || !gotoblas_dynamic_init || !gotoblas_dynamic_quit || std::getenv(variable)) return;
  const char* core = core_of_processor();
  if (!core || has_wide_vectors(openblas_get_corename())) return;
  AnotherEnvironment with_core(variable, core);
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
}

}  // namespace

void prepare_openblas() {
  // Work is shared among the runtime's workers; threads of OpenBLAS's own would only stand in their way. Those that it started
  // when it was loaded are ended before anything is changed under them. Asked for more, it starts new ones.
  openblas_set_num_threads(1);
  if (blas_thread_shutdown_) blas_thread_shutdown_();
  choose_core();
}

}  // namespace reprise::cublas
