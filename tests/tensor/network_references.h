// Reference implementations of network operations: plain loops in double precision.
#pragma once

#include "gradient_check.h"

namespace reprise::test {

// Calls row(begin, stride, length) for each line of `sizes` along `dim`.
template <class Row>
void for_each_row(const Sizes& sizes, int dim, Row row) {
  if (product(sizes) == 0) return;
  std::size_t stride = 1;
  for (int i = dim + 1; i < sizes.size(); ++i) stride *= static_cast<std::size_t>(sizes[i]);
  const auto length = static_cast<std::size_t>(sizes[dim]);
  const auto outer = static_cast<std::size_t>(product(sizes)) / (stride * length);
  for (std::size_t i = 0; i < outer; ++i) {
    for (std::size_t k = 0; k < stride; ++k) row(i * length * stride + k, stride, length);
  }
}

inline Array softmax_of(const Array& in, int dim) {
  Array out(in.sizes);
  for_each_row(in.sizes, dim, [&](std::size_t begin, std::size_t stride, std::size_t length) {
    double sum = 0;
    for (std::size_t i = 0; i < length; ++i) sum += std::exp(in.values[begin + i * stride]);
    for (std::size_t i = 0; i < length; ++i)
      out.values[begin + i * stride] = std::exp(in.values[begin + i * stride]) / sum;
  });
  return out;
}

// Over the last dimension; weight and bias, if any, follow x.
inline Array normalized(const Arrays& in) {
  Array out(in[0].sizes);
  for_each_row(in[0].sizes, in[0].sizes.size() - 1, [&](std::size_t begin, std::size_t, std::size_t length) {
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < length; ++i) mean += in[0].values[begin + i] / static_cast<double>(length);
    for (std::size_t i = 0; i < length; ++i)
      variance += std::pow(in[0].values[begin + i] - mean, 2) / static_cast<double>(length);
    for (std::size_t i = 0; i < length; ++i) {
      double y = (in[0].values[begin + i] - mean) / std::sqrt(variance + 1e-5);
      if (in.size() > 1) y *= in[1].values[i];
      if (in.size() > 2) y += in[2].values[i];
      out.values[begin + i] = y;
    }
  });
  return out;
}

// [batch, in, height, width] by [out, in, height, width], and an optional bias.
inline Array convolved(const Arrays& in, std::int64_t stride, std::int64_t padding, std::int64_t dilation) {
  const Array &x = in[0], &w = in[1];
  auto results = [&](int dim) { return (x.sizes[dim] + 2 * padding - dilation * (w.sizes[dim] - 1) - 1) / stride + 1; };
  Array out({x.sizes[0], w.sizes[0], results(2), results(3)});
  for_each_index(out.sizes, [&](const Sizes& at) {
    double sum = in.size() > 2 ? in[2].values[static_cast<std::size_t>(at[1])] : 0;
    for_each_index({w.sizes[1], w.sizes[2], w.sizes[3]}, [&](const Sizes& k) {
      const std::int64_t row = at[2] * stride + k[1] * dilation - padding,
                         column = at[3] * stride + k[2] * dilation - padding;
      if (row < 0 || column < 0 || row >= x.sizes[2] || column >= x.sizes[3]) return;
      sum += x.at({at[0], k[0], row, column}) * w.at({at[1], k[0], k[1], k[2]});
    });
    out.at(at) = sum;
  });
  return out;
}

inline Array pooled(const Array& x, std::int64_t size, std::int64_t stride, std::int64_t padding, bool greatest) {
  auto results = [&](int dim) { return (x.sizes[dim] + 2 * padding - size) / stride + 1; };
  Array out({x.sizes[0], x.sizes[1], results(2), results(3)});
  for_each_index(out.sizes, [&](const Sizes& at) {
    double most = -1e9, sum = 0;
    for_each_index({size, size}, [&](const Sizes& k) {
      const std::int64_t row = at[2] * stride + k[0] - padding, column = at[3] * stride + k[1] - padding;
      if (row < 0 || column < 0 || row >= x.sizes[2] || column >= x.sizes[3]) return;
      const double value = x.at({at[0], at[1], row, column});
      most = std::max(most, value);
      sum += value;
    });
    out.at(at) = greatest ? most : sum / static_cast<double>(size * size);
  });
  return out;
}

// Query, key and value of [batch, length, size]. If causal, query i attends to keys 0 to i.
inline Array attended(const Arrays& in, bool causal) {
  const Array &query = in[0], &key = in[1], &value = in[2];
  const std::int64_t queries = query.sizes[1], keys = key.sizes[1], size = query.sizes[2], width = value.sizes[2];
  Array out({query.sizes[0], queries, width});
  for_each_index({query.sizes[0], queries}, [&](const Sizes& at) {
    std::vector<double> weights;
    double total = 0;
    for (std::int64_t k = 0; k < (causal ? std::min(at[1] + 1, keys) : keys); ++k) {
      double score = 0;
      for (std::int64_t i = 0; i < size; ++i) score += query.at({at[0], at[1], i}) * key.at({at[0], k, i});
      weights.push_back(std::exp(score / std::sqrt(static_cast<double>(size))));
      total += weights.back();
    }
    for (std::int64_t i = 0; i < width; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < weights.size(); ++k)
        sum += weights[k] / total * value.at({at[0], static_cast<std::int64_t>(k), i});
      out.at({at[0], at[1], i}) = sum;
    }
  });
  return out;
}

// [..., rows, depth] by [..., depth, columns], batches broadcast.
inline Array multiplied(const Array& a, const Array& b) {
  Sizes batch_a = a.sizes, batch_b = b.sizes;
  for (int i = 0; i < 2; ++i) {
    batch_a.erase(batch_a.size() - 1);
    batch_b.erase(batch_b.size() - 1);
  }
  Sizes sizes = broadcast(batch_a, batch_b, "reference");
  const std::int64_t depth = a.sizes.back();
  sizes.push_back(a.sizes[a.sizes.size() - 2]);
  sizes.push_back(b.sizes.back());
  Array out(sizes);
  for_each_index(sizes, [&](const Sizes& at) {
    Sizes of_a = at, of_b = at;
    double sum = 0;
    for (std::int64_t k = 0; k < depth; ++k) {
      of_a[of_a.size() - 1] = k;
      of_b[of_b.size() - 2] = k;
      sum += a.at(of_a) * b.at(of_b);
    }
    out.at(at) = sum;
  });
  return out;
}

// The mean or sum over the rows of the negative log-likelihood of their class.
inline Array cross_entropy_of(const Array& logits, const std::vector<std::int64_t>& classes, Reduction reduction) {
  const Array probabilities = softmax_of(logits, 1);
  Array out{Sizes{}};
  for (std::size_t i = 0; i < classes.size(); ++i)
    out.values[0] -= std::log(probabilities.at({static_cast<std::int64_t>(i), classes[i]}));
  if (reduction == Reduction::mean) out.values[0] /= static_cast<double>(classes.size());
  return out;
}

inline Array squared_error_of(const Arrays& in, Reduction reduction) {
  Array out{Sizes{}};
  for (std::size_t i = 0; i < in[0].values.size(); ++i) out.values[0] += std::pow(in[0].values[i] - in[1].values[i], 2);
  if (reduction == Reduction::mean) out.values[0] /= static_cast<double>(in[0].values.size());
  return out;
}

}  // namespace reprise::test
