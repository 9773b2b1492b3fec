// A tensor: a view of device memory with sizes, strides and an element type. Copies of a Tensor refer to the same
// tensor.
#pragma once

#include <reprise/dtype.h>
#include <reprise/memory.h>
#include <reprise/scalar.h>
#include <reprise/sizes.h>

#include <functional>
#include <iosfwd>
#include <memory>
#include <vector>

namespace reprise {

struct AutogradMeta;  // autograd.h

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
  Tensor transpose(std::int64_t dim0, std::int64_t dim1) const;
  Tensor t() const;
  Tensor permute(const Sizes& dims) const;
  Tensor narrow(std::int64_t dim, std::int64_t start, std::int64_t length) const;
  Tensor select(std::int64_t dim, std::int64_t index) const;
  Tensor squeeze(std::int64_t dim) const;
  Tensor unsqueeze(std::int64_t dim) const;
  Tensor expand(const Sizes& sizes) const;
  Tensor flatten(std::int64_t first = 0, std::int64_t last = -1) const;

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
  // Fill with random numbers of the default generator, uniform or normal.
  Tensor& uniform_(double low = 0, double high = 1);
  Tensor& normal_(double mean = 0, double deviation = 1);

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
