// The methods of Tensor that do something, each by a function of its name.
#include <reprise/tensor.h>

#include "raw/copy.h"
#include "raw/views.h"

namespace reprise {

Tensor Tensor::view(const Sizes& sizes) const { return raw::view(*this, sizes); }
Tensor Tensor::reshape(const Sizes& sizes) const { return raw::reshape(*this, sizes); }
Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1) const { return raw::transpose(*this, dim0, dim1); }
Tensor Tensor::t() const {
  check(dim() == 2, "t: ", sizes(), " is not a matrix");
  return transpose(0, 1);
}
Tensor Tensor::permute(const Sizes& dims) const { return raw::permute(*this, dims); }
Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const { return raw::narrow(*this, dim, start, length); }
Tensor Tensor::select(std::int64_t dim, std::int64_t index) const { return raw::select(*this, dim, index); }
Tensor Tensor::squeeze(std::int64_t dim) const { return raw::squeeze(*this, dim); }
Tensor Tensor::unsqueeze(std::int64_t dim) const { return raw::unsqueeze(*this, dim); }
Tensor Tensor::expand(const Sizes& sizes) const { return raw::expand(*this, sizes); }
Tensor Tensor::flatten(std::int64_t first, std::int64_t last) const { return reshape(raw::flattened_sizes(sizes(), first, last)); }

Tensor Tensor::contiguous() const { return raw::contiguous(*this); }
Tensor Tensor::to(DType dtype) const { return raw::to(*this, dtype); }
Tensor Tensor::clone() const { return raw::clone(*this); }

Tensor& Tensor::copy_(const Tensor& from) {
  raw::copy_(*this, from);
  return *this;
}
Tensor& Tensor::fill_(double value) {
  raw::fill_(*this, value);
  return *this;
}
Tensor& Tensor::zero_() {
  raw::zero_(*this);
  return *this;
}

}  // namespace reprise
