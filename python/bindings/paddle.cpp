// Paddle's static side: programs, variables, scopes, the executor.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <reprise/factories.h>
#include <reprise/paddle.h>

#include "casters.h"

namespace reprise::python {
namespace {

using paddle::Program;
using paddle::Variable;

}  // namespace

void bind_paddle(nb::module_& m) {
  nb::class_<Program>(m, "_Program", nb::is_weak_referenceable())
      .def(nb::init<>())
      .def_prop_ro("id", &Program::id)
      .def("apply", &Program::apply, "operation"_a, "inputs"_a, "outputs"_a = 1)
      .def("effect", &Program::effect, "work"_a, "inputs"_a)
      .def(
          "parameter",
          [](Program& self, const std::string& name, const Tensor& value) { return self.parameter(name, value); },
          "name"_a, "value"_a);
  nb::class_<Variable>(m, "_Variable")
      .def_prop_ro("name", &Variable::name)
      .def_prop_ro("program", &Variable::program, nb::rv_policy::reference)
      .def(
          "set_persistable", [](const Variable& self, bool persistable) { self.set_persistable(persistable); },
          "persistable"_a);
  nb::class_<paddle::ScopeTensor>(m, "_ScopeTensor")
      .def("copy_from", &paddle::ScopeTensor::copy_from, "value"_a)
      .def("tensor", &paddle::ScopeTensor::tensor);
  nb::class_<paddle::ScopeVariable>(m, "_ScopeVariable").def("get_tensor", &paddle::ScopeVariable::get_tensor);
  nb::class_<paddle::Scope>(m, "_Scope")
      .def(nb::init<>())
      .def("has", &paddle::Scope::has, "name"_a)
      .def("var", &paddle::Scope::var, "name"_a, nb::keep_alive<0, 1>());
  m.def("_global_scope", &paddle::global_scope, nb::rv_policy::reference);
  m.def("_default_main_program", &paddle::default_main_program, nb::rv_policy::reference);
  m.def("_default_startup_program", &paddle::default_startup_program, nb::rv_policy::reference);
  m.def("_static_data", &paddle::static_data, "name"_a, "sizes"_a, "dtype"_a);
  m.def("_create_parameter", &paddle::create_parameter, "name"_a, "sizes"_a, "initial"_a);
  nb::class_<paddle::ProgramGuard>(m, "_ProgramGuard")
      .def(nb::init<Program&, Program&>(), "main"_a, "startup"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());
  nb::class_<paddle::Executor>(m, "_Executor")
      .def(
          "__init__",
          [](paddle::Executor* self, int device, int capture_from) {
            paddle::ExecutorOptions options;
            options.capture_from = capture_from;
            new (self) paddle::Executor(paddle::CUDAPlace{device}, options);
          },
          "device"_a, "capture_from"_a)
      .def("run", &paddle::Executor::run, "program"_a, "feed"_a, "fetch"_a)
      .def("reset", &paddle::Executor::reset)
      .def_prop_ro("graphs", &paddle::Executor::graphs);
  m.def("_check_place", [](int device) { paddle::check_place(paddle::CUDAPlace{device}, "a CUDAGraph"); }, "device"_a);
}

}  // namespace reprise::python
