// Decides how a plan is replayed, sequentially or in parallel, from the run times of earlier replays.
//
//   measured three times, timed twice -> decided: sequential, or a trial of parallel replays
//   trial -> parallel while it gains time; otherwise a sequential pause, then another trial
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>

#include "base/tuning.h"

namespace reprise_runtime::graph {

class ReplayPolicy {
 public:
  enum class Choice {
    sequential,  // on one thread
    timed,       // on one thread; report the time with ran_sequential()
    measured,    // on one thread, each step timed; report with ran_measured()
    parallel,    // by several threads; report the time with ran_parallel()
  };

  // How to run the replay that begins now.
  Choice next();

  void ran_measured();
  void ran_sequential(double ns);
  void ran_parallel(double ns);
  // Whether the next measurement adds to the last one. Interruptions make a step longer, nothing makes it shorter, so
  // several measurements are combined by their minimum.
  bool measures_again() const { return measurements_left_ < tuning::replays_measured; }
  // The steps were measured and sequential replays timed: the caller must make a schedule and call decide().
  bool undecided() const { return undecided_ && timed_left_ == 0; }
  double sequential_ns() const { return sequential_ns_; }

  // The plan ends before a second thread would have its first step.
  bool too_short() const { return sequential_ns_ < tuning::replay_worth_sharing_ns; }
  // `parallel_ns` is the time that the schedule predicts.
  void decide(double parallel_ns);

 private:
  void begin_trial();

  uint64_t replays_ = 0;
  int measurements_left_ = tuning::replays_measured;
  int timed_left_ = 0;
  int trial_left_ = 0;
  bool undecided_ = true;
  bool parallel_expected_faster_ = false;
  double sequential_ns_ = 0;  // smoothed over the last timed replays
  double decided_ns_ = 0;     // sequential_ns_ at the last decision
  double credit_ns_ = 0;      // gained by parallel replays
  double gained_ns_ = 0;      // since the last loss
  double caution_ = tuning::min_caution;
  double pause_ns_ = 0;  // of sequential replays before the next trial
};

}  // namespace reprise_runtime::graph
