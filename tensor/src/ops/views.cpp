// Recorded views.
#include "kernels/tensor/views.h"

#include "autograd/record.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "ops/broadcast.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::Tensors;
using autograd::wants_gradient;
using ops::Shape;

namespace {

// `y` is a view with the elements of `x` in the same order.
Tensor recorded_reshape(const Tensor& x, Tensor y, const char* name) {
  if (wants_gradient(x)) {
    record(y, name, {x},
           [sizes = x.sizes()](const Tensor& gradient, Node&) { return Tensors{gradient.reshape(sizes)}; });
  }
  return y;
}

// `y` is a part of `x`, and the gradient is zero elsewhere. `place` returns that part of a tensor with the shape of
// `x`.
template <class Place>
Tensor recorded_part(const Tensor& x, Tensor y, const char* name, Place place) {
  if (wants_gradient(x)) {
    record(y, name, {x}, [shape = Shape(x), place, name](const Tensor& gradient, Node&) {
      Tensor all = kernels::zeros(shape.sizes, shape.dtype);
      kernels::copy_(place(all), gradient);
      if (wants_gradient(gradient)) {
        record(all, name, {gradient}, [place](const Tensor& second, Node&) { return Tensors{place(second)}; });
      }
      return Tensors{all};
    });
  }
  return y;
}

}  // namespace

Tensor Tensor::view(const Sizes& sizes) const { return recorded_reshape(*this, kernels::view(*this, sizes), "view"); }

Tensor Tensor::reshape(const Sizes& sizes) const {
  return recorded_reshape(*this, kernels::reshape(*this, sizes), "reshape");
}

Tensor Tensor::flatten(std::int64_t first, std::int64_t last) const {
  return reshape(kernels::flattened_sizes(sizes(), first, last));
}

Tensor Tensor::squeeze(std::int64_t dim) const {
  return recorded_reshape(*this, kernels::squeeze(*this, dim), "squeeze");
}

Tensor Tensor::unsqueeze(std::int64_t dim) const {
  return recorded_reshape(*this, kernels::unsqueeze(*this, dim), "unsqueeze");
}

Tensor Tensor::transpose(std::int64_t dim0, std::int64_t dim1) const {
  Tensor y = kernels::transpose(*this, dim0, dim1);
  if (wants_gradient(*this)) {
    record(y, "transpose", {*this},
           [dim0, dim1](const Tensor& gradient, Node&) { return Tensors{gradient.transpose(dim0, dim1)}; });
  }
  return y;
}

Tensor Tensor::t() const {
  check(dim() == 2, "t: ", sizes(), " is not a matrix");
  return transpose(0, 1);
}

Tensor Tensor::permute(const Sizes& dims) const {
  Tensor y = kernels::permute(*this, dims);
  if (wants_gradient(*this)) {
    Sizes inverse = dims;
    for (int i = 0; i < dims.size(); ++i) inverse[wrap_dimension(dims[i], sizes(), "permute")] = i;
    record(y, "permute", {*this},
           [inverse](const Tensor& gradient, Node&) { return Tensors{gradient.permute(inverse)}; });
  }
  return y;
}

Tensor Tensor::narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const {
  return recorded_part(*this, kernels::narrow(*this, dim, start, length), "narrow",
                       [=](const Tensor& all) { return all.narrow(dim, start, length); });
}

Tensor Tensor::select(std::int64_t dim, std::int64_t index) const {
  return recorded_part(*this, kernels::select(*this, dim, index), "select",
                       [=](const Tensor& all) { return all.select(dim, index); });
}

Tensor Tensor::slice(std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) const {
  return recorded_part(*this, kernels::slice(*this, dim, start, end, step), "slice",
                       [=](const Tensor& all) { return all.slice(dim, start, end, step); });
}

Tensor Tensor::squeeze() const {
  Sizes left;
  for (std::int64_t size : sizes()) {
    if (size != 1) left.push_back(size);
  }
  return view(left);
}

Tensor Tensor::expand(const Sizes& sizes) const {
  Tensor y = kernels::expand(*this, sizes);
  if (wants_gradient(*this)) {
    record(y, "expand", {*this},
           [sizes = this->sizes()](const Tensor& gradient, Node&) { return Tensors{ops::sum_to(gradient, sizes)}; });
  }
  return y;
}

Tensor Tensor::contiguous() const {
  if (is_contiguous()) return *this;
  return clone();
}

Tensor Tensor::clone() const {
  Tensor y = kernels::clone(*this);
  if (wants_gradient(*this)) {
    record(y, "clone", {*this}, [](const Tensor& gradient, Node&) { return Tensors{gradient}; });
  }
  return y;
}

Tensor Tensor::to(DType dtype) const {
  if (dtype == this->dtype()) return *this;
  Tensor y = kernels::to(*this, dtype);
  if (wants_gradient(*this) && is_floating(dtype)) {
    record(y, "to", {*this},
           [back = this->dtype()](const Tensor& gradient, Node&) { return Tensors{gradient.to(back)}; });
  }
  return y;
}

}  // namespace reprise
