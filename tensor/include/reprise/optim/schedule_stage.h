// One stage of a learning-rate schedule: the form in which kernels evaluate it.
#pragma once

#include <reprise/tensor.h>

#include <cstdint>

namespace reprise::optim {

struct ScheduleStage {
  enum class Kind { decay, cosine, warmup, table };
  // The maximum number of stages in one schedule.
  static constexpr int max_stages = 4;

  Kind kind;
  std::int64_t steps, delay;
  double value;
  Tensor table;
};

}  // namespace reprise::optim
