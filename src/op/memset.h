// A box of memory set to a repeated value.
#pragma once

#include "memory/copy.h"
#include "op/context.h"

namespace reprise::op {

struct Memset {
  memory::BoxFill box;

  void run(const Context& context) const {
    if (!context.dead()) memory::fill_box(box);
  }
};

}  // namespace reprise::op
