#include "base/devices.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>

namespace reprise_runtime {
namespace {

int read_device_count() {
  const char* text = std::getenv("REPRISE_DEVICES");
  return text ? std::clamp(std::atoi(text), 1, max_devices) : 1;
}

int read_core_count() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

int device_count() {
  static const int count = read_device_count();
  return count;
}

int core_count() {
  static const int count = read_core_count();
  return count;
}

}  // namespace reprise_runtime
