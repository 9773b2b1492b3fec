#include "raw/softmax.h"

#include "raw/empty.h"
#include "raw/row_group.h"
#include "raw/single_precision.h"
#include "raw/views.h"

namespace reprise::raw {
namespace {

template <class Group>
__global__ void softmax_rows(float* __restrict__ to, const float* __restrict__ from, std::int64_t rows, int columns) {
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  from += row * columns;
  const float most = Group::max(columns, [&](int i) { return from[i]; });
  Group::for_each(columns, [&](int i) { to[i] = expf(from[i] - most); });
  const float factor = 1 / Group::sum(columns, [&](int i) { return to[i]; });
  Group::for_each(columns, [&](int i) { to[i] *= factor; });
}

template <class Group>
__global__ void log_softmax_rows(float* __restrict__ to, const float* __restrict__ from, std::int64_t rows, int columns) {
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  from += row * columns;
  const float most = Group::max(columns, [&](int i) { return from[i]; });
  Group::for_each(columns, [&](int i) { to[i] = expf(from[i] - most); });
  const float shift = most + logf(Group::sum(columns, [&](int i) { return to[i]; }));
  Group::for_each(columns, [&](int i) { to[i] = from[i] - shift; });
}

template <class Group>
__global__ void softmax_backward_rows(float* __restrict__ to, const float* __restrict__ grad, const float* __restrict__ result, float scale,
                                      std::int64_t rows, int columns) {
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  grad += row * columns;
  result += row * columns;
  const float dot = Group::sum(columns, [&](int i) { return grad[i] * result[i]; });
  Group::for_each(columns, [&](int i) { to[i] = scale * result[i] * (grad[i] - dot); });
}

template <class Group>
__global__ void log_softmax_backward_rows(float* __restrict__ to, const float* __restrict__ grad, const float* __restrict__ result,
                                          std::int64_t rows, int columns) {
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  grad += row * columns;
  result += row * columns;
  const float sum = Group::sum(columns, [&](int i) { return grad[i]; });
  Group::for_each(columns, [&](int i) { to[i] = grad[i] - expf(result[i]) * sum; });
}

// Of a row only the first `seen` columns count; the others' weights are zero.
template <class Group>
__global__ void attention_rows(float* __restrict__ to, const float* __restrict__ from, float scale, int queries, bool causal,
                               std::int64_t rows, int columns) {
  const std::int64_t row = Group::row();
  if (row >= rows) return;
  to += row * columns;
  from += row * columns;
  const int seen = causal ? min(columns, static_cast<int>(row % queries) + 1 + columns - queries) : columns;
  const float most = Group::max(seen, [&](int i) { return from[i]; });
  Group::for_each(columns, [&](int i) { to[i] = i < seen ? expf(scale * (from[i] - most)) : 0; });
  const float factor = 1 / Group::sum(columns, [&](int i) { return to[i]; });
  Group::for_each(columns, [&](int i) { to[i] *= factor; });
}

// Calls run(to, operands...) with dense f32 tensors whose last dimension is `dim`; the result has the type of the first.
template <class Run, class... Operands>
Tensor along(const char* operation, std::int64_t dim, const Run& run, const Tensor& first, const Operands&... others) {
  const int last = first.dim() - 1;
  if (last < 0) return raw::view(along(operation, 0, run, raw::unsqueeze(first, 0), raw::unsqueeze(others, 0)...), {});
  const int own = wrap_dimension(dim, first.dim(), operation);
  auto prepared = [&](const Tensor& x) {
    check(x.sizes() == first.sizes(), operation, ": a gradient of ", first.sizes(), " for a result of ", x.sizes());
    return single_precision(own == last ? x : raw::transpose(x, own, last), operation);
  };
  const Tensor x = prepared(first);
  Tensor to = empty(x.sizes());
  if (x.numel() > 0) run(to, x, prepared(others)...);
  if (own != last) to = contiguous(raw::transpose(to, own, last));
  return raw::to(to, first.dtype());
}

std::int64_t columns_of(const Tensor& x) { return x.sizes().back(); }
std::int64_t rows_of(const Tensor& x) { return x.numel() / columns_of(x); }

}  // namespace

Tensor softmax(const Tensor& x, std::int64_t dim) {
  return along("softmax", dim, [](const Tensor& to, const Tensor& x) {
    launch_rows("softmax", softmax_rows<ShortRow>, softmax_rows<LongRow>, rows_of(x), columns_of(x), to.data<float>(), x.data<float>());
  }, x);
}

Tensor log_softmax(const Tensor& x, std::int64_t dim) {
  return along("log_softmax", dim, [](const Tensor& to, const Tensor& x) {
    launch_rows("log_softmax", log_softmax_rows<ShortRow>, log_softmax_rows<LongRow>, rows_of(x), columns_of(x), to.data<float>(),
                x.data<float>());
  }, x);
}

Tensor softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  return along("softmax_backward", dim, [](const Tensor& to, const Tensor& grad, const Tensor& result) {
    launch_rows("softmax_backward", softmax_backward_rows<ShortRow>, softmax_backward_rows<LongRow>, rows_of(grad), columns_of(grad),
                to.data<float>(), grad.data<float>(), result.data<float>(), 1.0f);
  }, grad, result);
}

Tensor log_softmax_backward(const Tensor& grad, const Tensor& result, std::int64_t dim) {
  return along("log_softmax_backward", dim, [](const Tensor& to, const Tensor& grad, const Tensor& result) {
    launch_rows("log_softmax_backward", log_softmax_backward_rows<ShortRow>, log_softmax_backward_rows<LongRow>, rows_of(grad), columns_of(grad),
                to.data<float>(), grad.data<float>(), result.data<float>());
  }, grad, result);
}

Tensor attention_weights(const Tensor& scores, double scale, bool causal) {
  check(scores.dim() >= 2, "attention_weights: expects scores [..., queries, keys], not ", scores.sizes());
  check(scale > 0, "attention_weights: the scale must be positive, not ", scale);
  check(!causal || scores.size(-1) >= scores.size(-2), "attention_weights: causal needs at least as many keys as queries, not ",
        scores.sizes());
  return along("attention_weights", -1, [&](const Tensor& to, const Tensor& x) {
    launch_rows("attention_weights", attention_rows<ShortRow>, attention_rows<LongRow>, rows_of(x), columns_of(x), to.data<float>(),
                x.data<float>(), static_cast<float>(scale), static_cast<int>(x.size(-2)), causal);
  }, scores);
}

Tensor attention_weights_backward(const Tensor& grad, const Tensor& weights, double scale) {
  return along("attention_weights_backward", -1, [&](const Tensor& to, const Tensor& grad, const Tensor& weights) {
    launch_rows("attention_weights_backward", softmax_backward_rows<ShortRow>, softmax_backward_rows<LongRow>, rows_of(grad), columns_of(grad),
                to.data<float>(), grad.data<float>(), weights.data<float>(), static_cast<float>(scale));
  }, grad, weights);
}

}  // namespace reprise::raw
