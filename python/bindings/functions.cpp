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
            if (!max) return clamp_min(input, *min);
            return min ? clamp(input, *min, *max) : clamp_max(input, *max);
          },
          "min"_a = nb::none(), "max"_a = nb::none())
      .function("where", static_cast<Tensor (*)(const Tensor&, const Tensor&, const Tensor&)>(where), "condition"_a,
                "input"_a, "other"_a)
      .function("where", static_cast<Tensor (*)(const Tensor&, const Tensor&, Scalar)>(where), "condition"_a, "input"_a,
                "other"_a)
      .function("where", static_cast<Tensor (*)(const Tensor&, Scalar, const Tensor&)>(where), "condition"_a, "input"_a,
                "other"_a)
      .both("masked_fill", static_cast<Tensor (*)(const Tensor&, const Tensor&, Scalar)>(masked_fill), "mask"_a,
            "value"_a)
      .both("remainder", Both(remainder), "other"_a)
      .both("remainder", Right(remainder), "other"_a)
      .both("fmod", Both(fmod), "other"_a)
      .both("fmod", Right(fmod), "other"_a)
      .both("floor_divide", Both(floor_divide), "other"_a)
      .both("floor_divide", Right(floor_divide), "other"_a)
      .both("logical_xor", &logical_xor, "other"_a)
      .both("lerp", &lerp, "end"_a, "weight"_a)
      .both("addcmul", &addcmul, "tensor1"_a, "tensor2"_a, nb::kw_only(), "value"_a = 1)
      .both("addcdiv", &addcdiv, "tensor1"_a, "tensor2"_a, nb::kw_only(), "value"_a = 1);
  const std::pair<const char*, Unary> unary[] = {
      {"neg", neg},
      {"abs", abs},
      {"exp", exp},
      {"log", log},
      {"sqrt", sqrt},
      {"sin", sin},
      {"cos", cos},
      {"tanh", tanh},
      {"sigmoid", sigmoid},
      {"relu", relu},
      {"sign", sign},
      {"square", square},
      {"reciprocal", reciprocal},
      {"rsqrt", rsqrt},
      {"floor", floor},
      {"ceil", ceil},
      {"round", round},
      {"trunc", trunc},
      {"log1p", log1p},
      {"log2", log2},
      {"log10", log10},
      {"expm1", expm1},
      {"exp2", exp2},
      {"erf", erf},
      {"tan", tan},
      {"asin", asin},
      {"acos", acos},
      {"atan", atan},
      {"sinh", sinh},
      {"cosh", cosh},
      {"isnan", isnan},
      {"isinf", isinf},
      {"isfinite", isfinite},
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
      .both("argmax", Unary(argmax))
      .both("argmax", static_cast<Tensor (*)(const Tensor&, std::int64_t, bool)>(argmax), "dim"_a, "keepdim"_a = false)
      .both("argmin", Unary(argmin))
      .both("argmin", static_cast<Tensor (*)(const Tensor&, std::int64_t, bool)>(argmin), "dim"_a, "keepdim"_a = false)
      .both("amax", &amax, "dim"_a = nb::tuple(), "keepdim"_a = false)
      .both("amin", &amin, "dim"_a = nb::tuple(), "keepdim"_a = false)
      .both("any", static_cast<Tensor (*)(const Tensor&, const Sizes&, bool)>(any), "dim"_a = nb::tuple(),
            "keepdim"_a = false)
      .both("all", static_cast<Tensor (*)(const Tensor&, const Sizes&, bool)>(all), "dim"_a = nb::tuple(),
            "keepdim"_a = false)
      .both("prod", Unary(prod))
      .both("prod", static_cast<Tensor (*)(const Tensor&, std::int64_t, bool)>(prod), "dim"_a, "keepdim"_a = false)
      .both(
          "var",
          [](const Tensor& input, nb::object dim, double correction, bool keepdim) {
            return var(input, dims_of(dim), correction, keepdim);
          },
          "dim"_a = nb::none(), nb::kw_only(), "correction"_a = 1.0, "keepdim"_a = false)
      .both(
          "std",
          [](const Tensor& input, nb::object dim, double correction, bool keepdim) {
            return reprise::std(input, dims_of(dim), correction, keepdim);
          },
          "dim"_a = nb::none(), nb::kw_only(), "correction"_a = 1.0, "keepdim"_a = false)
      .both(
          "norm",
          [](const Tensor& input, double p, nb::object dim, bool keepdim) {
            return norm(input, p, dims_of(dim), keepdim);
          },
          "p"_a = 2.0, "dim"_a = nb::none(), "keepdim"_a = false)
      .both("logsumexp", &logsumexp, "dim"_a, "keepdim"_a = false)
      .both("cumsum", &cumsum, "dim"_a)
      .both("cumprod", &cumprod, "dim"_a)
      .both(
          "sort",
          [](const Tensor& input, std::int64_t dim, bool descending) {
            return values_and_indices(sort(input, dim, descending));
          },
          "dim"_a = -1, "descending"_a = false)
      .both("argsort", &argsort, "dim"_a = -1, "descending"_a = false)
      .both(
          "topk",
          [](const Tensor& input, std::int64_t k, std::int64_t dim, bool largest) {
            return values_and_indices(topk(input, k, dim, largest));
          },
          "k"_a, "dim"_a = -1, "largest"_a = true)
      .both("numel", &Tensor::numel);
}

void bind_shapes(Binder& binder) {
  binder.both("matmul", &matmul, "other"_a)
      .both("mm", &mm, "mat2"_a)
      .both("bmm", &bmm, "mat2"_a)
      .both("transpose", &Tensor::transpose, "dim0"_a, "dim1"_a)
      .both("narrow", &Tensor::narrow, "dim"_a, "start"_a, "length"_a)
      .both("select", &Tensor::select, "dim"_a, "index"_a)
      .both("unsqueeze", &Tensor::unsqueeze, "dim"_a)
      .both("squeeze", static_cast<Tensor (Tensor::*)(std::int64_t) const>(&Tensor::squeeze), "dim"_a)
      .both("squeeze", static_cast<Tensor (Tensor::*)() const>(&Tensor::squeeze))
      .both("flatten", &Tensor::flatten, "start_dim"_a = 0, "end_dim"_a = -1)
      .both("split", &split, "split_size"_a, "dim"_a = 0)
      .both("chunk", &chunk, "chunks"_a, "dim"_a = 0)
      .both("unbind", &unbind, "dim"_a = 0)
      .both("movedim", &movedim, "source"_a, "destination"_a)
      .both("flip", &flip, "dims"_a)
      .both("roll", &roll, "shifts"_a, "dims"_a)
      .both("repeat_interleave", &repeat_interleave, "repeats"_a, "dim"_a)
      .both("tril", &tril, "diagonal"_a = 0)
      .both("triu", &triu, "diagonal"_a = 0)
      .both("mv", &mv, "vec"_a)
      .both("dot", &dot, "other"_a)
      .both("outer", &outer, "vec2"_a)
      .both("addmm", &addmm, "mat1"_a, "mat2"_a, nb::kw_only(), "beta"_a = 1, "alpha"_a = 1)
      .both("index_select", &index_select, "dim"_a, "index"_a)
      .both("gather", &gather, "dim"_a, "index"_a)
      .both("scatter", &scatter, "dim"_a, "index"_a, "src"_a)
      .both("scatter_add", &scatter_add, "dim"_a, "index"_a, "src"_a)
      .both("index_add", &index_add, "dim"_a, "index"_a, "source"_a)
      .both("nonzero", &nonzero)
      .both("masked_select", &masked_select, "mask"_a)
      .both("multinomial", &multinomial, "num_samples"_a, "replacement"_a = false)
      .function(
          "einsum",
          [](const std::string& equation, const nb::args& operands) {
            const bool listed = operands.size() == 1 && !nb::isinstance<Tensor>(operands[0]);
            return einsum(equation,
                          nb::cast<std::vector<Tensor>>(listed ? nb::handle(operands[0]) : nb::handle(operands)));
          },
          "equation"_a, "operands"_a)
      .function(
          "reshape", [](const Tensor& input, const Sizes& shape) { return input.reshape(shape); }, "input"_a, "shape"_a)
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
      .function(
          "gelu", [](const Tensor& input, const std::string& approximate) { return gelu(input, approximate); },
          "input"_a, nb::kw_only(), "approximate"_a = "none")
      .function("silu", &silu, "input"_a)
      .function("mish", &mish, "input"_a)
      .function("softplus", &softplus, "input"_a, "beta"_a = 1.0, "threshold"_a = 20.0)
      .function("logsigmoid", &logsigmoid, "input"_a)
      .function("elu", &elu, "input"_a, "alpha"_a = 1.0)
      .function("selu", &selu, "input"_a)
      .function("celu", &celu, "input"_a, "alpha"_a = 1.0)
      .function("leaky_relu", &leaky_relu, "input"_a, "negative_slope"_a = 0.01)
      .function("prelu", &prelu, "input"_a, "weight"_a)
      .function("relu6", &relu6, "input"_a)
      .function("hardtanh", &hardtanh, "input"_a, "min_val"_a = -1.0, "max_val"_a = 1.0)
      .function("hardsigmoid", &hardsigmoid, "input"_a)
      .function("hardswish", &hardswish, "input"_a)
      .function("softsign", &softsign, "input"_a)
      .function("glu", &glu, "input"_a, "dim"_a = -1)
      .function("one_hot", &one_hot, "tensor"_a, "num_classes"_a)
      .function("pad", &pad, "input"_a, "pad"_a, "mode"_a = "constant", "value"_a = 0.0)
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
