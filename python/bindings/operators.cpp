// The operators of tensors. An operand may be a tensor or a number on either side.
#include "casters.h"

namespace reprise::python {
namespace {

void check_logical(const char* operation, const Tensor& a, const Tensor& b) {
  if (a.dtype() == DType::boolean && b.dtype() == DType::boolean) return;
  throw nb::type_error((std::string("operator ") + operation + " combines tensors of bool, not of " +
                        name_of(a.dtype()) + " and " + name_of(b.dtype()))
                           .c_str());
}

template <class Both, class Right>
void binary(nb::class_<Tensor>& tensor, const char* name, Both both, Right right) {
  tensor.def(name, both, nb::is_operator());
  tensor.def(name, right, nb::is_operator());
}

}  // namespace

void bind_operators(nb::class_<Tensor>& tensor) {
  using Both = Tensor (*)(const Tensor&, const Tensor&);
  using Right = Tensor (*)(const Tensor&, Scalar);
  auto swapped = [&tensor](const char* name, auto function) { tensor.def(name, function, nb::is_operator()); };

  binary(tensor, "__add__", Both(add), Right(add));
  swapped("__radd__", Right(add));
  binary(tensor, "__sub__", Both(sub), Right(sub));
  swapped("__rsub__", [](const Tensor& self, Scalar other) { return sub(other, self); });
  binary(tensor, "__mul__", Both(mul), Right(mul));
  swapped("__rmul__", Right(mul));
  binary(tensor, "__truediv__", Both(div), Right(div));
  swapped("__rtruediv__", [](const Tensor& self, Scalar other) { return div(other, self); });
  binary(tensor, "__pow__", Both(pow), Right(pow));
  swapped("__rpow__", [](const Tensor& self, Scalar other) { return pow(other, self); });
  binary(tensor, "__mod__", Both(remainder), Right(remainder));
  binary(tensor, "__floordiv__", Both(floor_divide), Right(floor_divide));

  binary(tensor, "__eq__", Both(eq), Right(eq));
  binary(tensor, "__ne__", Both(ne), Right(ne));
  binary(
      tensor, "__lt__", [](const Tensor& a, const Tensor& b) { return a < b; },
      [](const Tensor& a, Scalar b) { return a < b; });
  binary(
      tensor, "__le__", [](const Tensor& a, const Tensor& b) { return a <= b; },
      [](const Tensor& a, Scalar b) { return a <= b; });
  binary(
      tensor, "__gt__", [](const Tensor& a, const Tensor& b) { return a > b; },
      [](const Tensor& a, Scalar b) { return a > b; });
  binary(
      tensor, "__ge__", [](const Tensor& a, const Tensor& b) { return a >= b; },
      [](const Tensor& a, Scalar b) { return a >= b; });

  tensor.def("__matmul__", &matmul, nb::is_operator())
      .def("__neg__", &neg)
      .def("__pos__", [](const Tensor& self) { return self; })
      .def("__abs__", [](const Tensor& self) { return abs(self); })
      .def("__invert__", [](const Tensor& self) { return check_logical("~", self, self), logical_not(self); })
      .def(
          "__and__", [](const Tensor& a, const Tensor& b) { return check_logical("&", a, b), logical_and(a, b); },
          nb::is_operator())
      .def(
          "__or__", [](const Tensor& a, const Tensor& b) { return check_logical("|", a, b), logical_or(a, b); },
          nb::is_operator())
      .def(
          "__xor__", [](const Tensor& a, const Tensor& b) { return check_logical("^", a, b), ne(a, b); },
          nb::is_operator());
}

}  // namespace reprise::python
