#include "graph/replay/replay_policy.h"

#include <algorithm>

namespace reprise_runtime::graph {

ReplayPolicy::Choice ReplayPolicy::next() {
  ++replays_;
  if (measurements_left_ > 0) return Choice::measured;
  if (timed_left_ > 0 || replays_ % tuning::recheck_interval == 0) return Choice::timed;
  if (!parallel_expected_faster_) return Choice::sequential;
  return pause_ns_ > 0 ? Choice::timed : Choice::parallel;
}

void ReplayPolicy::ran_measured() {
  if (--measurements_left_ > 0) return;
  undecided_ = true;
  timed_left_ = tuning::replays_timed_to_decide;
  sequential_ns_ = 0;
}

void ReplayPolicy::ran_sequential(double ns) {
  if (timed_left_ > 0) {
    --timed_left_;
    sequential_ns_ = sequential_ns_ == 0 ? ns : std::min(sequential_ns_, ns);
    return;
  }
  // Interruptions make a replay longer, nothing makes it shorter: follow shorter times quickly, longer ones slowly.
  sequential_ns_ = ns < sequential_ns_ ? 0.5 * (sequential_ns_ + ns) : 0.95 * sequential_ns_ + 0.05 * ns;
  const bool changed = sequential_ns_ > 2 * decided_ns_ || sequential_ns_ < 0.5 * decided_ns_;
  // A schedule that predicted no gain may have been made from disturbed measurements.
  const bool doubtful = !parallel_expected_faster_ && !too_short();
  if (changed || doubtful) measurements_left_ = tuning::replays_measured;
  if (pause_ns_ > 0 && (pause_ns_ -= ns) <= 0) begin_trial();
}

void ReplayPolicy::decide(double parallel_ns) {
  undecided_ = false;
  decided_ns_ = sequential_ns_;
  const bool expected_before = parallel_expected_faster_;
  parallel_expected_faster_ = !too_short() && parallel_ns < 0.9 * sequential_ns_;
  if (parallel_expected_faster_ && !expected_before) begin_trial();
}

void ReplayPolicy::begin_trial() {
  trial_left_ = std::max(tuning::trial_replays, static_cast<int>(tuning::trial_ns / sequential_ns_));
}

void ReplayPolicy::ran_parallel(double ns) {
  const double gain_ns = sequential_ns_ - ns;
  credit_ns_ = std::min(credit_ns_ + gain_ns, tuning::max_credit_ns);
  gained_ns_ += gain_ns;
  if (gained_ns_ > tuning::trust_ns) {
    gained_ns_ = 0;
    caution_ = std::max(tuning::min_caution, caution_ / 2);
  }
  if (trial_left_ > 0 && --trial_left_ > 0 && credit_ns_ > -std::max(tuning::max_trial_loss_ns, 2 * sequential_ns_))
    return;
  trial_left_ = 0;
  if (credit_ns_ >= 0) return;
  pause_ns_ = caution_ * -credit_ns_;
  caution_ = std::min(tuning::max_caution, 2 * caution_);
  credit_ns_ = gained_ns_ = 0;
}

}  // namespace reprise_runtime::graph
