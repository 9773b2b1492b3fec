// Nothing to do: a place for others to depend on.
#pragma once

#include "op/context.h"

namespace reprise::op {

struct Empty {
  void run(const Context&) const {}
};

}  // namespace reprise::op
