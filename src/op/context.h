// Where an operation runs.
#pragma once

#include "base/last_error.h"

namespace reprise_runtime::op {

struct Context {
  int device = 0;

  // After a fault a device does no more work: what is queued is passed over.
  bool dead() const { return sticky_error(device) != cudaSuccess; }
};

}  // namespace reprise_runtime::op
