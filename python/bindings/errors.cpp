// Exceptions: the C++ texts under the names that PyTorch's have. Every other Error is a RuntimeError.
#include <reprise/error.h>
#include <reprise/index_error.h>

#include "casters.h"

namespace reprise::python {
namespace {

PyObject* out_of_memory = nullptr;

void translate(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const IndexError& error) {
    PyErr_SetString(PyExc_IndexError, error.what());
  } catch (const CudaError& error) {
    PyErr_SetString(error.code() == cudaErrorMemoryAllocation ? out_of_memory : PyExc_RuntimeError, error.what());
  }
}

// The entries of CUDA's log so far.
std::string log_text() {
  std::string text(25600, '\0');
  std::size_t size = text.size();
  check_cuda(cudaLogsDumpToMemory(nullptr, text.data(), &size, 0), "reading CUDA's log");
  text.resize(size);
  return text;
}

}  // namespace

void bind_errors(nb::module_& m) {
  out_of_memory = PyErr_NewExceptionWithDoc("reprise.OutOfMemoryError", "The device or a pool has not enough memory.",
                                            PyExc_RuntimeError, nullptr);
  m.attr("OutOfMemoryError") = nb::borrow(out_of_memory);
  nb::register_exception_translator(translate);
  m.def("_log", &log_text);
}

}  // namespace reprise::python
