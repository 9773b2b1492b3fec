// Reading and writing by indices, sorting, scans.
#include "kernels/indexing/indexing.h"

#include <cmath>

#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/random/random.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/factories.h"
#include "kernels/tensor/views.h"
#include "ops/broadcast.h"

namespace reprise {

using autograd::Node;
using autograd::record;
using autograd::SavedTensor;
using autograd::Tensors;
using autograd::wants_gradient;
using kernels::Scatter;
using ops::Shape;

namespace {

Tensor scattered(Scatter kind, const Tensor& x, int dim, const Tensor& index, const Tensor& source, const char* name);

// Zeros after the end, since an index may leave out the end of its source.
Tensor pad_to(const Tensor& x, const Sizes& sizes) {
  Sizes padding;
  for (int i = x.dim() - 1; i >= 0; --i) {
    padding.push_back(0);
    padding.push_back(sizes[i] - x.size(i));
  }
  return pad(x, padding);
}

// The gradient of reading is adding at the places that were read.
Tensor gathered(const Tensor& x, int dim, const Tensor& index, const char* name, const char* what) {
  Tensor y = kernels::gather(x, dim, index, what);
  if (wants_gradient(x)) {
    record(
        y, name, {x}, [index = SavedTensor(index, name), shape = Shape(x), dim, name](const Tensor& gradient, Node&) {
          return Tensors{scattered(Scatter::add, kernels::zeros(shape.sizes, shape.dtype), dim, index, gradient, name)};
        });
  }
  return y;
}

Tensor scattered(Scatter kind, const Tensor& x, int dim, const Tensor& index, const Tensor& source, const char* name) {
  Tensor y = kernels::clone(x);
  kernels::scatter_(kind, y, dim, index, source, name);
  if (wants_gradient(x, source)) {
    record(y, name, {x, source},
           [index = SavedTensor(index, name), source = Shape(source), kind, dim, name](const Tensor& gradient,
                                                                                       Node& node) {
             Tensors gradients(2);
             if (node.wants(0)) {
               gradients[0] = gradient;
               if (kind == Scatter::assign) {
                 Sizes sizes = index.get().dim() == gradient.dim() ? index.get().sizes() : source.sizes;
                 gradients[0] = scattered(kind, gradient, dim, index, kernels::zeros(sizes, gradient.dtype()), name);
               }
             }
             if (node.wants(1)) {
               const Tensor read = gathered(gradient, dim, index, name, name);
               gradients[1] = read.sizes() == source.sizes ? read : pad_to(read, source.sizes);
             }
             return gradients;
           });
  }
  return y;
}

}  // namespace

Tensor index_select(const Tensor& x, std::int64_t dim, const Tensor& index) {
  check(index.dim() <= 1, "index_select: an index of ", index.sizes(), " is not a vector");
  return gathered(x, wrap_dimension(dim, x.sizes(), "index_select"), index.reshape({-1}), "index_select",
                  "index_select: index");
}

Tensor gather(const Tensor& x, std::int64_t dim, const Tensor& index) {
  check(index.dim() == x.dim(), "gather: an index of ", index.sizes(), " for ", x.sizes());
  return gathered(x, wrap_dimension(dim, x.sizes(), "gather"), index, "gather", "gather: index");
}

Tensor scatter(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source) {
  check(index.dim() == x.dim(), "scatter: an index of ", index.sizes(), " for ", x.sizes());
  return scattered(Scatter::assign, x, wrap_dimension(dim, x.sizes(), "scatter"), index, source, "scatter");
}

Tensor scatter_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source) {
  check(index.dim() == x.dim(), "scatter_add: an index of ", index.sizes(), " for ", x.sizes());
  return scattered(Scatter::add, x, wrap_dimension(dim, x.sizes(), "scatter_add"), index, source, "scatter_add");
}

Tensor index_add(const Tensor& x, std::int64_t dim, const Tensor& index, const Tensor& source) {
  check(index.dim() == 1, "index_add: an index of ", index.sizes(), " is not a vector");
  return scattered(Scatter::add, x, wrap_dimension(dim, x.sizes(), "index_add"), index, source, "index_add");
}

Tensor index_put(const Tensor& x, const Tensor& index, const Tensor& values, bool accumulate) {
  check(index.dim() == 1, "index_put: an index of ", index.sizes(), " is not a vector");
  Sizes sizes = x.sizes();
  check(!sizes.empty(), "index_put into a tensor without dimensions");
  sizes[0] = index.size(0);
  return scattered(accumulate ? Scatter::add : Scatter::assign, x, 0, index, values.expand(sizes), "index_put");
}

Tensor one_hot(const Tensor& classes, std::int64_t num_classes) {
  check(num_classes > 0, "one_hot: ", num_classes, " classes");
  return kernels::to(kernels::eq(kernels::unsqueeze(classes, -1), kernels::arange(0, num_classes)), DType::i64);
}

Tensor cumsum(const Tensor& x, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "cumsum");
  Tensor y = kernels::scan(kernels::Scan::sum, x, along);
  if (wants_gradient(x)) {
    record(y, "cumsum", {x}, [along](const Tensor& gradient, Node&) {
      return Tensors{flip(cumsum(flip(gradient, {along}), along), {along})};
    });
  }
  return y;
}

Tensor cumprod(const Tensor& x, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "cumprod");
  Tensor y = kernels::scan(kernels::Scan::product, x, along);
  if (wants_gradient(x)) {
    record(y, "cumprod", {x}, [kept = SavedTensor(x, "cumprod"), along](const Tensor& gradient, Node&) {
      // Without zeros: the sum over later products, divided by the factor.
      const Tensor& x = kept;
      const Tensor weighted = mul(gradient, cumprod(x, along));
      return Tensors{div(flip(cumsum(flip(weighted, {along}), along), {along}), x)};
    });
  }
  return y;
}

ValuesAndIndices sort(const Tensor& x, std::int64_t dim, bool descending) {
  const int along = wrap_dimension(dim, x.sizes(), "sort");
  kernels::Sorted made = kernels::sort(x, along, descending);
  if (wants_gradient(x)) {
    record(made.values, "sort", {x}, [index = made.indices, shape = Shape(x), along](const Tensor& gradient, Node&) {
      return Tensors{scattered(Scatter::add, kernels::zeros(shape.sizes, shape.dtype), along, index, gradient, "sort")};
    });
  }
  return {made.values, made.indices};
}

Tensor argsort(const Tensor& x, std::int64_t dim, bool descending) {
  return kernels::sort(x, wrap_dimension(dim, x.sizes(), "argsort"), descending).indices;
}

ValuesAndIndices topk(const Tensor& x, std::int64_t k, std::int64_t dim, bool largest) {
  const int along = wrap_dimension(dim, x.sizes(), "topk");
  check(k >= 0 && x.dim() > 0 && k <= x.size(along), "topk: ", k, " along dimension ", along, " of ", x.sizes());
  const ValuesAndIndices all = sort(x, along, largest);
  return {all.values.narrow(along, 0, k).contiguous(), kernels::contiguous(kernels::narrow(all.indices, along, 0, k))};
}

Tensor nonzero(const Tensor& x) {
  const std::vector<bool> chosen = kernels::ne(x, 0).to_vector<bool>();
  std::vector<std::int64_t> places;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    ++count;
    std::int64_t rest = static_cast<std::int64_t>(i);
    const std::size_t first = places.size();
    places.resize(first + static_cast<std::size_t>(x.dim()));
    for (int d = x.dim() - 1; d >= 0; --d) {
      places[first + static_cast<std::size_t>(d)] = rest % x.size(d);
      rest /= x.size(d);
    }
  }
  return kernels::from_vector(places, {count, x.dim()});
}

Tensor masked_select(const Tensor& x, const Tensor& mask) {
  check(mask.dtype() == DType::boolean, "masked_select: the mask is of ", mask.dtype(), " ", mask.sizes(),
        ", not of bool");
  const Sizes sizes = broadcast(x.sizes(), mask.sizes(), "masked_select");
  const Tensor places = nonzero(kernels::reshape(kernels::expand(mask, sizes), {-1}));
  return index_select(x.expand(sizes).reshape({-1}), 0, kernels::view(places, {-1}));
}

Tensor multinomial(const Tensor& weights, std::int64_t num_samples, bool replacement) {
  check(weights.dim() == 1 || weights.dim() == 2, "multinomial: expects weights [columns] or [rows, columns], not ",
        weights.sizes());
  check(num_samples > 0 && (replacement || num_samples <= weights.size(-1)), "multinomial: ", num_samples,
        " samples of ", weights.sizes(), replacement ? "" : " without replacement");
  NoGradGuard guard;
  const Tensor single = weights.to(DType::f32);
  if (!replacement) {
    // The order of exponential variables with rates as weights is that of drawing without replacement.
    const Tensor draws = neg(log1p(neg(kernels::rand(weights.sizes()))));
    return topk(div(draws, single), num_samples, -1, false).indices;
  }
  const Tensor rows = single.dim() == 1 ? single.unsqueeze(0) : single, sums = cumsum(rows, 1);
  const Tensor draws = mul(kernels::rand({rows.size(0), num_samples}), sums.narrow(1, rows.size(1) - 1, 1));
  // The number of columns whose sum is not above the draw.
  const Tensor below = kernels::le(sums.unsqueeze(1), draws.unsqueeze(2));
  const Tensor places = clamp(sum(below, {2}), 0, rows.size(1) - 1);
  return single.dim() == 1 ? places.view({num_samples}) : places;
}

namespace {

// Along one dimension, x at the given indices of the host.
Tensor picked(const Tensor& x, int dim, const std::vector<std::int64_t>& index, const char* name) {
  return gathered(x, dim, kernels::from_vector(index), name, name);
}

}  // namespace

Tensor flip(const Tensor& x, const Sizes& dims) {
  Tensor y = x;
  for (std::int64_t dim : dims) {
    const int along = wrap_dimension(dim, x.sizes(), "flip");
    const std::int64_t size = x.dim() ? x.size(along) : 1;
    if (size <= 1) continue;
    y = gathered(y, along, kernels::arange(size - 1, -1, -1), "flip", "flip");
  }
  return y.is_same(x) ? x.clone() : y;
}

Tensor roll(const Tensor& x, std::int64_t shift, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "roll");
  const std::int64_t size = x.dim() ? x.size(along) : 1;
  if (size <= 1) return x.clone();
  const std::int64_t first = ((-shift) % size + size) % size;
  if (first == 0) return x.clone();
  return cat({x.narrow(along, first, size - first), x.narrow(along, 0, first)}, along);
}

Tensor repeat(const Tensor& x, const Sizes& repeats) {
  check(repeats.size() >= x.dim(), "repeat: ", repeats, " for ", x.sizes());
  Sizes own = Sizes::filled(repeats.size() - x.dim(), 1);
  for (std::int64_t size : x.sizes()) own.push_back(size);
  Tensor y = x.reshape(own);
  for (int i = 0; i < repeats.size(); ++i) {
    check(repeats[i] >= 0, "repeat: ", repeats, " for ", x.sizes());
    if (repeats[i] == 1) continue;
    y = cat(std::vector<Tensor>(static_cast<std::size_t>(repeats[i]), y), i);
  }
  return y.is_same(x) ? x.clone() : y;
}

Tensor repeat_interleave(const Tensor& x, std::int64_t repeats, std::int64_t dim) {
  const int along = wrap_dimension(dim, x.sizes(), "repeat_interleave");
  check(repeats > 0, "repeat_interleave: ", repeats, " repeats");
  Sizes wide = x.sizes(), merged = x.sizes();
  wide.insert(along + 1, repeats);
  merged[along] *= repeats;
  return x.unsqueeze(along + 1).expand(wide).reshape(merged);
}

namespace {

Tensor padded_constant(const Tensor& x, const Sizes& before, const Sizes& after, double value) {
  Sizes sizes = x.sizes();
  for (int i = 0; i < x.dim(); ++i) sizes[i] += before[i] + after[i];
  for (std::int64_t size : sizes) check(size >= 0, "pad: ", x.sizes(), " would become ", sizes);
  Tensor y = kernels::full(sizes, value, x.dtype());
  auto inside = [before, own = x.sizes()](const Tensor& all) {
    Tensor part = all;
    for (int i = 0; i < own.size(); ++i) part = part.narrow(i, before[i], own[i]);
    return part;
  };
  {
    NoGradGuard guard;
    kernels::copy_(inside(y), x);
  }
  if (wants_gradient(x))
    record(y, "pad", {x}, [inside](const Tensor& gradient, Node&) { return Tensors{inside(gradient)}; });
  return y;
}

// Negative amounts remove elements.
Tensor cropped(const Tensor& x, Sizes& before, Sizes& after) {
  Tensor y = x;
  for (int i = 0; i < x.dim(); ++i) {
    const std::int64_t from = before[i] < 0 ? -before[i] : 0, to = after[i] < 0 ? -after[i] : 0;
    if (from + to > 0) y = y.narrow(i, from, x.size(i) - from - to);
    before[i] = std::max<std::int64_t>(before[i], 0);
    after[i] = std::max<std::int64_t>(after[i], 0);
  }
  return y;
}

}  // namespace

Tensor pad(const Tensor& x, const Sizes& padding, const std::string& mode, double value) {
  check(padding.size() % 2 == 0 && padding.size() / 2 <= x.dim(), "pad: ", padding, " for ", x.sizes());
  check(mode == "constant" || mode == "reflect" || mode == "replicate", "pad: the mode \"", mode,
        "\" is not \"constant\", \"reflect\" or \"replicate\"");
  Sizes before = Sizes::filled(x.dim(), 0), after = before;
  for (int i = 0; i < padding.size() / 2; ++i) {
    before[x.dim() - 1 - i] = padding[2 * i];
    after[x.dim() - 1 - i] = padding[2 * i + 1];
  }
  Tensor y = cropped(x, before, after);
  if (mode == "constant") return padded_constant(y, before, after, value);
  for (int d = 0; d < x.dim(); ++d) {
    if (before[d] == 0 && after[d] == 0) continue;
    const std::int64_t size = y.size(d);
    const bool reflects = mode == "reflect";
    check(size > 0 && (!reflects || std::max(before[d], after[d]) < size), "pad: ", mode, " by ", padding, " for ",
          x.sizes());
    std::vector<std::int64_t> index;
    for (std::int64_t i = -before[d]; i < size + after[d]; ++i) {
      const std::int64_t mirrored = i < 0 ? -i : i >= size ? 2 * (size - 1) - i : i;
      index.push_back(reflects ? mirrored : std::min(std::max<std::int64_t>(i, 0), size - 1));
    }
    y = picked(y, d, index, "pad");
  }
  return y;
}

Tensor interpolate(const Tensor& x, IntPair size, const std::string& mode, bool align_corners) {
  check(x.dim() == 4, "interpolate: expects images [batch, channels, height, width], not ", x.sizes());
  check(size.height > 0 && size.width > 0, "interpolate: ", x.sizes(), " to ", size);
  check(mode == "nearest" || mode == "bilinear", "interpolate: the mode \"", mode,
        "\" is not \"nearest\" or \"bilinear\"");
  Tensor y = x;
  for (int d = 2; d < 4; ++d) {
    const std::int64_t from = x.size(d), to = d == 2 ? size.height : size.width;
    std::vector<std::int64_t> low, high;
    std::vector<float> share;
    for (std::int64_t i = 0; i < to; ++i) {
      if (mode == "nearest") {
        const float scale = static_cast<float>(from) / static_cast<float>(to);
        low.push_back(std::min(static_cast<std::int64_t>(std::floor(static_cast<float>(i) * scale)), from - 1));
        continue;
      }
      const double scale = align_corners ? (to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0)
                                         : static_cast<double>(from) / static_cast<double>(to);
      const double place =
          align_corners ? scale * static_cast<double>(i) : std::max(scale * (static_cast<double>(i) + 0.5) - 0.5, 0.0);
      const auto first = std::min(static_cast<std::int64_t>(place), from - 1);
      low.push_back(first);
      high.push_back(std::min(first + 1, from - 1));
      share.push_back(static_cast<float>(place - static_cast<double>(first)));
    }
    const Tensor near = picked(y, d, low, "interpolate");
    if (mode == "nearest") {
      y = near;
      continue;
    }
    Sizes sizes = Sizes::filled(4, 1);
    sizes[d] = to;
    const Tensor weight = kernels::to(kernels::from_vector(share, sizes), x.dtype());
    y = add(near, mul(sub(picked(y, d, high, "interpolate"), near), weight));
  }
  return y;
}

}  // namespace reprise
