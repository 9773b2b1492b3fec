// Replays a plan in the way that is fastest by the measurements of earlier replays: sequentially, by a static schedule,
// or, where steps may wait for each other, from a ready queue.
//
// Thread safety: one thread at a time, which need not be the same one.
#pragma once

#include <cstdint>
#include <memory>

#include "graph/plan/plan.h"
#include "graph/replay/replay_policy.h"
#include "graph/replay/sequential_replay.h"
#include "graph/replay/step_times.h"

namespace reprise_runtime::graph {

class ReadyQueueReplay;
class ScheduledReplay;

class AdaptiveReplayer : public Replayer {
 public:
  explicit AdaptiveReplayer(const Plan& plan);
  ~AdaptiveReplayer() override;

  void run(Replay& replay, Mode mode) override;
  void kernel_changed(KernelStep& step, bool was_batchable) noexcept override {
    sequential_.kernel_changed(step, was_batchable);
  }
  size_t bytes() const override;

 private:
  void run_adaptively(Replay& replay);
  void run_measured(Replay& replay);
  void run_scheduled(Replay& replay, bool frequent);
  void run_from_ready_queue(Replay& replay);
  void decide();
  std::vector<float> step_times() const;

  const Plan& plan_;
  SequentialReplay sequential_;
  StepTimes times_;
  ReplayPolicy policy_;
  uint64_t replays_ = 0;
  uint64_t last_end_ = 0;                       // of the last replay that was timed, in ticks
  std::shared_ptr<ScheduledReplay> scheduled_;  // shared with its standby workers; null until it is needed
  std::unique_ptr<ReadyQueueReplay> ready_queue_;
};

}  // namespace reprise_runtime::graph
