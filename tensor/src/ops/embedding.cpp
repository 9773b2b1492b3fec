#include <reprise/ops.h>

#include "autograd/record.h"
#include "raw/embedding.h"

namespace reprise {

using autograd::Kept;
using autograd::Node;
using autograd::record_once;
using autograd::Tensors;
using autograd::wants_gradient;

Tensor embedding(const Tensor& indices, const Tensor& weight) {
  Tensor y = raw::embedding(indices, weight);
  if (wants_gradient(weight)) {
    record_once(y, "embedding", {weight}, [indices = Kept(indices, "embedding"), rows = weight.size(0)](const Tensor& gradient, Node&) {
      return Tensors{raw::embedding_backward(gradient, indices, rows)};
    });
  }
  return y;
}

}  // namespace reprise
