// Losses are scaled up so that small gradients do not vanish in 16 bits, and steps whose gradients overflowed are left
// out while the scale goes down. Scale and decision are in device memory, so all of it can be captured and replayed.
//
//   scaler.scale(loss).backward();
//   scaler.unscale_(optimizer);                        // only if gradients are looked at before the step
//   clip_grad_norm_(model.parameters(), 1.0);
//   scaler.step(optimizer);
//   scaler.update();
#pragma once

#include <reprise/optim/optimizer.h>

#include <map>
#include <set>
#include <string>

namespace reprise::optim {

struct GradScalerOptions {
  double initial_scale = 65536, growth_factor = 2, backoff_factor = 0.5;
  std::int64_t growth_interval = 2000;  // this many good steps in a row before the scale grows
};

class GradScaler {
 public:
  explicit GradScaler(GradScalerOptions options = {});

  Tensor scale(const Tensor& loss) const;
  // Divides the grads by the scale and notes if any is not finite; once for each optimiser between updates.
  void unscale_(Optimizer& optimizer);
  // Unscales if that was not done, and steps if all grads were finite.
  void step(Optimizer& optimizer);
  // The scale for the next iteration.
  void update();

  // One f32 each: the scale; one if a grad since the last update was not finite.
  const Tensor& current_scale() const { return scale_; }
  const Tensor& found_inf() const { return found_; }
  std::map<std::string, Tensor> state_dict() const;
  void load_state_dict(const std::map<std::string, Tensor>& state);

 private:
  GradScalerOptions options_;
  Tensor scale_, found_, good_steps_;
  std::set<const Optimizer*> unscaled_;
};

}  // namespace reprise::optim
