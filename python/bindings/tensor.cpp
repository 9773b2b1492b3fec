// The class Tensor: its properties, views, in-place operations and printing. Operations that are also functions of the
// module are in functions.cpp.
#include <reprise/autograd.h>
#include <reprise/cuda_graph.h>
#include <reprise/ops.h>

#include <sstream>

#include "casters.h"

namespace reprise::python {
namespace {

constexpr std::size_t line_width = 80;

// "log_softmax" becomes "LogSoftmaxBackward0".
std::string gradient_name(const char* name) {
  std::string result;
  bool upper = true;
  for (; *name; ++name) {
    if (*name == '_' || *name == ' ') {
      upper = true;
    } else {
      result += upper ? static_cast<char>(std::toupper(*name)) : *name;
      upper = false;
    }
  }
  return result + "Backward0";
}

// The values, as PyTorch prints them, without the parenthesis at the end.
std::string values_text(const Tensor& self) {
  if (self.numel() == 0) return "tensor([]";
  // There are no values yet.
  if (is_current_stream_capturing()) return "tensor(...";
  std::ostringstream out;
  {
    nb::gil_scoped_release waiting;
    out << self.detach();
  }
  std::string text = out.str();
  text.pop_back();
  // The type has another name in C++.
  if (const std::size_t at = text.rfind("dtype="); at != std::string::npos) text.resize(text.find_last_of(',', at));
  return text;
}

std::string tuple_text(const Sizes& sizes) {
  nb::list values;
  for (std::int64_t size : sizes) values.append(size);
  return nb::repr(nb::tuple(values)).c_str();
}

// What PyTorch prints after the values of a tensor on a GPU.
std::vector<std::string> suffixes(const Tensor& self) {
  std::vector<std::string> all = {"device='" + device_name() + "'"};
  const DType dtype = self.dtype();
  const bool shown = self.numel() != 0 && !is_current_stream_capturing();
  if (!shown && (self.dim() != 1 || self.numel() != 0)) all.push_back("size=" + tuple_text(self.sizes()));
  const bool evident = dtype == DType::f32 || (shown && (dtype == DType::i64 || dtype == DType::boolean));
  if (!evident) all.push_back("dtype=" + std::string(python_name(dtype)));
  if (self.requires_grad() && self.is_leaf()) all.push_back("requires_grad=True");
  if (self.requires_grad() && !self.is_leaf()) {
    all.push_back("grad_fn=<" + gradient_name(autograd_of(self).grad_fn->name()) + ">");
  }
  return all;
}

std::string repr(const Tensor& self) {
  if (!self.defined()) return "tensor(undefined)";
  std::string text = values_text(self);
  std::size_t line = text.size() - (text.rfind('\n') + 1) + 2;
  for (const std::string& suffix : suffixes(self)) {
    const bool fits = line + suffix.size() + 2 <= line_width;
    text += (fits ? ", " : ",\n       ") + suffix;
    line = suffix.size() + (fits ? line + 2 : 7);
  }
  return text + ")";
}

nb::object item(const Tensor& self) {
  auto read = [&self](auto zero) {
    nb::gil_scoped_release waiting;
    return self.item<decltype(zero)>();
  };
  if (self.dtype() == DType::boolean) return nb::bool_(read(false));
  if (is_floating(self.dtype())) return nb::float_(read(0.0));
  return nb::int_(read(std::int64_t{0}));
}

template <class T>
nb::object nested(const std::vector<T>& values, const Sizes& sizes, int dim, std::size_t& at) {
  if (dim == sizes.size()) return nb::cast(static_cast<T>(values[at++]));
  nb::list all;
  for (std::int64_t i = 0; i < sizes[dim]; ++i) all.append(nested(values, sizes, dim + 1, at));
  return all;
}

template <class T>
nb::object lists_of(const Tensor& self) {
  std::vector<T> values;
  {
    nb::gil_scoped_release waiting;
    values = self.to_vector<T>();
  }
  std::size_t at = 0;
  return nested(values, self.sizes(), 0, at);
}

nb::object tolist(const Tensor& self) {
  if (self.dtype() == DType::boolean) return lists_of<bool>(self);
  return is_floating(self.dtype()) ? lists_of<double>(self) : lists_of<std::int64_t>(self);
}

bool truth(const Tensor& self) {
  if (self.numel() != 1) {
    fail("Boolean value of a tensor with ", self.numel(), " elements is ambiguous: use any() or all()");
  }
  nb::gil_scoped_release waiting;
  return self.item<double>() != 0;
}

// to(dtype), to(device), to(device, dtype), to(other), each with the keywords of PyTorch.
Tensor to(const Tensor& self, nb::args arguments, nb::kwargs keywords) {
  std::optional<DType> dtype;
  bool copy = false;
  auto take = [&](nb::handle argument) {
    DType given;
    if (nb::isinstance<Tensor>(argument)) {
      dtype = nb::cast<Tensor>(argument).dtype();
    } else if (!PyLong_Check(argument.ptr()) && nb::try_cast(argument, given)) {
      dtype = given;
    } else {
      check_device(argument, "to");
    }
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    // PyTorch takes non_blocking and copy by position, too.
    if (!PyBool_Check(arguments[i].ptr())) take(arguments[i]);
  }
  for (auto [key, value] : keywords) {
    const std::string name = nb::cast<std::string>(key);
    if (name == "dtype" || name == "device" || name == "other") {
      if (!value.is_none()) take(value);
    } else if (name == "copy") {
      copy = nb::cast<bool>(value);
    } else if (name != "non_blocking" && name != "memory_format") {
      throw nb::type_error(("to() got an unexpected keyword argument '" + name + "'").c_str());
    }
  }
  const Tensor converted = dtype ? self.to(*dtype) : self;
  return copy && converted.is_same(self) ? self.clone() : converted;
}

// p.data = x: the tensor keeps its identity and gets other memory.
void set_data(const Tensor& self, const Tensor& from) {
  TensorBody& body = self.body();
  const TensorBody& other = from.body();
  body.memory = other.memory;
  body.offset = other.offset;
  body.sizes = other.sizes;
  body.strides = other.strides;
  body.dtype = other.dtype;
}

void bind_properties(nb::class_<Tensor>& tensor) {
  tensor.def_prop_ro("shape", [](const Tensor& self) { return size_object(self.sizes()); })
      .def_prop_ro("dtype", &Tensor::dtype)
      .def_prop_ro("ndim", &Tensor::dim)
      .def_prop_ro("device", [](const Tensor&) { return device_object(); })
      .def_prop_ro("is_cuda", [](const Tensor&) { return true; })
      .def_prop_ro("T",
                   [](const Tensor& self) {
                     Sizes reversed;
                     for (int i = self.dim() - 1; i >= 0; --i) reversed.push_back(i);
                     return self.permute(reversed);
                   })
      .def_prop_ro("mT", [](const Tensor& self) { return self.transpose(-2, -1); })
      .def_prop_ro("itemsize", [](const Tensor& self) { return size_of(self.dtype()); })
      .def_prop_ro("nbytes", [](const Tensor& self) { return self.numel() * size_of(self.dtype()); })
      .def_prop_ro("_version", [](const Tensor& self) { return self.body().memory->version(); })
      .def_prop_rw("requires_grad", &Tensor::requires_grad,
                   [](Tensor& self, bool value) { self.requires_grad_(value); })
      .def_prop_ro("is_leaf", &Tensor::is_leaf)
      .def_prop_rw(
          "grad",
          [](const Tensor& self) -> std::optional<Tensor> {
            Tensor grad = self.grad();
            return grad.defined() ? std::optional<Tensor>(grad) : std::nullopt;
          },
          [](const Tensor& self, std::optional<Tensor> grad) { self.set_grad(grad.value_or(Tensor())); },
          nb::for_setter(nb::arg("grad").none()))
      .def_prop_rw("data", &Tensor::detach, &set_data)
      .def_prop_ro("grad_fn", [](const Tensor& self) -> std::shared_ptr<autograd::Node> {
        return self.requires_grad() && !self.is_leaf() ? autograd_of(self).grad_fn : nullptr;
      });
  tensor.def("size", [](const Tensor& self) { return size_object(self.sizes()); })
      .def("size", &Tensor::size, "dim"_a)
      .def("stride", [](const Tensor& self) { return nb::tuple(size_object(self.strides())); })
      .def("stride", &Tensor::stride, "dim"_a)
      .def("dim", &Tensor::dim)
      .def("numel", &Tensor::numel)
      .def("nelement", &Tensor::numel)
      .def("element_size", [](const Tensor& self) { return size_of(self.dtype()); })
      .def("storage_offset", [](const Tensor& self) { return self.body().offset; })
      .def("is_contiguous", &Tensor::is_contiguous)
      .def("is_floating_point", [](const Tensor& self) { return is_floating(self.dtype()); })
      .def("is_set_to", &Tensor::is_same)
      .def("data_ptr", [](const Tensor& self) {
        return reinterpret_cast<std::uintptr_t>(self.body().memory->address()) +
               self.body().offset * size_of(self.dtype());
      });
}

void bind_views(nb::class_<Tensor>& tensor) {
  tensor.def("view", [](const Tensor& self, nb::args sizes) { return self.view(sizes_of(sizes, "view")); })
      .def(
          "view_as", [](const Tensor& self, const Tensor& other) { return self.view(other.sizes()); }, "other"_a)
      .def("reshape", [](const Tensor& self, nb::args shape) { return self.reshape(sizes_of(shape, "reshape")); })
      .def(
          "reshape_as", [](const Tensor& self, const Tensor& other) { return self.reshape(other.sizes()); }, "other"_a)
      .def("permute", [](const Tensor& self, nb::args dims) { return self.permute(sizes_of(dims, "permute")); })
      .def("expand", [](const Tensor& self, nb::args sizes) { return self.expand(sizes_of(sizes, "expand")); })
      .def(
          "expand_as", [](const Tensor& self, const Tensor& other) { return self.expand(other.sizes()); }, "other"_a)
      .def("t", &Tensor::t)
      .def("repeat", [](const Tensor& self, nb::args repeats) { return self.repeat(sizes_of(repeats, "repeat")); })
      .def("contiguous", &Tensor::contiguous)
      .def("clone", &Tensor::clone)
      .def("detach", &Tensor::detach)
      .def("to", &to, "Converts to a type; tensors have one device, so that naming it changes nothing.")
      .def(
          "cuda", [](const Tensor& self, nb::object device, bool) { return check_device(device, "cuda"), self; },
          "device"_a = nb::none(), "non_blocking"_a = false, "The tensor itself, which is on the device already.")
      .def("cpu", &Tensor::clone, "A copy, as of every tensor on a GPU; it is on the same device.")
      .def(
          "type_as", [](const Tensor& self, const Tensor& other) { return self.to(other.dtype()); }, "other"_a)
      .def("double", [](const Tensor& self) { return self.to(DType::f64); })
      .def("int", [](const Tensor& self) { return self.to(DType::i32); })
      .def("float", [](const Tensor& self) { return self.to(DType::f32); })
      .def("half", [](const Tensor& self) { return self.to(DType::f16); })
      .def("bfloat16", [](const Tensor& self) { return self.to(DType::bf16); })
      .def("long", [](const Tensor& self) { return self.to(DType::i64); })
      .def("bool", [](const Tensor& self) { return self.to(DType::boolean); });
}

// Each returns the Python object it was called on.
void bind_in_place(nb::class_<Tensor>& tensor) {
  using Self = nb::pointer_and_handle<Tensor>;
  tensor
      .def(
          "copy_",
          [](Self self, const Tensor& from, bool) {
            Tensor& to = *self.p;
            to.copy_(from.sizes() == to.sizes() ? from : from.expand(to.sizes()));
            return nb::borrow(self.h);
          },
          "src"_a, "non_blocking"_a = false)
      .def(
          "fill_", [](Self self, Scalar value) { return self.p->fill_(value), nb::borrow(self.h); }, "value"_a)
      .def("zero_", [](Self self) { return self.p->zero_(), nb::borrow(self.h); })
      .def(
          "add_",
          [](Self self, const Tensor& other, double alpha) { return self.p->add_(other, alpha), nb::borrow(self.h); },
          "other"_a, nb::kw_only(), "alpha"_a = 1.0)
      .def(
          "add_",
          [](Self self, Scalar other, double alpha) {
            self.p->add_(alpha == 1 ? other : Scalar(other.value() * alpha));
            return nb::borrow(self.h);
          },
          "other"_a, nb::kw_only(), "alpha"_a = 1.0)
      .def(
          "sub_", [](Self self, const Tensor& other) { return self.p->sub_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "sub_", [](Self self, Scalar other) { return self.p->sub_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "mul_", [](Self self, const Tensor& other) { return self.p->mul_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "mul_", [](Self self, Scalar other) { return self.p->mul_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "div_", [](Self self, const Tensor& other) { return self.p->div_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "div_", [](Self self, Scalar other) { return self.p->div_(other), nb::borrow(self.h); }, "other"_a)
      .def(
          "uniform_", [](Self self, double from, double to) { return self.p->uniform_(from, to), nb::borrow(self.h); },
          "from"_a = 0.0, "to"_a = 1.0)
      .def(
          "normal_", [](Self self, double mean, double std) { return self.p->normal_(mean, std), nb::borrow(self.h); },
          "mean"_a = 0.0, "std"_a = 1.0)
      .def(
          "clamp_", [](Self self, Scalar min, Scalar max) { return self.p->clamp_(min, max), nb::borrow(self.h); },
          "min"_a, "max"_a)
      .def(
          "masked_fill_",
          [](Self self, const Tensor& mask, Scalar value) {
            return self.p->masked_fill_(mask, value), nb::borrow(self.h);
          },
          "mask"_a, "value"_a)
      .def(
          "requires_grad_", [](Self self, bool value) { return self.p->requires_grad_(value), nb::borrow(self.h); },
          "requires_grad"_a = true);
  for (const char* name : {"add", "sub", "mul"}) {
    tensor.attr(("__i" + std::string(name) + "__").c_str()) = tensor.attr((std::string(name) + "_").c_str());
  }
  tensor.attr("__itruediv__") = tensor.attr("div_");
}

void bind_values(nb::class_<Tensor>& tensor) {
  tensor.def("__repr__", &repr)
      .def("item", &item, "The only element, as a number. Waits for the device; throws during a capture.")
      .def("tolist", &tolist, "The elements as nested lists. Waits for the device; throws during a capture.")
      .def("__bool__", &truth)
      .def("__float__", [](const Tensor& self) { return nb::float_(nb::handle(item(self))); })
      .def("__int__", [](const Tensor& self) { return nb::int_(nb::handle(item(self))); })
      .def("__index__",
           [](const Tensor& self) {
             if (is_floating(self.dtype())) throw nb::type_error("only tensors of integers can be used as an index");
             return nb::int_(nb::handle(item(self)));
           })
      .def("__hash__", [](const Tensor& self) { return std::hash<TensorBody*>()(self.shared_body().get()); })
      .def("__len__",
           [](const Tensor& self) {
             if (self.dim() == 0) throw nb::type_error("len() of a 0-d tensor");
             return self.size(0);
           })
      .def("__format__", [](nb::handle self, nb::str format) -> nb::object {
        nb::object value = nb::cast<Tensor&>(self).dim() == 0 ? item(nb::cast<Tensor&>(self)) : nb::str(self);
        return value.attr("__format__")(format);
      });
}

}  // namespace

void bind_tensor(nb::module_& m) {
  nb::class_<autograd::Node>(m, "Node", "An operation that autograd has recorded.")
      .def("name", [](const autograd::Node& self) { return gradient_name(self.name()); })
      .def_prop_ro("next_functions",
                   [](const autograd::Node& self) {
                     nb::list all;
                     for (const autograd::Edge& edge : self.edges()) all.append(nb::make_tuple(edge.node, edge.input));
                     return nb::tuple(all);
                   })
      .def("__repr__", [](const autograd::Node& self) { return "<" + gradient_name(self.name()) + ">"; });

  nb::class_<Tensor> tensor(m, "Tensor", nb::is_weak_referenceable(),
                            "An array of numbers in device memory, as in PyTorch. torch.tensor() makes one of values.");
  tensor.def(nb::init<const Tensor&>(), "other"_a, "Another object for the same tensor.");
  bind_properties(tensor);
  bind_views(tensor);
  bind_in_place(tensor);
  bind_values(tensor);
  bind_operators(tensor);
  bind_indexing(tensor);
  bind_functions(m, tensor);
  bind_exchange(m, tensor);
  bind_autograd(m, tensor);
}

}  // namespace reprise::python
