// cat, stack and split.
#include <reprise/ops.h>

#include <algorithm>

#include "autograd/record.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"
#include "kernels/tensor/views.h"

namespace reprise {

using autograd::Node;
using autograd::Tensors;

namespace {

Sizes joined_sizes(const Tensors& tensors, int dim, DType* dtype) {
  Sizes sizes = tensors[0].sizes();
  sizes[dim] = 0;
  *dtype = tensors[0].dtype();
  for (const Tensor& tensor : tensors) {
    Sizes others = tensor.sizes();
    check(others.size() == sizes.size(), "cat of ", tensor.sizes(), " with ", tensors[0].sizes());
    const std::int64_t length = others[dim];
    others[dim] = sizes[dim];
    check(others == sizes, "cat along dimension ", dim, " of ", tensor.sizes(), " with ", tensors[0].sizes());
    sizes[dim] += length;
    *dtype = promote(*dtype, tensor.dtype());
  }
  return sizes;
}

}  // namespace

Tensor cat(const Tensors& tensors, std::int64_t dim) {
  check(!tensors.empty(), "cat of no tensors");
  const int along = wrap_dimension(dim, tensors[0].sizes(), "cat");
  DType dtype;
  const Sizes sizes = joined_sizes(tensors, along, &dtype);
  Tensor y = kernels::empty(sizes, dtype);
  std::int64_t at = 0;
  for (const Tensor& tensor : tensors) {
    kernels::copy_(kernels::narrow(y, along, at, tensor.size(along)), tensor);
    at += tensor.size(along);
  }
  if (std::any_of(tensors.begin(), tensors.end(), [](const Tensor& x) { return autograd::wants_gradient(x); })) {
    std::vector<std::pair<std::int64_t, DType>> parts;
    for (const Tensor& tensor : tensors) parts.emplace_back(tensor.size(along), tensor.dtype());
    auto node =
        autograd::record_results<false>({&y}, "cat", tensors, [parts, along](const Tensor& gradient, Node& node) {
          Tensors gradients;
          std::int64_t at = 0;
          for (const auto& [length, dtype] : parts) {
            gradients.push_back(node.wants(gradients.size()) ? gradient.narrow(along, at, length).to(dtype) : Tensor());
            at += length;
          }
          return gradients;
        });
    node->set_keeps_nothing();
  }
  return y;
}

Tensor stack(const Tensors& tensors, std::int64_t dim) {
  check(!tensors.empty(), "stack of no tensors");
  const int along = wrap_dimension(dim, tensors[0].sizes(), "stack", 1);
  Tensors thicker;
  for (const Tensor& tensor : tensors) {
    check(tensor.sizes() == tensors[0].sizes(), "stack of ", tensor.sizes(), " with ", tensors[0].sizes());
    thicker.push_back(tensor.unsqueeze(along));
  }
  return cat(thicker, along);
}

Tensors split(const Tensor& x, std::int64_t size, std::int64_t dim) {
  check(size > 0, "split of ", x.sizes(), " into parts of ", size);
  const int along = wrap_dimension(dim, x.sizes(), "split");
  Tensors parts;
  for (std::int64_t at = 0; at < x.size(along); at += size) {
    parts.push_back(x.narrow(along, at, std::min(size, x.size(along) - at)));
  }
  return parts;
}

Tensors chunk(const Tensor& x, std::int64_t chunks, std::int64_t dim) {
  check(chunks > 0, "chunk of ", x.sizes(), " into ", chunks);
  const std::int64_t size = x.size(wrap_dimension(dim, x.sizes(), "chunk"));
  return split(x, std::max<std::int64_t>((size + chunks - 1) / chunks, 1), dim);
}

Tensors unbind(const Tensor& x, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "unbind");
  Tensors parts;
  for (std::int64_t i = 0; i < x.size(along); ++i) parts.push_back(x.select(along, i));
  return parts;
}

Tensor movedim(const Tensor& x, std::int64_t source, std::int64_t destination) {
  const int from = wrap_dimension(source, x.sizes(), "movedim"), to = wrap_dimension(destination, x.sizes(), "movedim");
  Sizes order;
  for (int i = 0; i < x.dim(); ++i) {
    if (i != from) order.push_back(i);
  }
  order.insert(to, from);
  return x.permute(order);
}

}  // namespace reprise
