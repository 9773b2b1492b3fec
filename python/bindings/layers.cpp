// The initial parameters of layers, from the C++ layers: the same numbers for the same seed.
#include <reprise/nn/layers.h>

#include "casters.h"

namespace reprise::python {
namespace {

nb::object or_none(const Tensor& tensor) { return tensor.defined() ? nb::cast(tensor) : nb::none(); }

template <class Layer>
nb::object weight_and_bias(const Layer& layer) {
  return nb::make_tuple(or_none(layer.weight), or_none(layer.bias));
}

}  // namespace

void bind_layers(nb::module_& m) {
  m.def("_initial_linear",
        [](std::int64_t in, std::int64_t out, bool bias) { return weight_and_bias(nn::Linear(in, out, bias)); });
  m.def("_initial_conv2d",
        [](std::int64_t in, std::int64_t out, std::int64_t height, std::int64_t width, std::int64_t groups, bool bias) {
          nn::Conv2dOptions options;
          options.bias = bias;
          options.groups = groups;
          return weight_and_bias(nn::Conv2d(in, out, {height, width}, options));
        });
  m.def("_initial_embedding", [](std::int64_t count, std::int64_t size) { return nn::Embedding(count, size).weight; });
  m.def("_initial_attention", [](std::int64_t size, std::int64_t heads, bool bias) {
    nn::AttentionOptions options;
    options.bias = bias;
    nn::MultiheadAttention layer(size, heads, options);
    return nb::make_tuple(layer.in_proj_weight, or_none(layer.in_proj_bias), layer.out_proj->weight,
                          or_none(layer.out_proj->bias));
  });
}

}  // namespace reprise::python
