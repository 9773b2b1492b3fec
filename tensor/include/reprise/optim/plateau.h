// A schedule that follows a measured value, which the host decides: call it between replays.
#pragma once

#include <reprise/optim/optimizer.h>

namespace reprise::optim {

struct PlateauOptions {
  double factor = 0.1, threshold = 1e-4, min_lr = 0;
  std::int64_t patience = 10, cooldown = 0;
  bool maximize = false;
};

// PyTorch's ReduceLROnPlateau with a relative threshold: multiplies the rates by `factor` if the value has not improved
// for more than `patience` calls.
class ReduceLROnPlateau {
 public:
  explicit ReduceLROnPlateau(Optimizer& optimizer, PlateauOptions options = {});
  void step(double value);

 private:
  Optimizer& optimizer_;
  PlateauOptions options_;
  std::vector<double> rates_;
  double best_;
  std::int64_t bad_ = 0, cooling_ = 0;
};

}  // namespace reprise::optim
