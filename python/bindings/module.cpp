// The extension module reprise._C.
#include "casters.h"

NB_MODULE(_C, m) {
  using namespace reprise::python;
  m.doc() = "The tensor layer of Reprise. Import `reprise`, which gives it PyTorch's names.";
  // The default programs of paddle.static live as long as the process, with the functions of Python in them.
  nb::set_leak_warnings(false);

  bind_errors(m);
  bind_types(m);
  bind_streams(m);
  bind_memory(m);
  bind_tensor(m);
  bind_factories(m);
  bind_graphs(m);
  bind_layers(m);
  bind_optimizers(m);
  bind_paddle(m);
  bind_safetensors(m);
}
