// Nothing to do: a place for others to depend on.
#pragma once

#include "op/context.h"

namespace reprise_runtime::op {

struct Empty {
  void run(const Context&) const {}
};

}  // namespace reprise_runtime::op
