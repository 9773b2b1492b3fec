// Optimisers, schedules, gradient scaling and clipping.
#include <nanobind/stl/function.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <reprise/optim.h>

#include "casters.h"

namespace reprise::python {
namespace {

using optim::Optimizer;
using optim::ParameterGroups;

// Each group is (parameters, lr or None, weight_decay or None).
ParameterGroups groups_of(nb::list groups) {
  ParameterGroups all;
  for (nb::handle each : groups) {
    nb::tuple group = nb::cast<nb::tuple>(each);
    all.push_back({nb::cast<std::vector<Tensor>>(group[0]), nb::cast<std::optional<double>>(group[1]),
                   nb::cast<std::optional<double>>(group[2])});
  }
  return all;
}

template <class Kind>
void bind_adam(nb::module_& m, const char* name, double weight_decay) {
  nb::class_<Kind, Optimizer>(m, name).def(
      "__init__",
      [](Kind* self, nb::list groups, double lr, std::pair<double, double> betas, double eps, double weight_decay,
         bool maximize) {
        optim::AdamOptions options;
        options.beta1 = betas.first;
        options.beta2 = betas.second;
        options.epsilon = eps;
        options.weight_decay = weight_decay;
        options.maximize = maximize;
        new (self) Kind(groups_of(groups), lr, options);
      },
      "groups"_a, "lr"_a, "betas"_a, "eps"_a, "weight_decay"_a = weight_decay, "maximize"_a = false);
}

}  // namespace

void bind_optimizers(nb::module_& m) {
  nb::class_<Optimizer>(m, "_Optimizer")
      .def("step", [](Optimizer& self) { self.step(); })
      .def("zero_grad", &Optimizer::zero_grad, "set_to_none"_a = true)
      .def("learning_rate", &Optimizer::learning_rate, "group"_a)
      .def(
          "set_learning_rate",
          [](Optimizer& self, double rate, std::size_t group) { self.set_learning_rate(rate, group); }, "rate"_a,
          "group"_a)
      .def("state_dict", &Optimizer::state_dict)
      .def("load_state_dict", &Optimizer::load_state_dict, "state"_a);
  nb::class_<optim::SGD, Optimizer>(m, "_SGD").def(
      "__init__",
      [](optim::SGD* self, nb::list groups, double lr, double momentum, double dampening, double weight_decay,
         bool nesterov, bool maximize) {
        new (self) optim::SGD(groups_of(groups), lr, {momentum, dampening, weight_decay, nesterov, maximize});
      },
      "groups"_a, "lr"_a, "momentum"_a, "dampening"_a, "weight_decay"_a, "nesterov"_a, "maximize"_a);
  bind_adam<optim::Adam>(m, "_Adam", 0);
  bind_adam<optim::AdamW>(m, "_AdamW", 1e-2);

  nb::class_<optim::Schedule>(m, "_Schedule")
      .def(nb::init<>())
      .def("decay_every", &optim::Schedule::decay_every, "size"_a, "gamma"_a, nb::rv_policy::reference_internal)
      .def("cosine", &optim::Schedule::cosine, "steps"_a, "minimum"_a, "delay"_a = 0, nb::rv_policy::reference_internal)
      .def("warmup", &optim::Schedule::warmup, "steps"_a, "start"_a, nb::rv_policy::reference_internal)
      .def("factors", &optim::Schedule::factors, "factor"_a, "steps"_a, nb::rv_policy::reference_internal);
  nb::class_<optim::LRScheduler>(m, "_LRScheduler")
      .def(nb::init<Optimizer&, optim::Schedule>(), "optimizer"_a, "schedule"_a, nb::keep_alive<1, 2>())
      .def("step", &optim::LRScheduler::step)
      .def("steps", &optim::LRScheduler::steps)
      .def("state_dict", &optim::LRScheduler::state_dict)
      .def("load_state_dict", &optim::LRScheduler::load_state_dict, "state"_a);

  nb::class_<optim::GradScaler>(m, "_GradScaler")
      .def(
          "__init__",
          [](optim::GradScaler* self, double init_scale, double growth_factor, double backoff_factor,
             std::int64_t growth_interval) {
            new (self) optim::GradScaler({init_scale, growth_factor, backoff_factor, growth_interval});
          },
          "init_scale"_a, "growth_factor"_a, "backoff_factor"_a, "growth_interval"_a)
      .def("scale", &optim::GradScaler::scale, "loss"_a)
      .def("unscale_", &optim::GradScaler::unscale_, "optimizer"_a)
      .def("step", &optim::GradScaler::step, "optimizer"_a)
      .def("update", &optim::GradScaler::update)
      .def("current_scale", &optim::GradScaler::current_scale)
      .def("state_dict", &optim::GradScaler::state_dict)
      .def("load_state_dict", &optim::GradScaler::load_state_dict, "state"_a);
  m.def("_clip_grad_norm", &clip_grad_norm_, "parameters"_a, "max_norm"_a);
}

}  // namespace reprise::python
