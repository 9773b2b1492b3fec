// x[...]: numbers, slices, None, Ellipsis, masks and lists of rows, as in NumPy.
#include <reprise/factories.h>

#include <algorithm>

#include "casters.h"

namespace reprise::python {
namespace {

std::int64_t whole(nb::handle index) {
  const Py_ssize_t number = PyNumber_AsSsize_t(index.ptr(), PyExc_IndexError);
  if (number == -1 && PyErr_Occurred()) throw nb::python_error();
  return number;
}

Tensor take_one(const Tensor& x, int dim, std::int64_t index) {
  const std::int64_t size = x.size(dim);
  if (index < -size || index >= size) {
    throw nb::index_error(("index " + std::to_string(index) + " is out of bounds for dimension " + std::to_string(dim) +
                           " with size " + std::to_string(size))
                              .c_str());
  }
  return x.select(dim, index);
}

Tensor take_slice(const Tensor& x, int dim, nb::handle slice) {
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(slice.ptr(), &start, &stop, &step) != 0) throw nb::python_error();
  if (step <= 0) throw nb::value_error("slice step must be positive");
  const Py_ssize_t length = PySlice_AdjustIndices(x.size(dim), &start, &stop, step);
  if (step != 1) return x.slice(dim, start, std::max(start, stop), step);
  return length == x.size(dim) ? x : x.narrow(dim, length == 0 ? 0 : start, length);
}

bool is_mask(nb::handle index) {
  return nb::isinstance<Tensor>(index) && nb::cast<const Tensor&>(index).dtype() == DType::boolean;
}

int consumed(nb::handle index) { return index.is_none() || index.is(nb::ellipsis()) ? 0 : 1; }

// The view that `index` names. Only for indices without tensors.
Tensor viewed(const Tensor& self, nb::handle index) {
  nb::tuple parts = PyTuple_Check(index.ptr()) ? nb::borrow<nb::tuple>(index) : nb::make_tuple(index);
  int taken = 0;
  for (nb::handle part : parts) taken += consumed(part);
  if (taken > self.dim()) {
    throw nb::index_error(("too many indices for a tensor of dimension " + std::to_string(self.dim())).c_str());
  }
  Tensor x = self;
  int dim = 0;
  for (nb::handle part : parts) {
    if (part.is_none()) {
      x = x.unsqueeze(dim++);
    } else if (part.is(nb::ellipsis())) {
      dim += self.dim() - taken;
    } else if (PySlice_Check(part.ptr())) {
      x = take_slice(x, dim++, part);
    } else if (PyIndex_Check(part.ptr()) && !PyBool_Check(part.ptr()) && !nb::isinstance<Tensor>(part)) {
      x = take_one(x, dim, whole(part));
    } else if (nb::isinstance<Tensor>(part) && nb::cast<const Tensor&>(part).dim() == 0 && !is_mask(part)) {
      x = take_one(x, dim, whole(part));
    } else {
      throw nb::type_error("an index is an integer, a slice, None, ... or, alone, a mask or the numbers of rows");
    }
  }
  return x.is_same(self) ? self.view(self.sizes()) : x;
}

// Rows by their numbers, in the shape of the index.
Tensor take_rows(const Tensor& self, const Tensor& index) {
  if (self.dim() == 0) throw nb::index_error("too many indices for a tensor of dimension 0");
  const Tensor counted = where(index < 0, index + self.size(0), index);
  Sizes sizes = index.sizes();
  for (int dim = 1; dim < self.dim(); ++dim) sizes.push_back(self.size(dim));
  return self.index_select(0, counted.reshape(Sizes{-1})).reshape(sizes);
}

bool is_rows(nb::handle index) {
  if (PyList_Check(index.ptr())) return true;
  return nb::isinstance<Tensor>(index) && nb::cast<const Tensor&>(index).dim() != 0 && !is_mask(index);
}

Tensor rows_of(nb::handle index) {
  if (nb::isinstance<Tensor>(index)) return nb::cast<const Tensor&>(index).to(DType::i64);
  return from_vector(nb::cast<std::vector<std::int64_t>>(index));
}

nb::object get(const Tensor& self, nb::handle index) {
  if (is_mask(index)) return nb::cast(self.masked_select(nb::cast<const Tensor&>(index)));
  if (is_rows(index)) return nb::cast(take_rows(self, rows_of(index)));
  return nb::cast(viewed(self, index));
}

void set(const Tensor& self, nb::handle index, nb::handle value) {
  if (is_mask(index)) {
    const Tensor& mask = nb::cast<const Tensor&>(index);
    Tensor given;
    Scalar number = 0;
    if (nb::isinstance<Tensor>(value)) {
      given = nb::cast<Tensor>(value).to(self.dtype());
    } else if (nb::try_cast(value, number)) {
      given = full({}, number, self.dtype());
    } else {
      throw nb::type_error("x[mask] = value: a value is a tensor or a number");
    }
    Tensor(self).copy_(where(mask, given, self.detach()));
    return;
  }
  Tensor view = viewed(self, index);
  Scalar number = 0;
  if (nb::isinstance<Tensor>(value)) {
    const Tensor& from = nb::cast<const Tensor&>(value);
    view.copy_(from.sizes() == view.sizes() ? from : from.expand(view.sizes()));
  } else if (nb::try_cast(value, number)) {
    view.fill_(number);
  } else {
    throw nb::type_error("x[...] = value: a value is a tensor or a number");
  }
}

}  // namespace

void bind_indexing(nb::class_<Tensor>& tensor) {
  tensor.def("__getitem__", &get, nb::arg("index").none())
      .def("__setitem__", &set, nb::arg("index").none(), "value"_a)
      .def("__iter__", [](const Tensor& self) {
        if (self.dim() == 0) throw nb::type_error("iteration over a 0-d tensor");
        nb::list rows;
        for (std::int64_t i = 0; i < self.size(0); ++i) rows.append(self.select(0, i));
        return nb::iter(rows);
      });
}

}  // namespace reprise::python
