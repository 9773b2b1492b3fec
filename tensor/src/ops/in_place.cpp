// In-place operations. They are never recorded for autograd.
#include <cmath>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"

namespace reprise {
namespace {

// Throws if autograd would miss the change, and increments the version, so that backward detects it.
void about_to_change(const char* operation, const Tensor& to, const Tensor* from = nullptr) {
  const bool to_matters = is_grad_enabled() && to.requires_grad();
  check(!to_matters, operation, " into a tensor of shape ", to.sizes(),
        " that requires gradients: its old values may be needed for them; use a NoGradGuard, or compute a new tensor");
  if (from)
    check(!autograd::wants_gradient(*from), operation, " from a tensor of shape ", from->sizes(),
          " that requires gradients, which would not see it; copy from its detach()");
  to.body().memory->changed();
}

// The address range of a tensor.
struct Span {
  const char *begin, *end;
  explicit Span(const Tensor& x) {
    const TensorBody& body = x.body();
    std::int64_t last = 0;
    for (int i = 0; i < x.dim(); ++i) last += (body.sizes[i] - 1) * body.strides[i];
    const std::int64_t element = static_cast<std::int64_t>(size_of(body.dtype));
    begin = static_cast<const char*>(body.memory->address()) + body.offset * element;
    end = x.numel() == 0 ? begin : begin + (last + 1) * element;
  }
};

// `from`, or a copy of it if it overlaps `to` in another order, so that elements would be overwritten before they are
// read.
class Apart {
 public:
  Apart(const Tensor& to, const Tensor& from) : from_(from) {
    if (to.body().memory->address() == from.body().memory->address() && disturbs(to, from))
      copy_ = kernels::clone(from);
  }
  operator const Tensor&() const { return copy_.defined() ? copy_ : from_; }

 private:
  static bool disturbs(const Tensor& to, const Tensor& from) {
    const Span a(to), b(from);
    if (a.end <= b.begin || b.end <= a.begin) return false;
    return a.begin != b.begin || to.dtype() != from.dtype() || to.sizes() != from.sizes() ||
           to.strides() != from.strides();
  }

  const Tensor& from_;
  Tensor copy_;
};

// In-place operations do not change the type. Throws if the result would lose its fraction or be converted to bool.
void check_kind(const char* operation, const Tensor& to, DType computed) {
  const DType own = to.dtype();
  check(is_floating(own) || !is_floating(computed), operation, " gives ", computed, ", which a tensor of ", own, " ",
        to.sizes(), " cannot hold; convert it with to()");
  check(own != DType::boolean || computed == DType::boolean, operation, " gives ", computed, ", which a tensor of ",
        own, " ", to.sizes(), " cannot hold; convert it with to()");
}

}  // namespace

Tensor& Tensor::copy_(const Tensor& from) {
  about_to_change("copy_", *this, &from);
  kernels::copy_(*this, Apart(*this, from));
  return *this;
}

Tensor& Tensor::fill_(Scalar value) {
  about_to_change("fill_", *this);
  kernels::fill_(*this, value);
  return *this;
}

Tensor& Tensor::zero_() {
  about_to_change("zero_", *this);
  kernels::zero_(*this);
  return *this;
}

Tensor& Tensor::add_(const Tensor& other, double factor) {
  check(is_floating(dtype()) || factor == std::floor(factor), "add_ of ", factor, " times a tensor to one of ", dtype(),
        " ", sizes(), ": convert it with to()");
  check_kind("add_", *this, kernels::promoted_type(*this, other));
  about_to_change("add_", *this, &other);
  kernels::add_(*this, Apart(*this, other), factor);
  return *this;
}

Tensor& Tensor::add_(Scalar number) {
  check_kind("add_", *this, number.promoted(dtype()));
  about_to_change("add_", *this);
  kernels::add_(*this, number);
  return *this;
}

Tensor& Tensor::sub_(const Tensor& other) {
  check_kind("sub_", *this, kernels::promoted_type(*this, other));
  about_to_change("sub_", *this, &other);
  kernels::sub_(*this, Apart(*this, other));
  return *this;
}

Tensor& Tensor::sub_(Scalar number) {
  check_kind("sub_", *this, number.promoted(dtype()));
  about_to_change("sub_", *this);
  kernels::sub_(*this, number);
  return *this;
}

Tensor& Tensor::mul_(const Tensor& other) {
  check_kind("mul_", *this, kernels::promoted_type(*this, other));
  about_to_change("mul_", *this, &other);
  kernels::mul_(*this, Apart(*this, other));
  return *this;
}

Tensor& Tensor::mul_(Scalar number) {
  check_kind("mul_", *this, number.promoted(dtype()));
  about_to_change("mul_", *this);
  kernels::mul_(*this, number);
  return *this;
}

Tensor& Tensor::div_(const Tensor& other) {
  check_kind("div_", *this, DType::f32);
  about_to_change("div_", *this, &other);
  kernels::div_(*this, Apart(*this, other));
  return *this;
}

Tensor& Tensor::div_(Scalar number) {
  check_kind("div_", *this, DType::f32);
  about_to_change("div_", *this);
  kernels::div_(*this, number);
  return *this;
}

Tensor& Tensor::clamp_(Scalar low, Scalar high) {
  check_kind("clamp_", *this, high.promoted(low.promoted(dtype())));
  about_to_change("clamp_", *this);
  kernels::unary_out(kernels::UnaryOp::clamp, *this, *this, low, high);
  return *this;
}

Tensor& Tensor::masked_fill_(const Tensor& mask, Scalar value) {
  check(mask.dtype() == DType::boolean, "masked_fill_: the mask is of ", mask.dtype(), " ", mask.sizes(),
        ", not of bool");
  about_to_change("masked_fill_", *this);
  kernels::ternary_out(kernels::TernaryOp::where, *this, mask, kernels::full({}, value, dtype()), *this);
  return *this;
}

Tensor& Tensor::uniform_(double low, double high) {
  about_to_change("uniform_", *this);
  kernels::uniform_(*this, low, high);
  return *this;
}

Tensor& Tensor::normal_(double mean, double deviation) {
  about_to_change("normal_", *this);
  kernels::normal_(*this, mean, deviation);
  return *this;
}

}  // namespace reprise
