#include "kernels/tensor/views.h"

#include <optional>

#include "kernels/tensor/copy.h"

namespace reprise::kernels {
namespace {

// `sizes` with -1 replaced by the inferred size.
Sizes without_unknown(const Sizes& asked, const Tensor& x, const char* operation) {
  Sizes sizes = asked;
  int unknown = -1;
  std::int64_t known = 1;
  for (int i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != -1) {
      check(sizes[i] >= 0, operation, ": ", asked, " has a negative size");
      known *= sizes[i];
    } else {
      check(unknown < 0, operation, ": ", asked, " leaves more than one size open");
      unknown = i;
    }
  }
  if (unknown >= 0 && known > 0) sizes[unknown] = x.numel() / known;
  check(product(sizes) == x.numel() && !(unknown >= 0 && known == 0), operation, ": a tensor of ", x.sizes(), " has ",
        x.numel(), " elements and cannot be seen as ", asked);
  return sizes;
}

// The strides of a view with `sizes`, if a view is possible.
std::optional<Sizes> strides_for(const Tensor& x, const Sizes& sizes) {
  if (x.numel() == 0 || x.is_contiguous()) return contiguous_strides(sizes);
  const Sizes& from = x.sizes();
  Sizes strides = Sizes::filled(sizes.size(), 0);
  int to = sizes.size() - 1;
  // Splits each run of dimensions that can be merged into one.
  for (int i = from.size() - 1; i >= 0;) {
    std::int64_t inner = x.strides()[i], count = from[i];
    for (--i; i >= 0 && (from[i] == 1 || x.strides()[i] == inner * count); --i) count *= from[i];
    std::int64_t stride = inner;
    for (; to >= 0 && count % sizes[to] == 0 && (count > 1 || sizes[to] == 1); --to) {
      strides[to] = stride;
      stride *= sizes[to];
      count /= sizes[to];
    }
    if (count != 1) return std::nullopt;
  }
  return strides;
}

}  // namespace

Tensor as_strided(const Tensor& x, const Sizes& sizes, const Sizes& strides, std::int64_t offset) {
  auto body = std::make_shared<TensorBody>();
  body->memory = x.body().memory;
  body->offset = offset;
  body->sizes = sizes;
  body->strides = strides;
  body->dtype = x.dtype();
  return Tensor(std::move(body));
}

Tensor alias(const Tensor& x) { return as_strided(x, x.sizes(), x.strides(), x.body().offset); }

Tensor view(const Tensor& x, const Sizes& asked) {
  Sizes sizes = without_unknown(asked, x, "view");
  std::optional<Sizes> strides = strides_for(x, sizes);
  check(strides.has_value(), "view: a tensor of ", x.sizes(), " with strides ", x.strides(), " cannot be seen as ",
        sizes, " without a copy; use reshape");
  return as_strided(x, sizes, *strides, x.body().offset);
}

Tensor reshape(const Tensor& x, const Sizes& asked) {
  Sizes sizes = without_unknown(asked, x, "reshape");
  if (std::optional<Sizes> strides = strides_for(x, sizes)) return as_strided(x, sizes, *strides, x.body().offset);
  return view(clone(x), sizes);
}

Tensor transpose(const Tensor& x, std::int64_t dim0, std::int64_t dim1) {
  int a = wrap_dimension(dim0, x.sizes(), "transpose"), b = wrap_dimension(dim1, x.sizes(), "transpose");
  Sizes sizes = x.sizes(), strides = x.strides();
  std::swap(sizes[a], sizes[b]);
  std::swap(strides[a], strides[b]);
  return as_strided(x, sizes, strides, x.body().offset);
}

Tensor permute(const Tensor& x, const Sizes& dims) {
  check(dims.size() == x.dim(), "permute: ", dims, " does not name each dimension of ", x.sizes());
  Sizes sizes, strides;
  unsigned seen = 0;
  for (std::int64_t each : dims) {
    int dim = wrap_dimension(each, x.sizes(), "permute");
    check(!(seen >> dim & 1), "permute: ", dims, " names dimension ", dim, " of ", x.sizes(), " twice");
    seen |= 1u << dim;
    sizes.push_back(x.sizes()[dim]);
    strides.push_back(x.strides()[dim]);
  }
  return as_strided(x, sizes, strides, x.body().offset);
}

Tensor narrow(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t length) {
  int at = wrap_dimension(dim, x.sizes(), "narrow");
  check(x.dim() > 0 && start >= 0 && length >= 0 && start + length <= x.sizes()[at], "narrow: ", length, " from ",
        start, " on is not within dimension ", at, " of ", x.sizes());
  Sizes sizes = x.sizes();
  sizes[at] = length;
  return as_strided(x, sizes, x.strides(), x.body().offset + start * x.strides()[at]);
}

Tensor select(const Tensor& x, std::int64_t dim, std::int64_t index) {
  int at = wrap_dimension(dim, x.sizes(), "select");
  std::int64_t size = x.dim() ? x.sizes()[at] : 0;
  check(index >= -size && index < size, "select: there is no index ", index, " in dimension ", at, " of ", x.sizes());
  if (index < 0) index += size;
  Sizes sizes = x.sizes(), strides = x.strides();
  std::int64_t offset = x.body().offset + index * strides[at];
  sizes.erase(at);
  strides.erase(at);
  return as_strided(x, sizes, strides, offset);
}

Tensor slice(const Tensor& x, std::int64_t dim, std::int64_t start, std::int64_t end, std::int64_t step) {
  const int at = wrap_dimension(dim, x.sizes(), "slice");
  check(x.dim() > 0 && step > 0, "slice: steps of ", step, " along dimension ", dim, " of ", x.sizes());
  const std::int64_t size = x.sizes()[at];
  auto within = [size](std::int64_t place) {
    return std::min(std::max<std::int64_t>(place < 0 ? place + size : place, 0), size);
  };
  const std::int64_t from = within(start), to = std::max(within(end), from);
  Sizes sizes = x.sizes(), strides = x.strides();
  sizes[at] = (to - from + step - 1) / step;
  const std::int64_t offset = x.body().offset + (sizes[at] > 0 ? from * strides[at] : 0);
  strides[at] *= step;
  return as_strided(x, sizes, strides, offset);
}

Tensor squeeze(const Tensor& x, std::int64_t dim) {
  int at = wrap_dimension(dim, x.sizes(), "squeeze");
  if (x.dim() == 0 || x.sizes()[at] != 1) return alias(x);
  return select(x, at, 0);
}

Tensor unsqueeze(const Tensor& x, std::int64_t dim) {
  int at = wrap_dimension(dim, x.sizes(), "unsqueeze", 1);
  Sizes sizes = x.sizes(), strides = x.strides();
  std::int64_t stride = at < x.dim() ? sizes[at] * strides[at] : 1;
  sizes.insert(at, 1);
  strides.insert(at, stride);
  return as_strided(x, sizes, strides, x.body().offset);
}

Tensor expand(const Tensor& x, const Sizes& asked) {
  check(asked.size() >= x.dim(), "expand: ", asked, " has fewer dimensions than ", x.sizes());
  Sizes sizes = asked, strides = Sizes::filled(asked.size(), 0);
  int offset = asked.size() - x.dim();
  for (int i = 0; i < x.dim(); ++i) {
    std::int64_t own = x.sizes()[i];
    if (sizes[i + offset] == -1) sizes[i + offset] = own;
    check(own == sizes[i + offset] || own == 1, "expand: ", x.sizes(), " does not expand to ", asked);
    strides[i + offset] = own == sizes[i + offset] ? x.strides()[i] : 0;
  }
  for (std::int64_t size : sizes)
    check(size >= 0, "expand: ", asked, " leaves a size open that ", x.sizes(), " does not have");
  check(is_countable(sizes), "expand: a tensor cannot have the sizes ", sizes);
  return as_strided(x, sizes, strides, x.body().offset);
}

Sizes flattened_sizes(const Sizes& sizes, std::int64_t first, std::int64_t last) {
  int from = wrap_dimension(first, sizes, "flatten"), to = wrap_dimension(last, sizes, "flatten");
  check(from <= to, "flatten: dimension ", first, " of ", sizes, " comes after ", last);
  if (sizes.empty()) return {1};
  Sizes flat;
  for (int i = 0; i < sizes.size(); ++i) {
    if (i > from && i <= to) {
      flat[flat.size() - 1] *= sizes[i];
    } else {
      flat.push_back(sizes[i]);
    }
  }
  return flat;
}

}  // namespace reprise::kernels
