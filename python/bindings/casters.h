// Conversions of arguments between Python and the tensor layer.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <reprise/ops.h>
#include <reprise/tensor.h>

#include <string>

namespace nb = nanobind;
using namespace nb::literals;

namespace reprise::python {

// For calls that wait for the device: other threads run meanwhile.
using Waits = nb::call_guard<nb::gil_scoped_release>;

// Called with the module during import, one for each part of it.
void bind_errors(nb::module_& m);
void bind_types(nb::module_& m);
void bind_tensor(nb::module_& m);
void bind_functions(nb::module_& m, nb::class_<Tensor>& tensor);
void bind_operators(nb::class_<Tensor>& tensor);
void bind_indexing(nb::class_<Tensor>& tensor);
void bind_exchange(nb::module_& m, nb::class_<Tensor>& tensor);
void bind_factories(nb::module_& m);
void bind_autograd(nb::module_& m, nb::class_<Tensor>& tensor);
void bind_streams(nb::module_& m);
void bind_graphs(nb::module_& m);
void bind_memory(nb::module_& m);
void bind_layers(nb::module_& m);
void bind_optimizers(nb::module_& m);
void bind_paddle(nb::module_& m);
void bind_safetensors(nb::module_& m);

// A torch.Size with these values.
nb::object size_object(const Sizes& sizes);

// The sizes in f(2, 3), f((2, 3)) or f([2, 3]).
Sizes sizes_of(const nb::args& arguments, const char* function);

// Throws unless `device` is None or names the device of all tensors: "cuda", "cuda:0", 0, device("cuda"), "gpu:0".
// "cpu" is accepted, too: programs written for two kinds of memory run with one.
void check_device(nb::handle device, const char* function);
// The device that all tensors are on: a torch.device, and its name.
nb::object device_object();
std::string device_name();

// A name of PyTorch's, for example "torch.float32".
const char* python_name(DType dtype);

Reduction reduction_of(const std::string& name, const char* function);

// Dimensions as None, one number or several. None and () mean all.
Sizes dims_of(nb::handle dims);

}  // namespace reprise::python

namespace nanobind::detail {

template <>
struct type_caster<reprise::Sizes> {
  NB_TYPE_CASTER(reprise::Sizes, const_name("collections.abc.Sequence[int]"))

  bool from_python(handle source, uint32_t flags, cleanup_list*) noexcept {
    value = reprise::Sizes();
    if (PyLong_Check(source.ptr())) return push(source, flags);
    if (!PyTuple_Check(source.ptr()) && !PyList_Check(source.ptr())) return false;
    const Py_ssize_t size = PySequence_Fast_GET_SIZE(source.ptr());
    if (size > reprise::Sizes::capacity) return false;
    for (Py_ssize_t i = 0; i < size; ++i) {
      if (!push(PySequence_Fast_GET_ITEM(source.ptr(), i), flags)) return false;
    }
    return true;
  }
  static handle from_cpp(const reprise::Sizes& sizes, rv_policy, cleanup_list*) noexcept {
    return reprise::python::size_object(sizes).release();
  }

 private:
  bool push(handle item, uint32_t) noexcept {
    if (!PyIndex_Check(item.ptr())) return false;
    const Py_ssize_t number = PyNumber_AsSsize_t(item.ptr(), PyExc_OverflowError);
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
    value.push_back(number);
    return true;
  }
};

template <>
struct type_caster<reprise::Scalar> {
  // As NB_TYPE_CASTER has it; a Scalar has no default constructor.
  using Value = reprise::Scalar;
  static constexpr auto Name = const_name("float");
  template <typename T>
  using Cast = movable_cast_t<T>;
  template <typename T>
  static constexpr bool can_cast() {
    return true;
  }
  explicit operator Value*() { return &value; }
  explicit operator Value&() { return value; }
  explicit operator Value&&() { return static_cast<Value&&>(value); }
  Value value = 0;

  bool from_python(handle source, uint32_t, cleanup_list*) noexcept {
    PyObject* object = source.ptr();
    if (PyBool_Check(object)) {
      value = object == Py_True;
    } else if (PyFloat_Check(object)) {
      value = PyFloat_AS_DOUBLE(object);
    } else if (PyLong_Check(object)) {
      return whole(object);
    } else if (nb::type_check(source.type())) {
      return false;  // a Tensor, for example
    } else {
      return foreign(object);
    }
    return true;
  }

 private:
  bool whole(PyObject* object) noexcept {
    const long long number = PyLong_AsLongLong(object);
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      return false;
    }
    value = static_cast<std::int64_t>(number);
    return true;
  }
  // A number of NumPy, for example.
  bool foreign(PyObject* object) noexcept {
    if (PySequence_Check(object)) return false;
    if (PyIndex_Check(object)) {
      steal_whole(PyNumber_Index(object));
    } else if (Py_TYPE(object)->tp_as_number && Py_TYPE(object)->tp_as_number->nb_float) {
      value = PyFloat_AsDouble(object);
    } else {
      return false;
    }
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    return false;
  }
  void steal_whole(PyObject* number) noexcept {
    if (!number) return;
    whole(number);
    Py_DECREF(number);
  }
};

}  // namespace nanobind::detail
