#include "graph/pace.h"

#include <algorithm>

namespace reprise::graph {

Pace::Way Pace::next() {
  ++replays_;
  if (measured_left_ > 0) return Way::measured;
  if (timed_left_ > 0 || replays_ % look_again == 0) return Way::timed;
  if (!pays_) return Way::alone;
  return pause_ns_ > 0 ? Way::timed : Way::together;
}

void Pace::ran_measured() {
  if (--measured_left_ > 0) return;
  undecided_ = true;
  timed_left_ = timed_to_decide;
  alone_ns_ = 0;
}

void Pace::ran_alone(double ns) {
  if (timed_left_ > 0) {
    --timed_left_;
    alone_ns_ = alone_ns_ == 0 ? ns : std::min(alone_ns_, ns);
    return;
  }
  // Interruptions make a replay longer, nothing makes it shorter: down at once, up slowly.
  alone_ns_ = ns < alone_ns_ ? 0.5 * (alone_ns_ + ns) : 0.95 * alone_ns_ + 0.05 * ns;
  if (alone_ns_ > 2 * decided_ns_ || alone_ns_ < 0.5 * decided_ns_) measured_left_ = 1;
  if (pause_ns_ > 0 && (pause_ns_ -= ns) <= 0) trial_left_ = trial_replays;
}

void Pace::decide(double together_ns) {
  undecided_ = false;
  decided_ns_ = alone_ns_;
  const bool paid = pays_;
  pays_ = !too_short() && together_ns < 0.9 * alone_ns_;
  if (pays_ && !paid) trial_left_ = trial_replays;
}

void Pace::ran_together(double ns) {
  credit_ns_ = std::min(credit_ns_ + alone_ns_ - ns, most_credit_ns);
  if (trial_left_ > 0 && --trial_left_ > 0 && credit_ns_ > -std::max(most_trial_loss_ns, 2 * alone_ns_)) return;
  trial_left_ = 0;
  if (credit_ns_ >= 0) return;
  pause_ns_ = caution * -credit_ns_;
  credit_ns_ = 0;
}

}  // namespace reprise::graph
