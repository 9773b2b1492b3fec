// Elementwise operations, reductions, products, joins and views, and their gradients, on random shapes.
#include "random_shapes.h"

using namespace reprise;
using namespace reprise::test;

namespace {

TEST(RandomShapes, FunctionsOfOneElement) {
  struct One {
    const char* name;
    Tensor (*operation)(const Tensor&);
    double (*reference)(double);
    double low, high;
  };
  const One all[] = {
      {"neg", neg, [](double x) { return -x; }, -2, 2},
      {"exp", exp, [](double x) { return std::exp(x); }, -2, 1},
      {"log", log, [](double x) { return std::log(x); }, 0.5, 3},
      {"sqrt", sqrt, [](double x) { return std::sqrt(x); }, 0.5, 3},
      {"sin", sin, [](double x) { return std::sin(x); }, -3, 3},
      {"cos", cos, [](double x) { return std::cos(x); }, -3, 3},
      {"tanh", tanh, [](double x) { return std::tanh(x); }, -2, 2},
      {"sigmoid", sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, -3, 3},
      {"gelu", gelu, [](double x) { return x * 0.5 * (1 + std::erf(x / std::sqrt(2.0))); }, -3, 3},
      {"pow", [](const Tensor& x) { return pow(x, 1.5); }, [](double x) { return std::pow(x, 1.5); }, 0.5, 2},
      {"number", [](const Tensor& x) { return 2 - x * 1.5 + 3 / (x + 0.25); },
       [](double x) { return 2 - x * 1.5 + 3 / (x + 0.25); }, 1, 2},
  };
  for (const One& one : all) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(one.name, 1, [&](DType dtype, Random& random) {
      return Case{"",
                  {random_tensor(sizes_of(random, 1 + up_to(random, 3)), dtype, random, one.low, one.high)},
                  [&](const Tensors& in) { return one.operation(in[0]); },
                  [&](const Arrays& in) { return mapped(in[0], one.reference); }};
    }));
  }
  const One kinked[] = {
      {"relu", relu, [](double x) { return x > 0 ? x : 0; }, 0, 0},
      {"abs", abs, [](double x) { return std::abs(x); }, 0, 0},
      {"clamp", [](const Tensor& x) { return clamp(x, -1, 1.5); },
       [](double x) { return std::min(std::max(x, -1.0), 1.5); }, 0, 0},
  };
  for (const One& one : kinked) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(one.name, 2, [&](DType dtype, Random& random) {
      return Case{"",
                  {distinct(random_sizes(random, 3, 6), dtype, random)},
                  [&](const Tensors& in) { return one.operation(in[0]); },
                  [&](const Arrays& in) { return mapped(in[0], one.reference); }};
    }));
  }
}

TEST(RandomShapes, FunctionsOfTwoElementsThatBroadcast) {
  struct Two {
    const char* name;
    Tensor (*operation)(const Tensor&, const Tensor&);
    double (*reference)(double, double);
  };
  const Two all[] = {
      {"add", add, [](double a, double b) { return a + b; }},
      {"sub", sub, [](double a, double b) { return a - b; }},
      {"mul", mul, [](double a, double b) { return a * b; }},
      {"div", div, [](double a, double b) { return a / b; }},
      {"pow", pow, [](double a, double b) { return std::pow(a, b); }},
      {"minimum", minimum, [](double a, double b) { return std::min(a, b); }},
      {"maximum", maximum, [](double a, double b) { return std::max(a, b); }},
      {"where", [](const Tensor& a, const Tensor& b) { return where(a > 0, a * 2, b); },
       [](double a, double b) { return a > 0 ? a * 2 : b; }},
  };
  for (const Two& two : all) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(two.name, 3, [&](DType dtype, Random& random) {
      const bool kinked = &two - all > 4;
      const Sizes sizes = kinked ? random_sizes(random, 3, 4) : sizes_of(random, 1 + up_to(random, 2), 4);
      const Sizes of_a = broadcast_from(sizes, random), of_b = broadcast_from(sizes, random);
      Tensors inputs{kinked ? distinct(of_a, dtype, random, 1) : random_tensor(of_a, dtype, random, 0.5, 2),
                     kinked ? distinct(of_b, dtype, random, 2) : random_tensor(of_b, dtype, random, 0.5, 2)};
      return Case{"", inputs, [&](const Tensors& in) { return two.operation(in[0], in[1]); },
                  [&](const Arrays& in) {
                    Array out(broadcast(in[0].sizes, in[1].sizes, "reference"));
                    for_each_index(out.sizes,
                                   [&](const Sizes& at) { out.at(at) = two.reference(in[0].at(at), in[1].at(at)); });
                    return out;
                  }};
    }));
  }
}

// Over the dimensions of a random set, kept or not.
TEST(RandomShapes, Reductions) {
  enum Kind { sums, means, greatest, least };
  for (Kind kind : {sums, means, greatest, least}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes("a reduction", 4, [&](DType dtype, Random& random) {
      const bool extreme = kind == greatest || kind == least;
      const Sizes sizes =
          extreme ? Sizes{1 + up_to(random, 5), 1 + up_to(random, 5), 1 + up_to(random, 5)} : sizes_of(random, 3);
      Sizes dims;
      for (int i = 0; i < 3; ++i) {
        if (up_to(random, 1) && (!extreme || dims.empty()) && sizes[i] > 0)
          dims.push_back(up_to(random, 1) ? i : i - 3);
      }
      if (dims.empty() && sizes[0] == 0) dims = {1};
      const bool keep = up_to(random, 1);
      auto reference = [=](const Arrays& in) {
        Sizes kept = dims.empty() ? Sizes::filled(3, 1) : sizes, left;
        for (std::int64_t dim : dims) kept[wrap_dimension(dim, sizes, "test")] = 1;
        Array out(kept);
        for (double& value : out.values) value = kind == greatest ? -1e9 : kind == least ? 1e9 : 0;
        for_each_index(in[0].sizes, [&](const Sizes& at) {
          double &to = out.at(at), from = in[0].at(at);
          to = kind == greatest ? std::max(to, from) : kind == least ? std::min(to, from) : to + from;
        });
        const double share = static_cast<double>(product(kept)) / static_cast<double>(product(sizes));
        for (double& value : out.values) value *= kind == means ? share : 1;
        for (int i = 0; i < 3; ++i) {
          bool reduced = dims.empty();
          for (std::int64_t dim : dims) reduced = reduced || wrap_dimension(dim, sizes, "test") == i;
          if (!reduced || (keep && !(extreme && dims.empty()))) left.push_back(kept[i]);
        }
        out.sizes = left;
        return out;
      };
      return Case{text("over ", dims),
                  {extreme ? distinct(sizes, dtype, random) : random_tensor(sizes, dtype, random)},
                  [=](const Tensors& in) {
                    if (kind == sums) return sum(in[0], dims, keep);
                    if (kind == means) return mean(in[0], dims, keep);
                    if (dims.empty()) return kind == greatest ? max(in[0]) : min(in[0]);
                    return (kind == greatest ? max(in[0], dims[0], keep) : min(in[0], dims[0], keep)).values;
                  },
                  reference};
    }));
  }
}

TEST(RandomShapes, Products) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("matmul", 5, [](DType dtype, Random& random) {
    const Sizes batch = random_sizes(random, 2, 3);
    auto with = [&](Sizes sizes, std::int64_t rows, std::int64_t columns) {
      sizes.push_back(rows);
      sizes.push_back(columns);
      return sizes;
    };
    const std::int64_t rows = up_to(random, 9) ? 1 + up_to(random, 6) : 70,
                       depth = up_to(random, 9) ? 1 + up_to(random, 6) : 90;
    const std::int64_t columns = 1 + up_to(random, 6);
    return Case{"",
                {random_tensor(with(broadcast_from(batch, random), rows, depth), dtype, random, -1, 1),
                 random_tensor(with(broadcast_from(batch, random), depth, columns), dtype, random, -1, 1)},
                [](const Tensors& in) { return matmul(in[0], in[1]); },
                [](const Arrays& in) { return multiplied(in[0], in[1]); }};
  }));
  for (bool positive : {false, true}) {
    ASSERT_NO_FATAL_FAILURE(check_shapes(positive ? "linear_relu" : "linear", 6, [&](DType dtype, Random& random) {
      Sizes rows = sizes_of(random, 1 + up_to(random, 2), 4);
      const std::int64_t in = 1 + up_to(random, 8), out = 1 + up_to(random, 8);
      rows.push_back(in);
      // Sums that are far from the kink: all of one sign, which the bias has as well.
      const double sign = up_to(random, 1) ? 1 : -1;
      Tensors inputs{random_tensor(rows, dtype, random, 0.1, 1),
                     random_tensor({out, in}, dtype, random, 0.1 * sign, sign)};
      if (up_to(random, 1)) inputs.push_back(random_tensor({out}, dtype, random, 0.1 * sign, sign));
      return Case{"", inputs,
                  [=](const Tensors& in) {
                    const Tensor bias = in.size() > 2 ? in[2] : Tensor();
                    return positive ? linear_relu(in[0], in[1], bias) : linear(in[0], in[1], bias);
                  },
                  [=](const Arrays& in) {
                    Array turned({in[1].sizes[1], in[1].sizes[0]});
                    for_each_index(turned.sizes, [&](const Sizes& at) { turned.at(at) = in[1].at({at[1], at[0]}); });
                    Array y = in[0].sizes.size() > 1 ? multiplied(in[0], turned) : Array();
                    for (std::size_t i = 0; i < y.values.size(); ++i) {
                      if (in.size() > 2) y.values[i] += in[2].values[i % in[2].values.size()];
                      if (positive) y.values[i] = std::max(y.values[i], 0.0);
                    }
                    return y;
                  }};
    }));
  }
}

TEST(RandomShapes, Joins) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("cat", 7, [](DType dtype, Random& random) {
    Sizes sizes = sizes_of(random, 3, 4);
    const int dim = up_to(random, 2);
    Tensors parts;
    for (int i = up_to(random, 3); i >= 0; --i) {
      sizes[dim] = up_to(random, 4);
      parts.push_back(random_tensor(sizes, dtype, random));
    }
    const int given = up_to(random, 1) ? dim : dim - 3;
    return Case{text("along ", given), parts, [=](const Tensors& in) { return cat(in, given); },
                [=](const Arrays& in) {
                  Sizes all = in[0].sizes;
                  all[dim] = 0;
                  for (const Array& part : in) all[dim] += part.sizes[dim];
                  Array out(all);
                  for_each_index(all, [&](const Sizes& at) {
                    Sizes within = at;
                    std::size_t part = 0;
                    while (within[dim] >= in[part].sizes[dim]) within[dim] -= in[part++].sizes[dim];
                    std::size_t place = 0;
                    for (int i = 0; i < 3; ++i)
                      place = place * static_cast<std::size_t>(in[part].sizes[i]) + static_cast<std::size_t>(within[i]);
                    out.at(at) = in[part].values[place];
                  });
                  return out;
                }};
  }));
  ASSERT_NO_FATAL_FAILURE(check_shapes("stack and split", 8, [](DType dtype, Random& random) {
    const Sizes sizes = sizes_of(random, 2, 5);
    const int dim = up_to(random, 2);
    const std::int64_t size = 1 + up_to(random, 3);
    Tensors parts;
    for (int i = up_to(random, 3); i >= 0; --i) parts.push_back(random_tensor(sizes, dtype, random));
    return Case{text("along ", dim), parts,
                [=](const Tensors& in) {
                  // Split and joined again in their order, each part doubled.
                  Tensors halves;
                  for (const Tensor& part : split(stack(in, dim), size, dim)) halves.push_back(part * 2);
                  return cat(halves, dim);
                },
                [=](const Arrays& in) {
                  Sizes all = sizes;
                  all.insert(dim, static_cast<std::int64_t>(in.size()));
                  Array out(all);
                  for_each_index(all, [&](const Sizes& at) {
                    Sizes within = at;
                    within.erase(dim);
                    out.at(at) = 2 * in[static_cast<std::size_t>(at[dim])].at(within);
                  });
                  return out;
                }};
  }));
}

// Chains of views; element numbers show where each element comes from.
TEST(RandomShapes, Views) {
  ASSERT_NO_FATAL_FAILURE(check_shapes("views", 19, [](DType dtype, Random& random) {
    Sizes sizes = sizes_of(random, 3, 5), order{0, 1, 2};
    sizes[0] = std::max<std::int64_t>(sizes[0], 1);
    std::shuffle(order.begin(), order.end(), random);
    const int dim = up_to(random, 2), other = up_to(random, 2), at = up_to(random, 3);
    const std::int64_t length = sizes[static_cast<int>(order[dim])], from = up_to(random, static_cast<int>(length) - 1);
    const std::int64_t part = 1 + up_to(random, static_cast<int>(length - from) - 1);
    auto views = [=](const Tensor& x) {
      const Tensor seen = x.permute(order).narrow(dim, from, part).transpose(dim, other).unsqueeze(at);
      Sizes wider = seen.sizes();
      wider[at] = 3;
      return seen.expand(wider).flatten().view({3, -1}).select(0, 1).reshape({seen.numel()}).unsqueeze(0).squeeze(0);
    };
    const std::vector<double> sources =
        values_of(views(kernels::arange(0, static_cast<double>(product(sizes))).view(sizes)));
    return Case{"",
                {random_tensor(sizes, dtype, random)},
                [=](const Tensors& in) { return views(in[0]); },
                [=](const Arrays& in) {
                  Array out({static_cast<std::int64_t>(sources.size())});
                  for (std::size_t i = 0; i < sources.size(); ++i)
                    out.values[i] = in[0].values[static_cast<std::size_t>(sources[i])];
                  return out;
                }};
  }));
}

}  // namespace
