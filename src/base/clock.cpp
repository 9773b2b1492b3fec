#include "base/clock.h"

namespace reprise {
namespace {

// The start of the measurement: taken when the library is loaded, so that the time between costs nothing.
const uint64_t first_ns = now_ns();
const uint64_t first_tick = ticks();

double measure() {
  constexpr uint64_t enough_ns = 200'000;
  uint64_t ns;
  do ns = now_ns();
  while (ns - first_ns < enough_ns);
  return static_cast<double>(ns - first_ns) / static_cast<double>(ticks() - first_tick);
}

}  // namespace

double ns_per_tick() {
  static const double ratio = measure();
  return ratio;
}

}  // namespace reprise
