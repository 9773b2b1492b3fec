// Signals external semaphores.
#pragma once

#include "op/context.h"
#include "op/external_semaphore.h"

namespace reprise_runtime::op {

struct SemaphoreSignal {
  SemaphoreList semaphores;

  void run(const Context& context) const {
    if (context.dead()) return;
    for (const SemaphoreValue& item : semaphores) item.semaphore->file().signal(item.value);
  }
};

}  // namespace reprise_runtime::op
