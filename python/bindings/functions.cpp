// Operations that are functions of the module and methods of tensors.
#include "casters.h"

namespace reprise::python {
namespace {

using Unary = Tensor (*)(const Tensor&);
using Both = Tensor (*)(const Tensor&, const Tensor&);
using Right = Tensor (*)(const Tensor&, Scalar);

class Binder {
 public:
  Binder(nb::module_& m, nb::class_<Tensor>& tensor) : m_(m), tensor_(tensor) {}

  // The first argument is `input` of the function and the tensor of the method.
  template <class Function, class... Extra>
  Binder& both(const char* name, Function function, const Extra&... extra) {
    m_.def(name, function, "input"_a, extra...);
    tensor_.def(name, function, extra...);
    return *this;
  }
  template <class Function, class... Extra>
  Binder& function(const char* name, Function function, const Extra&... extra) {
    m_.def(name, function, extra...);
    return *this;
  }

 private:
  nb::module_& m_;
  nb::class_<Tensor>& tensor_;
};

// sum() and mean(): over all dimensions or some, optionally in another type.
template <Tensor (*reduce)(const Tensor&, const Sizes&, bool)>
Tensor reduce_over(const Tensor& x, nb::object dim, bool keepdim, std::optional<DType> dtype) {
  return reduce(dtype ? x.to(*dtype) : x, dims_of(dim), keepdim);
}

// A pair that is a tuple and has the fields `values` and `indices`, as PyTorch's.
nb::object values_and_indices(ValuesAndIndices result) {
  static nb::handle type = nb::module_::import_("collections")
                               .attr("namedtuple")("values_and_indices", nb::make_tuple("values", "indices"))
                               .release();
  return type(std::move(result.values), std::move(result.indices));
}

void bind_elementwise(Binder& binder) {
  binder
      .both(
          "add",
          [](const Tensor& input, const Tensor& other, double alpha) {
            return alpha == 1 ? add(input, other) : add(input, mul(other, alpha));
          },
          "other"_a, nb::kw_only(), "alpha"_a = 1.0)
      .both(
          "add",
          [](const Tensor& input, Scalar other, double alpha) {
            return add(input, alpha == 1 ? other : Scalar(other.value() * alpha));
          },
          "other"_a, nb::kw_only(), "alpha"_a = 1.0)
      .both("sub", Both(sub), "other"_a)
      .both("sub", Right(sub), "other"_a)
      .both("mul", Both(mul), "other"_a)
      .both("mul", Right(mul), "other"_a)
      .both("div", Both(div), "other"_a)
      .both("div", Right(div), "other"_a)
      .both("pow", Both(pow), "exponent"_a)
      .both("pow", Right(pow), "exponent"_a)
      .both("minimum", &minimum, "other"_a)
      .both("maximum", &maximum, "other"_a)
      .both("eq", Both(eq), "other"_a)
      .both("eq", Right(eq), "other"_a)
      .both("ne", Both(ne), "other"_a)
      .both("ne", Right(ne), "other"_a)
      .both("logical_and", &logical_and, "other"_a)
      .both("logical_or", &logical_or, "other"_a)
      .both("logical_not", &logical_not)
      .both(
          "clamp",
          [](const Tensor& input, std::optional<Scalar> min, std::optional<Scalar> max) {
            if (!min && !max) throw nb::value_error("clamp(): at least one of min and max must be given");
            constexpr double infinity = std::numeric_limits<double>::infinity();
            return clamp(input, min.value_or(-infinity), max.value_or(infinity));
          },
          "min"_a = nb::none(), "max"_a = nb::none())
      .function("where", &where, "condition"_a, "input"_a, "other"_a);
  const std::pair<const char*, Unary> unary[] = {
      {"neg", neg}, {"abs", abs}, {"exp", exp},   {"log", log},         {"sqrt", sqrt},
      {"sin", sin}, {"cos", cos}, {"tanh", tanh}, {"sigmoid", sigmoid}, {"relu", relu},
  };
  for (const auto& [name, function] : unary) binder.both(name, function);
}

void bind_reductions(Binder& binder) {
  binder
      .both("sum", &reduce_over<sum>, "dim"_a = nb::none(), "keepdim"_a = false, nb::kw_only(), "dtype"_a = nb::none())
      .both("mean", &reduce_over<mean>, "dim"_a = nb::none(), "keepdim"_a = false, nb::kw_only(),
            "dtype"_a = nb::none())
      .both("max", Unary(max))
      .both(
          "max",
          [](const Tensor& input, std::int64_t dim, bool keepdim) {
            return values_and_indices(max(input, dim, keepdim));
          },
          "dim"_a, "keepdim"_a = false)
      .both("max", &maximum, "other"_a)
      .both("min", Unary(min))
      .both(
          "min",
          [](const Tensor& input, std::int64_t dim, bool keepdim) {
            return values_and_indices(min(input, dim, keepdim));
          },
          "dim"_a, "keepdim"_a = false)
      .both("min", &minimum, "other"_a)
      .both(
          "argmax",
          [](const Tensor& input, std::optional<std::int64_t> dim, bool keepdim) {
            return dim ? argmax(input, *dim, keepdim) : argmax(input.flatten(), 0);
          },
          "dim"_a = nb::none(), "keepdim"_a = false)
      .both("numel", &Tensor::numel);
}

void bind_shapes(Binder& binder) {
  binder.both("matmul", &matmul, "other"_a)
      .both("mm", &matmul, "mat2"_a)
      .both("bmm", &matmul, "mat2"_a)
      .both("transpose", &Tensor::transpose, "dim0"_a, "dim1"_a)
      .both("narrow", &Tensor::narrow, "dim"_a, "start"_a, "length"_a)
      .both("select", &Tensor::select, "dim"_a, "index"_a)
      .both("unsqueeze", &Tensor::unsqueeze, "dim"_a)
      .both("squeeze", &Tensor::squeeze, "dim"_a)
      .both("squeeze",
            [](const Tensor& input) {
              Tensor x = input;
              for (int dim = x.dim() - 1; dim >= 0; --dim) {
                if (x.size(dim) == 1) x = x.squeeze(dim);
              }
              return x;
            })
      .both("flatten", &Tensor::flatten, "start_dim"_a = 0, "end_dim"_a = -1)
      .both("split", &split, "split_size"_a, "dim"_a = 0)
      .both(
          "chunk",
          [](const Tensor& input, std::int64_t chunks, std::int64_t dim) {
            check(chunks > 0, "chunk into ", chunks, " parts");
            return split(input, std::max<std::int64_t>((input.size(dim) + chunks - 1) / chunks, 1), dim);
          },
          "chunks"_a, "dim"_a = 0)
      .function("reshape", &Tensor::reshape, "input"_a, "shape"_a)
      .function("permute", &Tensor::permute, "input"_a, "dims"_a)
      .function("t", &Tensor::t, "input"_a)
      .function("clone", &Tensor::clone, "input"_a)
      .function("cat", &cat, "tensors"_a, "dim"_a = 0)
      .function("concat", &cat, "tensors"_a, "dim"_a = 0)
      .function("stack", &stack, "tensors"_a, "dim"_a = 0);
}

Tensor or_undefined(const std::optional<Tensor>& tensor) { return tensor ? *tensor : Tensor(); }

// A number for height and width, or one for each.
IntPair pair_of(nb::handle value) {
  const Sizes sizes = nb::cast<Sizes>(value);
  if (sizes.size() == 1) return sizes[0];
  check(sizes.size() == 2, "one number for height and width, or two are expected, not ", sizes);
  return {sizes[0], sizes[1]};
}

std::int64_t both_equal(nb::handle value, const char* function, const char* name) {
  const Sizes sizes = nb::cast<Sizes>(value);
  bool equal = !sizes.empty();
  for (std::int64_t size : sizes) equal = equal && size == sizes[0];
  check(equal, function, ": ", name, " of ", sizes, ": height and width must have the same");
  return sizes[0];
}

void bind_networks(Binder& binder) {
  binder
      .both(
          "softmax",
          [](const Tensor& input, std::int64_t dim, std::optional<DType> dtype) {
            return softmax(dtype ? input.to(*dtype) : input, dim);
          },
          "dim"_a = -1, "dtype"_a = nb::none())
      .both(
          "log_softmax",
          [](const Tensor& input, std::int64_t dim, std::optional<DType> dtype) {
            return log_softmax(dtype ? input.to(*dtype) : input, dim);
          },
          "dim"_a = -1, "dtype"_a = nb::none())
      .function("gelu", &gelu, "input"_a)
      .function(
          "linear",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
            return linear(input, weight, or_undefined(bias));
          },
          "input"_a, "weight"_a, "bias"_a = nb::none())
      .function(
          "linear_relu",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
            return linear_relu(input, weight, or_undefined(bias));
          },
          "input"_a, "weight"_a, "bias"_a = nb::none(), "relu(linear(...)) as one operation.")
      .function(
          "linear_gelu",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) {
            return linear_gelu(input, weight, or_undefined(bias));
          },
          "input"_a, "weight"_a, "bias"_a = nb::none(), "gelu(linear(...)) as one operation.")
      .function(
          "conv2d",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, nb::object stride,
             nb::object padding, nb::object dilation, std::int64_t groups) {
            return conv2d(input, weight, or_undefined(bias), pair_of(stride), pair_of(padding), pair_of(dilation),
                          groups);
          },
          "input"_a, "weight"_a, "bias"_a = nb::none(), "stride"_a = 1, "padding"_a = 0, "dilation"_a = 1,
          "groups"_a = 1)
      .function(
          "conv1d",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, std::int64_t stride,
             std::int64_t padding, std::int64_t dilation, std::int64_t groups) {
            return conv1d(input, weight, or_undefined(bias), stride, padding, dilation, groups);
          },
          "input"_a, "weight"_a, "bias"_a = nb::none(), "stride"_a = 1, "padding"_a = 0, "dilation"_a = 1,
          "groups"_a = 1)
      .function(
          "conv_transpose2d",
          [](const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, nb::object stride,
             nb::object padding, nb::object output_padding, std::int64_t groups, nb::object dilation) {
            return conv_transpose2d(input, weight, or_undefined(bias), pair_of(stride), pair_of(padding),
                                    pair_of(output_padding), groups, pair_of(dilation));
          },
          "input"_a, "weight"_a, "bias"_a = nb::none(), "stride"_a = 1, "padding"_a = 0, "output_padding"_a = 0,
          "groups"_a = 1, "dilation"_a = 1)
      .function(
          "max_pool2d",
          [](const Tensor& input, nb::object kernel_size, nb::object stride, nb::object padding) {
            return max_pool2d(input, both_equal(kernel_size, "max_pool2d", "a kernel"),
                              stride.is_none() ? 0 : both_equal(stride, "max_pool2d", "a stride"),
                              both_equal(padding, "max_pool2d", "a padding"));
          },
          "input"_a, "kernel_size"_a, "stride"_a = nb::none(), "padding"_a = 0)
      .function(
          "avg_pool2d",
          [](const Tensor& input, nb::object kernel_size, nb::object stride, nb::object padding) {
            return avg_pool2d(input, both_equal(kernel_size, "avg_pool2d", "a kernel"),
                              stride.is_none() ? 0 : both_equal(stride, "avg_pool2d", "a stride"),
                              both_equal(padding, "avg_pool2d", "a padding"));
          },
          "input"_a, "kernel_size"_a, "stride"_a = nb::none(), "padding"_a = 0)
      .function(
          "layer_norm",
          [](const Tensor& input, const Sizes& normalized_shape, const std::optional<Tensor>& weight,
             const std::optional<Tensor>& bias, double eps) {
            check(normalized_shape.size() == 1 && input.dim() > 0 && normalized_shape[0] == input.size(-1),
                  "layer_norm over ", normalized_shape, " of a tensor of ", input.sizes(),
                  ": it normalises over the last dimension, whose size must be given");
            return layer_norm(input, or_undefined(weight), or_undefined(bias), eps);
          },
          "input"_a, "normalized_shape"_a, "weight"_a = nb::none(), "bias"_a = nb::none(), "eps"_a = 1e-5)
      .function(
          "dropout", [](const Tensor& input, double p, bool training) { return dropout(input, p, training); },
          "input"_a, "p"_a = 0.5, "training"_a = true)
      .function("embedding", &embedding, "input"_a, "weight"_a)
      .function(
          "cross_entropy",
          [](const Tensor& input, const Tensor& target, std::int64_t ignore_index, const std::string& reduction) {
            return cross_entropy(input, target, reduction_of(reduction, "cross_entropy"), ignore_index);
          },
          "input"_a, "target"_a, nb::kw_only(), "ignore_index"_a = -100, "reduction"_a = "mean")
      .function(
          "mse_loss",
          [](const Tensor& input, const Tensor& target, const std::string& reduction) {
            return mse_loss(input, target, reduction_of(reduction, "mse_loss"));
          },
          "input"_a, "target"_a, nb::kw_only(), "reduction"_a = "mean")
      .function(
          "scaled_dot_product_attention",
          [](const Tensor& query, const Tensor& key, const Tensor& value, nb::object mask, double dropout_p,
             bool is_causal) {
            check(mask.is_none(), "scaled_dot_product_attention: attn_mask is not supported; is_causal is");
            return scaled_dot_product_attention(query, key, value, is_causal, dropout_p);
          },
          "query"_a, "key"_a, "value"_a, "attn_mask"_a = nb::none(), "dropout_p"_a = 0.0, "is_causal"_a = false);
}

}  // namespace

void bind_functions(nb::module_& m, nb::class_<Tensor>& tensor) {
  Binder binder(m, tensor);
  bind_elementwise(binder);
  bind_reductions(binder);
  bind_shapes(binder);
  bind_networks(binder);
}

}  // namespace reprise::python
