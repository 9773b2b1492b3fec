#include "base/runtime_use.h"

#include <atomic>

namespace reprise_runtime {
namespace {

std::atomic<bool> initialised{false};
std::atomic<bool> uses[max_devices] = {};

}  // namespace

void begin_runtime_use() {
  if (thread_use().driver_call != DriverCall::none) return;
  thread_use().used_runtime = true;
  initialise_driver();
  uses[current_device()].store(true, std::memory_order_relaxed);
}

void note_chosen_device() {
  thread_use().chose_device = true;
  begin_runtime_use();
}

void initialise_driver() { initialised.store(true, std::memory_order_relaxed); }
bool driver_initialised() { return initialised.load(std::memory_order_relaxed); }

bool runtime_uses(int device) { return uses[device].load(std::memory_order_relaxed); }
void end_runtime_use(int device) { uses[device].store(false, std::memory_order_relaxed); }

}  // namespace reprise_runtime
