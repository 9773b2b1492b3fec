#include "graph/pace.h"

#include <algorithm>

namespace reprise::graph {

Pace::Way Pace::next() {
  if (fixed_) return fixed_way_;
  ++replays_;
  if (replays_ <= first_measured || stale_) return Way::measured;
  if (replays_ % look_again == 0) return pays_ ? Way::timed : Way::measured;
  if (!pays_) return Way::alone;
  return pause_ns_ > 0 ? Way::timed : Way::together;
}

void Pace::ran_alone(double ns) {
  // Interruptions make a replay longer, nothing makes it shorter: down at once, up slowly.
  alone_ns_ = ns < alone_ns_ ? 0.5 * (alone_ns_ + ns) : 0.95 * alone_ns_ + 0.05 * ns;
  pause_ns_ = std::max(0.0, pause_ns_ - ns);
  stale_ = alone_ns_ > 2 * measured_ns_ || alone_ns_ < 0.5 * measured_ns_;
}

void Pace::ran_measured(double alone_ns, double together_ns) {
  stale_ = false;
  measured_ns_ = alone_ns_ = alone_ns;
  pays_ = alone_ns > worth_sharing_ns && together_ns < 0.9 * alone_ns;
}

void Pace::ran_together(double ns) {
  credit_ns_ = std::min(credit_ns_ + alone_ns_ - ns, most_credit_ns);
  if (credit_ns_ >= 0) return;
  pause_ns_ = caution * -credit_ns_;
  credit_ns_ = 0;
}

}  // namespace reprise::graph
