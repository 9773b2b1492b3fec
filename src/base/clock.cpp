#include "base/clock.h"

namespace reprise_runtime {
namespace {

// Both clocks at one moment. The thread may lose its core between the two readings, for longer than the whole
// measurement takes, so the fastest of several attempts counts.
struct Moment {
  uint64_t ns, tick;

  static Moment now() {
    Moment best{};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 5; ++i) {
      const uint64_t before = ticks(), ns = now_ns(), took = ticks() - before;
      if (took < shortest) shortest = took, best = {ns, before + took / 2};
    }
    return best;
  }
};

// The start of the measurement: taken when the library is loaded, so that the time between costs nothing.
const Moment first = Moment::now();

double measure() {
  constexpr uint64_t enough_ns = 200'000;
  while (now_ns() - first.ns < enough_ns) {
  }
  const Moment last = Moment::now();
  return static_cast<double>(last.ns - first.ns) / static_cast<double>(last.tick - first.tick);
}

}  // namespace

double ns_per_tick() {
  static const double ratio = measure();
  return ratio;
}

}  // namespace reprise_runtime
