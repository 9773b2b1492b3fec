// A tensor: a view of device memory with sizes, strides and an element type. Copies of a Tensor refer to the same
// tensor.
#pragma once

#include <reprise/dtype.h>
#include <reprise/memory.h>
#include <reprise/scalar.h>
#include <reprise/sizes.h>

#include <functional>
#include <iosfwd>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace reprise {

struct AutogradMeta;      // autograd.h
struct ValuesAndIndices;  // ops.h

struct TensorBody {
  std::shared_ptr<Memory> memory;
  std::int64_t offset = 0;  // in elements
  Sizes sizes;
  Sizes strides;  // in elements
  DType dtype = DType::f32;
  std::shared_ptr<AutogradMeta> autograd;
};

class Tensor {
 public:
  Tensor() = default;  // undefined
  explicit Tensor(std::shared_ptr<TensorBody> body) : body_(std::move(body)) {}

  bool defined() const { return body_ != nullptr; }
  const Sizes& sizes() const { return body().sizes; }
  const Sizes& strides() const { return body().strides; }
  int dim() const { return body().sizes.size(); }
  std::int64_t size(std::int64_t dim) const { return sizes()[wrap_dimension(dim, sizes(), "size")]; }
  std::int64_t stride(std::int64_t dim) const { return strides()[wrap_dimension(dim, sizes(), "stride")]; }
  std::int64_t numel() const { return product(sizes()); }
  DType dtype() const { return body().dtype; }
  bool is_contiguous() const;
  bool is_same(const Tensor& other) const { return body_ == other.body_; }

  // The device address of the first element. data<T>() throws if T is not the element type.
  void* data() const {
    const TensorBody& own = body();
    return static_cast<char*>(Memory::data(own.memory)) + own.offset * static_cast<std::int64_t>(size_of(own.dtype));
  }
  template <class T>
  T* data() const {
    if (dtype_of<T> != dtype()) wrong_type(dtype_of<T>);
    return static_cast<T*>(data());
  }

  // Views of the same memory. One size of view and reshape may be -1 and is inferred. reshape copies if no view is
  // possible. narrow selects `length` indices of `dim` from `start`; select takes one index and removes the dimension.
  Tensor view(const Sizes& sizes) const;
  Tensor reshape(const Sizes& sizes) const;
  // With sizes as numbers: x.view(-1), x.view(2, -1).
  template <class... Numbers,
            class = std::enable_if_t<(sizeof...(Numbers) > 0) && (std::is_integral_v<Numbers> && ...)>>
  Tensor view(Numbers... sizes) const {
    return view(Sizes{static_cast<std::int64_t>(sizes)...});
  }
  template <class... Numbers,
            class = std::enable_if_t<(sizeof...(Numbers) > 0) && (std::is_integral_v<Numbers> && ...)>>
  Tensor reshape(Numbers... sizes) const {
    return reshape(Sizes{static_cast<std::int64_t>(sizes)...});
  }
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const;
  Tensor permute(const Sizes& dims) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor expand(const Sizes& sizes) const;
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;
  // x[i] is x.select(0, i). slice is Python's x[start:end:step] along `dim`: negative positions count from the end, and
  // positions outside are moved to the ends.
  Tensor operator[](std::int64_t index) const { return select(0, index); }
  Tensor slice(std::int64_t dim, std::int64_t start, std::int64_t end = std::numeric_limits<std::int64_t>::max(),
               std::int64_t step = 1) const;
  Tensor squeeze() const;  // all dimensions of size 1

  // The tensor itself if it already is contiguous or of that type, otherwise a copy.
  Tensor contiguous() const;
  Tensor to(DType dtype) const;
  Tensor clone() const;

  // In place, on the current stream.
  Tensor& copy_(const Tensor& from);
  Tensor& fill_(Scalar value);
  Tensor& zero_();
  Tensor& add_(const Tensor& other, double factor = 1);  // adds factor * other
  Tensor& add_(Scalar number);
  Tensor& sub_(const Tensor& other);
  Tensor& sub_(Scalar number);
  Tensor& mul_(const Tensor& other);
  Tensor& mul_(Scalar number);
  Tensor& div_(const Tensor& other);
  Tensor& div_(Scalar number);
  Tensor& operator+=(const Tensor& other) { return add_(other); }
  Tensor& operator+=(Scalar number) { return add_(number); }
  Tensor& operator-=(const Tensor& other) { return sub_(other); }
  Tensor& operator-=(Scalar number) { return sub_(number); }
  Tensor& operator*=(const Tensor& other) { return mul_(other); }
  Tensor& operator*=(Scalar number) { return mul_(number); }
  Tensor& operator/=(const Tensor& other) { return div_(other); }
  Tensor& operator/=(Scalar number) { return div_(number); }
  Tensor& clamp_(Scalar low, Scalar high);
  Tensor& masked_fill_(const Tensor& mask, Scalar value);
  // Fill with random numbers of the default generator, uniform or normal.
  Tensor& uniform_(double low = 0, double high = 1);
  Tensor& normal_(double mean = 0, double deviation = 1);

  // The functions of ops.h as methods: x.pow(2).sum().
  Tensor add(const Tensor& other) const;
  Tensor add(Scalar other) const;
  Tensor sub(const Tensor& other) const;
  Tensor sub(Scalar other) const;
  Tensor mul(const Tensor& other) const;
  Tensor mul(Scalar other) const;
  Tensor div(const Tensor& other) const;
  Tensor div(Scalar other) const;
  Tensor pow(const Tensor& exponent) const;
  Tensor pow(Scalar exponent) const;
  Tensor matmul(const Tensor& other) const;
  Tensor mm(const Tensor& other) const;
  Tensor bmm(const Tensor& other) const;
  Tensor neg() const;
  Tensor abs() const;
  Tensor exp() const;
  Tensor log() const;
  Tensor sqrt() const;
  Tensor rsqrt() const;
  Tensor square() const;
  Tensor reciprocal() const;
  Tensor sign() const;
  Tensor sin() const;
  Tensor cos() const;
  Tensor tanh() const;
  Tensor sigmoid() const;
  Tensor relu() const;
  Tensor erf() const;
  Tensor floor() const;
  Tensor ceil() const;
  Tensor round() const;
  Tensor trunc() const;
  Tensor clamp(Scalar low, Scalar high) const;
  Tensor softmax(std::int64_t dim) const;
  Tensor log_softmax(std::int64_t dim) const;
  Tensor eq(const Tensor& other) const;
  Tensor eq(Scalar other) const;
  Tensor ne(const Tensor& other) const;
  Tensor ne(Scalar other) const;
  Tensor sum(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor mean(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor prod() const;
  Tensor var(const Sizes& dims = {}, double correction = 1, bool keepdim = false) const;
  Tensor std(const Sizes& dims = {}, double correction = 1, bool keepdim = false) const;
  Tensor norm(double p = 2, const Sizes& dims = {}, bool keepdim = false) const;
  Tensor max() const;
  Tensor min() const;
  ValuesAndIndices max(std::int64_t dim, bool keepdim = false) const;
  ValuesAndIndices min(std::int64_t dim, bool keepdim = false) const;
  Tensor amax(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor amin(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor argmax() const;
  Tensor argmax(std::int64_t dim, bool keepdim = false) const;
  Tensor argmin() const;
  Tensor argmin(std::int64_t dim, bool keepdim = false) const;
  Tensor any(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor all(const Sizes& dims = {}, bool keepdim = false) const;
  Tensor logsumexp(const Sizes& dims, bool keepdim = false) const;
  Tensor cumsum(std::int64_t dim) const;
  ValuesAndIndices sort(std::int64_t dim = -1, bool descending = false) const;
  ValuesAndIndices topk(std::int64_t k, std::int64_t dim = -1, bool largest = true) const;
  Tensor index_select(std::int64_t dim, const Tensor& index) const;
  Tensor gather(std::int64_t dim, const Tensor& index) const;
  Tensor scatter(std::int64_t dim, const Tensor& index, const Tensor& source) const;
  Tensor scatter_add(std::int64_t dim, const Tensor& index, const Tensor& source) const;
  Tensor masked_fill(const Tensor& mask, Scalar value) const;
  Tensor masked_select(const Tensor& mask) const;
  Tensor repeat(const Sizes& repeats) const;
  Tensor flip(const Sizes& dims) const;

  // Copy values to the host and wait for the current stream. They throw while it is capturing, since a capture computes
  // nothing.
  template <class T>
  T item() const;
  template <class T>
  std::vector<T> to_vector() const;

  // Gradients (autograd.h). Results computed from a tensor that requires gradients require them, too.
  bool requires_grad() const;
  Tensor& requires_grad_(bool requires_grad = true);
  bool is_leaf() const;
  // The gradient that backward has accumulated; undefined at first.
  Tensor grad() const;
  void set_grad(const Tensor& grad) const;
  // Accumulates gradients in the leaves that this tensor was computed from. `gradient` is optional for a single
  // element.
  void backward(const Tensor& gradient = {}) const;
  // A tensor of the same memory, without history.
  Tensor detach() const;
  // Calls `hook` with the gradient of this tensor once it is complete; the hook may return a replacement.
  void register_hook(std::function<Tensor(const Tensor&)> hook) const;
  // Calls `hook` with this leaf after backward has accumulated its grad.
  void register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const;
  // Keeps the grad of a tensor that is not a leaf.
  void retain_grad() const;

  TensorBody& body() const {
    if (!body_) not_defined();
    return *body_;
  }
  const std::shared_ptr<TensorBody>& shared_body() const { return body_; }

 private:
  [[noreturn]] static void not_defined();
  [[noreturn]] void wrong_type(DType asked) const;

  std::shared_ptr<TensorBody> body_;
};

// Prints values in PyTorch's format; large tensors are abbreviated with "...".
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace reprise
