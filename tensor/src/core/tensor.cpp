#include <reprise/tensor.h>

namespace reprise {

bool Tensor::is_contiguous() const {
  const TensorBody& own = body();
  std::int64_t stride = 1;
  for (int i = own.sizes.size() - 1; i >= 0; --i) {
    if (own.sizes[i] == 0) return true;
    if (own.sizes[i] == 1) continue;
    if (own.strides[i] != stride) return false;
    stride *= own.sizes[i];
  }
  return true;
}

void Tensor::not_defined() { fail("this tensor is not defined: it was default-constructed or moved from"); }

void Tensor::wrong_type(DType asked) const {
  fail("data: a tensor of ", dtype(), " ", sizes(), " was asked for elements of ", asked);
}

}  // namespace reprise
