#include "kernel/cpu_features.h"

#include <iterator>

#include "kernel/kernel_abi.h"

namespace reprise_runtime::kernel {
namespace {

struct Feature {
  const char* name;
  bool present;
};

}  // namespace

std::string missing_cpu_features(uint32_t features) {
#define REPRISE_FEATURE(name) {name, __builtin_cpu_supports(name) != 0},
  const Feature all[] = {REPRISE_CPU_FEATURES(REPRISE_FEATURE)};
#undef REPRISE_FEATURE
  std::string missing;
  for (uint32_t bit = 0; bit < 32; ++bit) {
    if (!(features >> bit & 1)) continue;
    const bool known = bit < std::size(all);
    if (known && all[bit].present) continue;
    missing += (missing.empty() ? "" : " ") + std::string(known ? all[bit].name : "unknown");
  }
  return missing;
}

}  // namespace reprise_runtime::kernel
