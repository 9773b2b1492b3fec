// Functions that create tensors, with PyTorch's keywords.
#include <reprise/factories.h>

#include "casters.h"

namespace reprise::python {
namespace {

// What every factory takes besides its sizes. pin_memory concerns host tensors, of which there are none.
struct Options {
  std::optional<DType> dtype;
  bool requires_grad;

  Options(const char* function, std::optional<DType> dtype, nb::handle device, bool requires_grad)
      : dtype(dtype), requires_grad(requires_grad) {
    check_device(device, function);
  }
  Tensor operator()(Tensor made) const {
    if (requires_grad) made.requires_grad_();
    return made;
  }
};

template <class Make>
void sized(nb::module_& m, const char* name, const char* doc, Make make) {
  m.def(
      name,
      [name, make](nb::args size, std::optional<DType> dtype, nb::object device, bool requires_grad, bool) {
        Options options(name, dtype, device, requires_grad);
        return options(make(sizes_of(size, name), dtype.value_or(DType::f32)));
      },
      "size"_a, "dtype"_a = nb::none(), "device"_a = nb::none(), "requires_grad"_a = false, "pin_memory"_a = false,
      doc);
}

// The like-functions keep the type unless another is given.
template <class Make>
void alike(nb::module_& m, const char* name, const char* doc, Make make) {
  m.def(
      name,
      [name, make](const Tensor& input, std::optional<DType> dtype, nb::object device, bool requires_grad) {
        Options options(name, dtype, device, requires_grad);
        return options(make(input.sizes(), dtype.value_or(input.dtype())));
      },
      "input"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(), "requires_grad"_a = false, doc);
}

DType dtype_of(Scalar value) { return value.promoted(DType::boolean); }

}  // namespace

void bind_factories(nb::module_& m) {
  sized(m, "empty", "A tensor whose elements are not set.",
        [](const Sizes& sizes, DType dtype) { return empty(sizes, dtype); });
  sized(m, "zeros", "A tensor of zeros.", [](const Sizes& sizes, DType dtype) { return zeros(sizes, dtype); });
  sized(m, "ones", "A tensor of ones.", [](const Sizes& sizes, DType dtype) { return ones(sizes, dtype); });
  sized(m, "rand", "Uniform random numbers in [0, 1).",
        [](const Sizes& sizes, DType dtype) { return rand(sizes, dtype); });
  sized(m, "randn", "Normal random numbers.", [](const Sizes& sizes, DType dtype) { return randn(sizes, dtype); });
  alike(m, "empty_like", "A tensor of the same size, not set.",
        [](const Sizes& sizes, DType dtype) { return empty(sizes, dtype); });
  alike(m, "zeros_like", "Zeros of the same size.",
        [](const Sizes& sizes, DType dtype) { return zeros(sizes, dtype); });
  alike(m, "ones_like", "Ones of the same size.", [](const Sizes& sizes, DType dtype) { return ones(sizes, dtype); });
  alike(m, "rand_like", "Uniform numbers of the same size.",
        [](const Sizes& sizes, DType dtype) { return rand(sizes, dtype); });
  alike(m, "randn_like", "Normal numbers of the same size.",
        [](const Sizes& sizes, DType dtype) { return randn(sizes, dtype); });
  m.def(
      "full",
      [](const Sizes& size, Scalar value, std::optional<DType> dtype, nb::object device, bool requires_grad) {
        Options options("full", dtype, device, requires_grad);
        return options(full(size, value, dtype.value_or(dtype_of(value))));
      },
      "size"_a, "fill_value"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none(),
      "requires_grad"_a = false);
  m.def(
      "full_like",
      [](const Tensor& input, Scalar value, std::optional<DType> dtype, nb::object device) {
        Options options("full_like", dtype, device, false);
        return full(input.sizes(), value, dtype.value_or(input.dtype()));
      },
      "input"_a, "fill_value"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "arange",
      [](Scalar end, std::optional<DType> dtype, nb::object device) {
        Options options("arange", dtype, device, false);
        return arange(end, dtype);
      },
      "end"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "arange",
      [](Scalar start, Scalar end, Scalar step, std::optional<DType> dtype, nb::object device) {
        Options options("arange", dtype, device, false);
        return arange(start, end, step, dtype);
      },
      "start"_a, "end"_a, "step"_a = 1, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "randint",
      [](std::int64_t low, std::int64_t high, const Sizes& size, nb::object device) {
        Options options("randint", {}, device, false);
        return randint(low, high, size);
      },
      "low"_a, "high"_a, "size"_a, nb::kw_only(), "device"_a = nb::none());
  m.def(
      "randint",
      [](std::int64_t high, const Sizes& size, nb::object device) {
        Options options("randint", {}, device, false);
        return randint(0, high, size);
      },
      "high"_a, "size"_a, nb::kw_only(), "device"_a = nb::none());
  m.def(
      "linspace",
      [](double start, double end, std::int64_t steps, std::optional<DType> dtype, nb::object device) {
        Options options("linspace", dtype, device, false);
        return linspace(start, end, steps, dtype.value_or(DType::f32));
      },
      "start"_a, "end"_a, "steps"_a, nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "eye",
      [](std::int64_t n, std::optional<std::int64_t> columns, std::optional<DType> dtype, nb::object device) {
        Options options("eye", dtype, device, false);
        return eye(n, columns.value_or(n), dtype.value_or(DType::f32));
      },
      "n"_a, "m"_a = nb::none(), nb::kw_only(), "dtype"_a = nb::none(), "device"_a = nb::none());
  m.def(
      "randperm",
      [](std::int64_t n, nb::object device) {
        Options options("randperm", {}, device, false);
        return randperm(n);
      },
      "n"_a, nb::kw_only(), "device"_a = nb::none());
  m.def("manual_seed", &manual_seed, "seed"_a, "Seeds the default generator; replays of graphs follow it.");
  m.def("initial_seed", [] { return default_generator().seed(); });
}

}  // namespace reprise::python
