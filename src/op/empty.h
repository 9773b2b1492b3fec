// An operation that does nothing; others depend on it.
#pragma once

#include "op/context.h"

namespace reprise_runtime::op {

struct Empty {
  void run(const Context&) const {}
};

}  // namespace reprise_runtime::op
