// The device that an operation runs on.
#pragma once

#include "base/last_error.h"

namespace reprise_runtime::op {

struct Context {
  int device = 0;

  // After a fault a device does no more work: queued operations are skipped.
  bool dead() const { return sticky_error(device) != cudaSuccess; }
};

}  // namespace reprise_runtime::op
