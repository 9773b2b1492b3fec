#include "graph/replay/step_times.h"

#include <algorithm>
#include <limits>

#include "base/clock.h"

namespace reprise_runtime::graph {

void StepTimes::measure(Replay& replay) {
  const std::vector<Step*>& steps = layout_.steps;
  ns_.resize(steps.size(), std::numeric_limits<float>::max());
  uint64_t before = ticks();
  for (size_t i = 0; i < steps.size(); ++i) {
    Step& step = *steps[i];
    if (step.kind == Step::Kind::empty) {
      ns_[i] = 0;
      continue;
    }
    step.run(step, replay);
    const uint64_t after = ticks();
    ns_[i] = std::min(ns_[i], static_cast<float>(ticks_to_ns(after - before)));
    before = after;
  }
}

std::vector<float> StepTimes::estimate(double total_ns, size_t working) const {
  constexpr float unknown_ns = 1000;
  if (ns_.empty()) return std::vector<float>(layout_.steps.size(), unknown_ns);
  std::vector<float> times = ns_;
  double measured_ns = 0;
  for (float ns : times) measured_ns += ns;
  const float overhead =
      static_cast<float>(std::max(0.0, measured_ns - total_ns) / static_cast<double>(std::max<size_t>(1, working)));
  for (size_t i = 0; i < times.size(); ++i) {
    times[i] = std::max(0.1f * times[i], times[i] - overhead);
    if (layout_.steps[i]->kind != Step::Kind::kernel) continue;
    // In the measurement a large kernel was spread over the cores; in a parallel replay it gets one.
    const KernelStep& kernel = static_cast<const KernelStep&>(*layout_.steps[i]);
    if (!kernel.small) times[i] = std::max(times[i], static_cast<float>(kernel.ns_on_one_core()));
  }
  return times;
}

}  // namespace reprise_runtime::graph
