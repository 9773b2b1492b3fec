// Gradient scaling for 16-bit training: scales the loss so that small gradients do not underflow, skips steps whose
// gradients overflow, and adapts the scale. Scale and decision are in device memory, so all of it can be captured.
//
//   scaler.scale(loss).backward();
//   scaler.unscale_(optimizer);                        // only if gradients are used before the step
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
  std::int64_t growth_interval = 2000;  // the number of consecutive finite steps before the scale grows
};

class GradScaler {
 public:
  explicit GradScaler(GradScalerOptions options = {});

  Tensor scale(const Tensor& loss) const;
  // Divides the grads by the scale and records whether any is not finite. Call it at most once per optimiser and
  // update.
  void unscale_(Optimizer& optimizer);
  // Unscales the grads if unscale_() was not called, and steps if all grads were finite.
  void step(Optimizer& optimizer);
  // Updates the scale for the next iteration.
  void update();

  // One f32 each: the scale, and 1 if a grad since the last update was not finite.
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
