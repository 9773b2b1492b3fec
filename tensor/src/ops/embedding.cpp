#include "kernels/tensor/embedding.h"

#include <reprise/ops.h>

#include "autograd/record.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;

namespace {

// The transpose of embedding: adds rows at the indices.
Tensor rows_added(const Tensor& gradient, const Tensor& indices, std::int64_t rows) {
  Tensor y = kernels::embedding_backward(gradient, indices, rows);
  if (wants_gradient(gradient)) {
    record(y, "embedding", {gradient}, [indices = SavedTensor(indices, "embedding")](const Tensor& second, Node&) {
      return Tensors{embedding(indices, second)};
    });
  }
  return y;
}

}  // namespace

Tensor embedding(const Tensor& indices, const Tensor& weight) {
  if (weight.dtype() == DType::f64) {
    Sizes sizes = indices.sizes();
    sizes.push_back(weight.size(-1));
    return index_select(weight, 0, indices.reshape({-1})).reshape(sizes);
  }
  Tensor y = kernels::embedding(indices, weight);
  if (wants_gradient(weight)) {
    record(y, "embedding", {weight},
           [indices = SavedTensor(indices, "embedding"), rows = weight.size(0)](const Tensor& gradient, Node&) {
             return Tensors{rows_added(gradient, indices, rows)};
           });
  }
  return y;
}

}  // namespace reprise
