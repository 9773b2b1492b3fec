#include "graph/replay/pace.h"

#include <algorithm>

namespace reprise_runtime::graph {

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
  const bool changed = alone_ns_ > 2 * decided_ns_ || alone_ns_ < 0.5 * decided_ns_;
  // A schedule that promised nothing may have been made from a bad moment's times.
  const bool doubtful = !pays_ && !too_short();
  if (changed || doubtful) measured_left_ = times_measured;
  if (pause_ns_ > 0 && (pause_ns_ -= ns) <= 0) begin_trial();
}

void Pace::decide(double together_ns) {
  undecided_ = false;
  decided_ns_ = alone_ns_;
  const bool paid = pays_;
  pays_ = !too_short() && together_ns < 0.9 * alone_ns_;
  if (pays_ && !paid) begin_trial();
}

void Pace::begin_trial() { trial_left_ = std::max(trial_replays, static_cast<int>(trial_ns / alone_ns_)); }

void Pace::ran_together(double ns) {
  const double gain_ns = alone_ns_ - ns;
  credit_ns_ = std::min(credit_ns_ + gain_ns, most_credit_ns);
  gained_ns_ += gain_ns;
  if (gained_ns_ > trust_ns) {
    gained_ns_ = 0;
    caution_ = std::max(least_caution, caution_ / 2);
  }
  if (trial_left_ > 0 && --trial_left_ > 0 && credit_ns_ > -std::max(most_trial_loss_ns, 2 * alone_ns_)) return;
  trial_left_ = 0;
  if (credit_ns_ >= 0) return;
  pause_ns_ = caution_ * -credit_ns_;
  caution_ = std::min(most_caution, 2 * caution_);
  credit_ns_ = gained_ns_ = 0;
}

}  // namespace reprise_runtime::graph
