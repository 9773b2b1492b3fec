// For operations that an Autocast computes in 16 bits.
#pragma once

#include <reprise/autocast.h>

namespace reprise::ops {

// `x` in the type of the Autocast, if there is one and `x` is f32 or of another 16-bit type; recorded.
inline Tensor autocast(const Tensor& x) {
  const std::optional<DType> dtype = autocast_dtype();
  if (!dtype || !x.defined() || !is_floating(x.dtype()) || x.dtype() == DType::f64) return x;
  return x.to(*dtype);
}

}  // namespace reprise::ops
