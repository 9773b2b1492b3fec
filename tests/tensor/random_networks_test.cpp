// Network operations and their gradients on random shapes.
#include <reprise/random.h>

#include "random_shapes.h"

using namespace reprise;
using namespace reprise::test;

namespace {

TEST(RandomNetworks, Softmax) {
  for (bool logarithm : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(logarithm ? "log_softmax" : "softmax", 9, [&](DType dtype, Random& random) {
      const Sizes sizes = sizes_of(random, 1 + up_to(random, 3), 5);
      const int dim = up_to(random, sizes.size() - 1), given = up_to(random, 1) ? dim : dim - sizes.size();
      return Case{text("along ", given),
                  {random_tensor(sizes, dtype, random)},
                  [=](const Tensors& in) { return logarithm ? log_softmax(in[0], given) : softmax(in[0], given); },
                  [=](const Arrays& in) {
                    return logarithm ? mapped(softmax_of(in[0], dim), [](double x) { return std::log(x); })
                                     : softmax_of(in[0], dim);
                  }};
    }));
  }
}

TEST(RandomNetworks, LayerNorm) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("layer_norm", 10, [](DType dtype, Random& random) {
    Sizes sizes = sizes_of(random, 1 + up_to(random, 2), 4);
    const std::int64_t columns = up_to(random, 4) ? 8 + up_to(random, 30) : 300 + up_to(random, 1000);
    sizes.push_back(columns);
    if (product(sizes) > 20000) sizes[0] = 2, sizes[sizes.size() - 2] = 2;
    Tensors inputs{strided(sizes, dtype, random)};
    // Weights may be in single precision with 16-bit inputs.
    const DType of_weights = up_to(random, 1) ? dtype : DType::f32, of_bias = up_to(random, 1) ? dtype : DType::f32;
    if (up_to(random, 2)) inputs.push_back(random_tensor({columns}, of_weights, random));
    if (inputs.size() > 1 && up_to(random, 2)) inputs.push_back(random_tensor({columns}, of_bias, random));
    return Case{"", inputs,
                [](const Tensors& in) {
                  return layer_norm(in[0], in.size() > 1 ? in[1] : Tensor(), in.size() > 2 ? in[2] : Tensor());
                },
                normalized};
  }));
}

TEST(RandomNetworks, Dropout) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("dropout", 11, [](DType dtype, Random& random) {
    const Sizes sizes = sizes_of(random, 1 + up_to(random, 2));
    const double probability = 0.1 * (1 + up_to(random, 7));
    const unsigned seed = random();
    // Which elements are kept depends only on the generator.
    manual_seed(seed);
    const std::vector<double> factors = values_of(dropout(kernels::ones(sizes), probability));
    return Case{text("with ", probability),
                {random_tensor(sizes, dtype, random)},
                [=](const Tensors& in) {
                  manual_seed(seed);
                  return dropout(in[0], probability);
                },
                [=](const Arrays& in) {
                  Array out = in[0];
                  for (std::size_t i = 0; i < factors.size(); ++i)
                    out.values[i] *= factors[i] ? 1 / (1 - probability) : 0;
                  return out;
                }};
  }));
}

TEST(RandomNetworks, Embedding) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("embedding", 12, [](DType dtype, Random& random) {
    const std::int64_t rows = 1 + up_to(random, 6),
                       width = up_to(random, 4) ? 1 + up_to(random, 7) : 30 + up_to(random, 300);
    const Sizes sizes = up_to(random, 4) ? random_sizes(random, 3, 4) : Sizes{0, 2};
    const Tensor indices = random_tensor(sizes, DType::i64, random, -0.4, static_cast<double>(rows) - 0.6);
    const std::vector<double> chosen = values_of(indices);
    Sizes all = sizes;
    all.push_back(width);
    return Case{text(rows, " rows, indices of ", sizes),
                {random_tensor({rows, width}, dtype, random)},
                [=](const Tensors& in) { return embedding(indices, in[0]); },
                [=](const Arrays& in) {
                  Array out(all);
                  for (std::size_t i = 0; i < out.values.size(); ++i) {
                    const auto columns = static_cast<std::size_t>(width);
                    out.values[i] = in[0].values[static_cast<std::size_t>(chosen[i / columns]) * columns + i % columns];
                  }
                  return out;
                }};
  }));
}

TEST(RandomNetworks, Convolution) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("conv2d", 13, [](DType dtype, Random& random) {
    const std::int64_t stride = 1 + up_to(random, 2), padding = up_to(random, 2), dilation = 1 + up_to(random, 1);
    const std::int64_t rows = 1 + up_to(random, 2), columns = 1 + up_to(random, 2), in = 1 + up_to(random, 3),
                       out = 1 + up_to(random, 4);
    auto length = [&](std::int64_t filter) {
      return std::max<std::int64_t>(1, dilation * (filter - 1) + 1 - 2 * padding) + up_to(random, 5);
    };
    const std::int64_t batch = up_to(random, 9) ? 1 + up_to(random, 2) : 0;
    Tensors inputs{random_tensor({batch, in, length(rows), length(columns)}, dtype, random, -1, 1),
                   random_tensor({out, in, rows, columns}, dtype, random, -1, 1)};
    if (up_to(random, 1)) inputs.push_back(random_tensor({out}, dtype, random, -1, 1));
    return Case{text("stride ", stride, ", padding ", padding, ", dilation ", dilation), inputs,
                [=](const Tensors& in) {
                  return conv2d(in[0], in[1], in.size() > 2 ? in[2] : Tensor(), stride, padding, dilation);
                },
                [=](const Arrays& in) { return convolved(in, stride, padding, dilation); }};
  }));
}

TEST(RandomNetworks, Pooling) {
  for (bool greatest : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(greatest ? "max_pool2d" : "avg_pool2d", 14, [&](DType dtype, Random& random) {
      const std::int64_t size = 1 + up_to(random, 2), stride = up_to(random, 3),
                         padding = up_to(random, static_cast<int>(size / 2));
      const Sizes sizes{greatest || up_to(random, 9) ? 1 + up_to(random, 1) : 0, 1 + up_to(random, 2),
                        size + up_to(random, 3), size + up_to(random, 3)};
      return Case{text("of ", size, " with stride ", stride, " and padding ", padding),
                  {greatest ? distinct(sizes, dtype, random) : random_tensor(sizes, dtype, random)},
                  [=](const Tensors& in) {
                    return greatest ? max_pool2d(in[0], size, stride, padding)
                                    : avg_pool2d(in[0], size, stride, padding);
                  },
                  [=](const Arrays& in) { return pooled(in[0], size, stride ? stride : size, padding, greatest); }};
    }));
  }
}

TEST(RandomNetworks, Losses) {
  for (Reduction reduction : {Reduction::mean, Reduction::sum}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes("cross_entropy", 15, [&](DType dtype, Random& random) {
      const std::int64_t rows = 1 + up_to(random, 8),
                         columns = up_to(random, 3) ? 1 + up_to(random, 12) : 40 + up_to(random, 1100);
      const Tensor classes = random_tensor({rows}, DType::i64, random, -0.4, static_cast<double>(columns) - 0.6);
      const std::vector<std::int64_t> chosen = classes.to_vector<std::int64_t>();
      return Case{"",
                  {random_tensor({rows, columns}, dtype, random)},
                  [=](const Tensors& in) { return cross_entropy(in[0], classes, reduction); },
                  [=](const Arrays& in) { return cross_entropy_of(in[0], chosen, reduction); }};
    }));
    ASSERT_NO_FATAL_FAILURE(check_shapes("mse_loss", 16, [&](DType dtype, Random& random) {
      const Sizes sizes = random_sizes(random, 3, up_to(random, 3) ? 5 : 12);
      return Case{"",
                  {random_tensor(sizes, dtype, random, -1, 1), random_tensor(sizes, dtype, random, -1, 1)},
                  [=](const Tensors& in) { return mse_loss(in[0], in[1], reduction); },
                  [=](const Arrays& in) { return squared_error_of(in, reduction); }};
    }));
    // If the target needs no gradient, the loss computes the gradient.
    ASSERT_NO_FATAL_FAILURE(check_shapes("mse_loss of data", 17, [&](DType dtype, Random& random) {
      const Sizes sizes = random_sizes(random, 3, 6);
      const Tensor target = random_tensor(sizes, dtype, random, -1, 1);
      return Case{"",
                  {random_tensor(sizes, dtype, random, -1, 1)},
                  [=](const Tensors& in) { return mse_loss(in[0], target, reduction); },
                  [=](const Arrays& in) { return squared_error_of({in[0], Array(target)}, reduction); }};
    }));
  }
}

TEST(RandomNetworks, Attention) {
  for (bool causal : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes("attention", 18, [&](DType dtype, Random& random) {
      const std::int64_t batch = 1 + up_to(random, 2), keys = up_to(random, 5) ? 1 + up_to(random, 6) : 40,
                         size = 1 + up_to(random, 5);
      const std::int64_t queries = 1 + up_to(random, 6), width = 1 + up_to(random, 4);
      return Case{causal ? "causal" : "",
                  {random_tensor({batch, queries, size}, dtype, random, -1, 1),
                   random_tensor({batch, keys, size}, dtype, random, -1, 1),
                   random_tensor({batch, keys, width}, dtype, random, -1, 1)},
                  [=](const Tensors& in) { return scaled_dot_product_attention(in[0], in[1], in[2], causal); },
                  [=](const Arrays& in) { return attended(in, causal); }};
    }));
  }
}

}  // namespace
