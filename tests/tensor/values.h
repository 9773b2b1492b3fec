// Conversions between f32 tensors and vectors.
#pragma once

#include <reprise/factories.h>
#include <reprise/tensor.h>

#include <vector>

namespace reprise {

using Values = std::vector<float>;

inline Tensor tensor(const Values& values) { return from_vector(values); }
inline Values values(const Tensor& x) { return x.to_vector<float>(); }

}  // namespace reprise
