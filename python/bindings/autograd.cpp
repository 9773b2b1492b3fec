// Gradients: backward(), grad(), hooks, and whether operations are recorded.
#include <nanobind/stl/function.h>
#include <reprise/autograd.h>
#include <reprise/checkpoint.h>

#include <set>

#include "casters.h"

namespace reprise::python {
namespace {

std::vector<Tensor> tensors_of(nb::handle object) {
  if (object.is_none()) return {};
  if (nb::isinstance<Tensor>(object)) return {nb::cast<Tensor>(object)};
  std::vector<Tensor> all;
  for (nb::handle each : object) all.push_back(each.is_none() ? Tensor() : nb::cast<Tensor>(each));
  return all;
}

// Hooks return a tensor or None.
autograd::Hook hook_of(nb::callable function) {
  auto shared = std::shared_ptr<nb::callable>(new nb::callable(std::move(function)), [](nb::callable* held) {
    nb::gil_scoped_acquire python;
    delete held;
  });
  return [shared](const Tensor& gradient) {
    nb::gil_scoped_acquire python;
    nb::object result = (*shared)(gradient);
    return result.is_none() ? Tensor() : nb::cast<Tensor>(result);
  };
}

nb::object or_none(const Tensor& tensor) { return tensor.defined() ? nb::cast(tensor) : nb::none(); }

}  // namespace

void bind_autograd(nb::module_& m, nb::class_<Tensor>& tensor) {
  m.def("is_grad_enabled", &is_grad_enabled);
  m.def("_set_grad_enabled", &set_grad_enabled, "mode"_a);
  m.def(
      "_backward",
      [](nb::object outputs, nb::object gradients, bool retain_graph, bool create_graph) {
        backward(tensors_of(outputs), tensors_of(gradients), {retain_graph, create_graph});
      },
      "tensors"_a, "grad_tensors"_a = nb::none(), "retain_graph"_a = false, "create_graph"_a = false);
  m.def(
      "_grad",
      [](nb::object outputs, nb::object inputs, nb::object gradients, bool retain_graph, bool create_graph,
         bool allow_unused) {
        nb::list all;
        for (const Tensor& each : grad(tensors_of(outputs), tensors_of(inputs), tensors_of(gradients),
                                       {retain_graph, create_graph}, allow_unused)) {
          all.append(or_none(each));
        }
        return nb::tuple(all);
      },
      "outputs"_a, "inputs"_a, "grad_outputs"_a = nb::none(), "retain_graph"_a = false, "create_graph"_a = false,
      "allow_unused"_a = false);
  m.def(
      "_custom_function",
      [](const std::string& name, const std::vector<Tensor>& inputs, std::vector<Tensor> outputs,
         nb::callable function) {
        auto shared = std::shared_ptr<nb::callable>(new nb::callable(std::move(function)), [](nb::callable* held) {
          nb::gil_scoped_acquire python;
          delete held;
        });
        // Nodes keep the pointer for ever.
        static std::set<std::string> names;
        return autograd::custom_function(names.insert(name).first->c_str(), inputs, std::move(outputs),
                                         [shared](const std::vector<Tensor>& gradients) {
                                           nb::gil_scoped_acquire python;
                                           return tensors_of((*shared)(gradients));
                                         });
      },
      "name"_a, "inputs"_a, "outputs"_a, "backward"_a);
  m.def(
      "_checkpoint",
      [](std::function<std::vector<Tensor>(const std::vector<Tensor>&)> function, const std::vector<Tensor>& inputs) {
        return checkpoint(std::move(function), inputs);
      },
      "function"_a, "inputs"_a);
  tensor
      .def(
          "backward",
          [](const Tensor& self, std::optional<Tensor> gradient, bool retain_graph, bool create_graph) {
            std::vector<Tensor> gradients;
            if (gradient) gradients.push_back(*gradient);
            backward({self}, gradients, {retain_graph, create_graph});
          },
          "gradient"_a = nb::none(), "retain_graph"_a = false, "create_graph"_a = false)
      .def("retain_grad", &Tensor::retain_grad)
      .def(
          "register_hook", [](const Tensor& self, nb::callable hook) { self.register_hook(hook_of(hook)); }, "hook"_a)
      .def(
          "register_post_accumulate_grad_hook",
          [](const Tensor& self, nb::callable hook) {
            auto call = hook_of(hook);
            self.register_post_accumulate_grad_hook([call](const Tensor& leaf) { call(leaf); });
          },
          "hook"_a);
}

}  // namespace reprise::python
