// Files in the safetensors format.
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <reprise/safetensors.h>

#include "casters.h"

namespace reprise::python {

void bind_safetensors(nb::module_& m) {
  m.def("_save_safetensors", &save_safetensors, "path"_a, "tensors"_a, "metadata"_a, Waits());
  m.def(
      "_load_safetensors",
      [](const std::string& path) {
        StringMap metadata;
        TensorMap tensors = load_safetensors(path, &metadata);
        return std::make_pair(std::move(tensors), std::move(metadata));
      },
      "path"_a, Waits());
}

}  // namespace reprise::python
