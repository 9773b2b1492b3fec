// The functions of ops.h as methods.
#include <reprise/ops.h>

namespace reprise {

Tensor Tensor::add(const Tensor& other) const { return reprise::add(*this, other); }
Tensor Tensor::add(Scalar other) const { return reprise::add(*this, other); }
Tensor Tensor::sub(const Tensor& other) const { return reprise::sub(*this, other); }
Tensor Tensor::sub(Scalar other) const { return reprise::sub(*this, other); }
Tensor Tensor::mul(const Tensor& other) const { return reprise::mul(*this, other); }
Tensor Tensor::mul(Scalar other) const { return reprise::mul(*this, other); }
Tensor Tensor::div(const Tensor& other) const { return reprise::div(*this, other); }
Tensor Tensor::div(Scalar other) const { return reprise::div(*this, other); }
Tensor Tensor::pow(const Tensor& exponent) const { return reprise::pow(*this, exponent); }
Tensor Tensor::pow(Scalar exponent) const { return reprise::pow(*this, exponent); }
Tensor Tensor::matmul(const Tensor& other) const { return reprise::matmul(*this, other); }
Tensor Tensor::mm(const Tensor& other) const { return reprise::mm(*this, other); }
Tensor Tensor::bmm(const Tensor& other) const { return reprise::bmm(*this, other); }
Tensor Tensor::neg() const { return reprise::neg(*this); }
Tensor Tensor::abs() const { return reprise::abs(*this); }
Tensor Tensor::exp() const { return reprise::exp(*this); }
Tensor Tensor::log() const { return reprise::log(*this); }
Tensor Tensor::sqrt() const { return reprise::sqrt(*this); }
Tensor Tensor::rsqrt() const { return reprise::rsqrt(*this); }
Tensor Tensor::square() const { return reprise::square(*this); }
Tensor Tensor::reciprocal() const { return reprise::reciprocal(*this); }
Tensor Tensor::sign() const { return reprise::sign(*this); }
Tensor Tensor::sin() const { return reprise::sin(*this); }
Tensor Tensor::cos() const { return reprise::cos(*this); }
Tensor Tensor::tanh() const { return reprise::tanh(*this); }
Tensor Tensor::sigmoid() const { return reprise::sigmoid(*this); }
Tensor Tensor::relu() const { return reprise::relu(*this); }
Tensor Tensor::erf() const { return reprise::erf(*this); }
Tensor Tensor::floor() const { return reprise::floor(*this); }
Tensor Tensor::ceil() const { return reprise::ceil(*this); }
Tensor Tensor::round() const { return reprise::round(*this); }
Tensor Tensor::trunc() const { return reprise::trunc(*this); }
Tensor Tensor::clamp(Scalar low, Scalar high) const { return reprise::clamp(*this, low, high); }
Tensor Tensor::softmax(std::int64_t dim) const { return reprise::softmax(*this, dim); }
Tensor Tensor::log_softmax(std::int64_t dim) const { return reprise::log_softmax(*this, dim); }
Tensor Tensor::eq(const Tensor& other) const { return reprise::eq(*this, other); }
Tensor Tensor::eq(Scalar other) const { return reprise::eq(*this, other); }
Tensor Tensor::ne(const Tensor& other) const { return reprise::ne(*this, other); }
Tensor Tensor::ne(Scalar other) const { return reprise::ne(*this, other); }
Tensor Tensor::sum(const Sizes& dims, bool keepdim) const { return reprise::sum(*this, dims, keepdim); }
Tensor Tensor::mean(const Sizes& dims, bool keepdim) const { return reprise::mean(*this, dims, keepdim); }
Tensor Tensor::prod() const { return reprise::prod(*this); }
Tensor Tensor::var(const Sizes& dims, double correction, bool keepdim) const {
  return reprise::var(*this, dims, correction, keepdim);
}
Tensor Tensor::std(const Sizes& dims, double correction, bool keepdim) const {
  return reprise::std(*this, dims, correction, keepdim);
}
Tensor Tensor::norm(double p, const Sizes& dims, bool keepdim) const { return reprise::norm(*this, p, dims, keepdim); }
Tensor Tensor::max() const { return reprise::max(*this); }
Tensor Tensor::min() const { return reprise::min(*this); }
Tensor Tensor::amax(const Sizes& dims, bool keepdim) const { return reprise::amax(*this, dims, keepdim); }
Tensor Tensor::amin(const Sizes& dims, bool keepdim) const { return reprise::amin(*this, dims, keepdim); }
Tensor Tensor::argmax() const { return reprise::argmax(*this); }
Tensor Tensor::argmax(std::int64_t dim, bool keepdim) const { return reprise::argmax(*this, dim, keepdim); }
Tensor Tensor::argmin() const { return reprise::argmin(*this); }
Tensor Tensor::argmin(std::int64_t dim, bool keepdim) const { return reprise::argmin(*this, dim, keepdim); }
Tensor Tensor::any(const Sizes& dims, bool keepdim) const { return reprise::any(*this, dims, keepdim); }
Tensor Tensor::all(const Sizes& dims, bool keepdim) const { return reprise::all(*this, dims, keepdim); }
Tensor Tensor::logsumexp(const Sizes& dims, bool keepdim) const { return reprise::logsumexp(*this, dims, keepdim); }
Tensor Tensor::cumsum(std::int64_t dim) const { return reprise::cumsum(*this, dim); }
Tensor Tensor::index_select(std::int64_t dim, const Tensor& index) const {
  return reprise::index_select(*this, dim, index);
}
Tensor Tensor::gather(std::int64_t dim, const Tensor& index) const { return reprise::gather(*this, dim, index); }
Tensor Tensor::scatter(std::int64_t dim, const Tensor& index, const Tensor& source) const {
  return reprise::scatter(*this, dim, index, source);
}
Tensor Tensor::scatter_add(std::int64_t dim, const Tensor& index, const Tensor& source) const {
  return reprise::scatter_add(*this, dim, index, source);
}
Tensor Tensor::masked_fill(const Tensor& mask, Scalar value) const { return reprise::masked_fill(*this, mask, value); }
Tensor Tensor::masked_select(const Tensor& mask) const { return reprise::masked_select(*this, mask); }
Tensor Tensor::repeat(const Sizes& repeats) const { return reprise::repeat(*this, repeats); }
Tensor Tensor::flip(const Sizes& dims) const { return reprise::flip(*this, dims); }
ValuesAndIndices Tensor::max(std::int64_t dim, bool keepdim) const { return reprise::max(*this, dim, keepdim); }
ValuesAndIndices Tensor::min(std::int64_t dim, bool keepdim) const { return reprise::min(*this, dim, keepdim); }
ValuesAndIndices Tensor::sort(std::int64_t dim, bool descending) const { return reprise::sort(*this, dim, descending); }
ValuesAndIndices Tensor::topk(std::int64_t k, std::int64_t dim, bool largest) const {
  return reprise::topk(*this, k, dim, largest);
}

}  // namespace reprise
