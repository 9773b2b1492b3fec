#include "base/devices.h"

#include <sched.h>

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/last_error.h"
#include "base/settings.h"

namespace reprise_runtime {
namespace {

// The device that an entry of CUDA_VISIBLE_DEVICES names, or -1.
int parse_ordinal(std::string_view entry, int device_count) {
  const std::string text(entry);
  char* end = nullptr;
  const long ordinal = std::strtol(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' && ordinal >= 0 && ordinal < device_count ? static_cast<int>(ordinal) : -1;
}

struct Devices {
  int count;
  cudaError_t refusal = cudaErrorNoDevice;  // returned by calls that need a device if `count` is 0
};

// As on an H200, the list ends at the first entry that names no device, and a device named twice hides all of them. All
// devices are alike here, so that only their number matters.
Devices visible_devices(std::string_view list, int device_count) {
  std::bitset<max_devices> named;
  while (!list.empty()) {
    const size_t comma = list.find(',');
    const int device = parse_ordinal(list.substr(0, comma), device_count);
    if (device < 0) break;
    if (named[device]) return {0, cudaErrorInvalidDevice};
    named.set(device);
    list.remove_prefix(comma == std::string_view::npos ? list.size() : comma + 1);
  }
  return {static_cast<int>(named.count())};
}

Devices read_devices() {
  const int all = static_cast<int>(number_setting("REPRISE_DEVICES", 1, max_devices).value_or(1));
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible ? visible_devices(visible, all) : Devices{all};
}

const Devices& devices() {
  static const Devices read = read_devices();
  return read;
}

int read_core_count() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

[[maybe_unused]] const bool refuse_without_device = [] {
  if (device_count() == 0) hide_devices(devices().refusal);
  return true;
}();

}  // namespace

int device_count() { return devices().count; }

int core_count() {
  static const int count = read_core_count();
  return count;
}

}  // namespace reprise_runtime
