// Waits for external semaphores, which another process may signal.
#pragma once

#include "exec/blocking.h"
#include "op/context.h"
#include "op/external_semaphore.h"

namespace reprise_runtime::op {

struct SemaphoreWait {
  SemaphoreList semaphores;

  // Blocks its thread only: other work gets another thread.
  void run(const Context& context) const {
    if (context.dead()) return;
    exec::BlockingScope may_block;
    for (const SemaphoreValue& item : semaphores) item.semaphore->file().wait(item.value);
  }
};

}  // namespace reprise_runtime::op
