#include "graph/replay/adaptive_replayer.h"

#include <bit>

#include "base/clock.h"
#include "base/tuning.h"
#include "graph/replay/ready_queue_replay.h"
#include "graph/replay/scheduled_replay.h"

namespace reprise_runtime::graph {
std::unique_ptr<Replayer> make_replayer(const Plan& plan) { return std::make_unique<AdaptiveReplayer>(plan); }

AdaptiveReplayer::AdaptiveReplayer(const Plan& plan) : plan_(plan), sequential_(plan.layout()), times_(plan.layout()) {}
AdaptiveReplayer::~AdaptiveReplayer() = default;

size_t AdaptiveReplayer::bytes() const {
  return sizeof *this + sequential_.bytes() + times_.bytes() + (scheduled_ ? scheduled_->bytes() : 0) +
         (ready_queue_ ? ready_queue_->bytes() : 0);
}

void AdaptiveReplayer::run(Replay& replay, Mode mode) {
  if (mode == Mode::adaptive) [[likely]]
    return run_adaptively(replay);
  if (mode == Mode::sequential) return sequential_.run(replay);
  if (plan_.waits()) return run_from_ready_queue(replay);
  run_scheduled(replay, true);
}

void AdaptiveReplayer::run_adaptively(Replay& replay) {
  if (std::has_single_bit(++replays_) && replays_ > 1 && replays_ <= tuning::learning_replays)
    sequential_.choose_batches();
  if (plan_.waits()) return run_from_ready_queue(replay);
  if (plan_.layout().is_chain) return sequential_.run(replay);
  using Choice = ReplayPolicy::Choice;
  const Choice choice = policy_.next();
  if (choice == Choice::sequential) return sequential_.run(replay);
  if (choice == Choice::measured) return run_measured(replay);
  const uint64_t start = ticks();
  if (choice == Choice::timed) {
    sequential_.run(replay);
  } else {
    run_scheduled(replay, ticks_to_ns(start - last_end_) < tuning::frequent_replay_ns);
  }
  last_end_ = ticks();
  const double ns = ticks_to_ns(last_end_ - start);
  if (choice == Choice::parallel) return policy_.ran_parallel(ns);
  policy_.ran_sequential(ns);
  if (policy_.undecided()) decide();
}

void AdaptiveReplayer::run_measured(Replay& replay) {
  if (!policy_.measures_again()) times_.restart();
  times_.measure(replay);
  policy_.ran_measured();
}

std::vector<float> AdaptiveReplayer::step_times() const {
  return times_.estimate(policy_.sequential_ns(), sequential_.step_count());
}

void AdaptiveReplayer::decide() {
  if (policy_.too_short()) return policy_.decide(policy_.sequential_ns());
  scheduled_ = std::make_shared<ScheduledReplay>(plan_.layout(), step_times());
  policy_.decide(scheduled_->predicted_ns());
}

void AdaptiveReplayer::run_from_ready_queue(Replay& replay) {
  if (!ready_queue_) ready_queue_ = std::make_unique<ReadyQueueReplay>(plan_.layout());
  ready_queue_->run(replay);
}

void AdaptiveReplayer::run_scheduled(Replay& replay, bool frequent) {
  if (!scheduled_) scheduled_ = std::make_shared<ScheduledReplay>(plan_.layout(), step_times());
  scheduled_->run(replay, frequent);
}

}  // namespace reprise_runtime::graph
