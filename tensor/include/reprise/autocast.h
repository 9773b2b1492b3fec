// Automatic mixed precision: within an Autocast, products and convolutions of f32 tensors are computed in 16 bits.
// Weights stay in f32, and gradients arrive there in f32.
//
//   {
//     Autocast sixteen(DType::bf16);
//     loss = cross_entropy(model(x).to(DType::f32), classes);
//   }
//   loss.backward();
//
// A thread-local setting, as grad_mode.h.
#pragma once

#include <reprise/tensor.h>

#include <optional>

namespace reprise {

// The type that products are computed in now; none outside of an Autocast.
std::optional<DType> autocast_dtype();

class Autocast {
 public:
  explicit Autocast(DType dtype = DType::bf16, bool enabled = true);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  std::optional<DType> before_;
};

}  // namespace reprise
