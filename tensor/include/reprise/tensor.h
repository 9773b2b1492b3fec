// A tensor: a view of device memory by sizes and strides. Copies of a Tensor are the same tensor.
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
  Tensor() = default;  // not a tensor yet: defined() is false
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

  // Device addresses. data<T>() refuses a T that is not the element type.
  void* data() const {
    const TensorBody& own = body();
    return static_cast<char*>(Memory::data(own.memory)) + own.offset * static_cast<std::int64_t>(size_of(own.dtype));
  }
  template <class T>
  T* data() const {
    if (dtype_of<T> != dtype()) wrong_type(dtype_of<T>);
    return static_cast<T*>(data());
  }

  // Views of the same memory. -1 among the sizes of view and reshape stands for what is left; reshape copies where no
  // view is possible; narrow takes `length` indices of `dim` from `start` on; select takes one and drops the dimension.
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

  // Itself where it is so already, else a copy.
  Tensor contiguous() const;
  Tensor to(DType dtype) const;
  Tensor clone() const;

  // In place, on the current stream.
  Tensor& copy_(const Tensor& from);
  Tensor& fill_(double value);
  Tensor& zero_();
  Tensor& add_(const Tensor& other, double factor = 1);  // adds factor * other
  Tensor& add_(Scalar number);
  Tensor& sub_(const Tensor& other);
  Tensor& sub_(Scalar number);
  Tensor& mul_(const Tensor& other);
  Tensor& mul_(Scalar number);
  Tensor& div_(const Tensor& other);
  Tensor& div_(Scalar number);
  // Random numbers of the default generator: evenly between low and high; normally distributed.
  Tensor& uniform_(double low = 0, double high = 1);
  Tensor& normal_(double mean = 0, double deviation = 1);

  // Waits for the current stream; refused while it is capturing, since nothing is computed then.
  template <class T>
  T item() const;
  template <class T>
  std::vector<T> to_vector() const;

  // Gradients (autograd.h). What is computed from a tensor that requires them requires them too.
  bool requires_grad() const;
  Tensor& requires_grad_(bool requires_grad = true);
  bool is_leaf() const;
  // What backward has added up so far; undefined at first.
  Tensor grad() const;
  void set_grad(const Tensor& grad) const;
  // From this tensor to all leaves it came from; `gradient` may be left out for a single element.
  void backward(const Tensor& gradient = {}) const;
  // The same memory, not recorded.
  Tensor detach() const;
  // `hook` sees this tensor's gradient when it is complete and may return another in its place.
  void register_hook(std::function<Tensor(const Tensor&)> hook) const;
  // `hook` gets this leaf once backward has added to its grad.
  void register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const;
  // A tensor that is no leaf shall have its grad kept as well.
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

// Values and what they are: PyTorch's form, with "..." inside large ones.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);

}  // namespace reprise
