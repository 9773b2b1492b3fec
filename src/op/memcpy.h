// A copy of a box of bytes.
#pragma once

#include <driver_types.h>

#include "memory/copy.h"
#include "op/context.h"

namespace reprise::op {

struct Memcpy {
  memory::BoxCopy box;
  cudaMemcpyKind kind = cudaMemcpyDefault;

  void run(const Context& context) const {
    if (!context.dead()) memory::copy_box(box);
  }
};

}  // namespace reprise::op
