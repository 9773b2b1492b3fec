#include "op/memory_fault.h"

#include <cstdint>
#include <string>

#include "diagnose/log.h"
#include "diagnose/refuse.h"
#include "kernel/fault.h"
#include "memory/copy/copy.h"

namespace reprise_runtime::op {
namespace {

struct Call {
  void (*piece)(void* context);
  void* context;
};

cudaError_t run_guarded(void (*piece)(void*), void* context) {
  static constexpr reprise_launch no_launch = {};
  const Call call{piece, context};
  return kernel::run_guarded(
      [](const void* params, const reprise_launch*) {
        const Call& inner = *static_cast<const Call*>(params);
        inner.piece(inner.context);
      },
      &call, no_launch);
}

[[gnu::cold]] void fault(int device, cudaError_t error) {
  set_sticky_error(device, error);
  diagnose::Log::instance().write(
      cudaLogLevelError, "a copy or set on device " + std::to_string(device) +
                             " touched memory that is not mapped: it was freed while the work was queued, or a "
                             "host pointer is invalid; this process can no longer use the device");
}

void run_for_device(void (*piece)(void*), void* context, void* device) {
  const cudaError_t error = run_guarded(piece, context);
  if (error != cudaSuccess) [[unlikely]]
    fault(static_cast<int>(reinterpret_cast<intptr_t>(device)), error);
}

}  // namespace

memory::FaultGuard fault_guard_of(const Context& context) {
  return {run_for_device, reinterpret_cast<void*>(static_cast<intptr_t>(context.device))};
}

cudaError_t copy_now(const memory::BoxCopy& box) {
  cudaError_t error = cudaSuccess;
  memory::copy_box(box, {[](void (*piece)(void*), void* context, void* outcome) {
                           const cudaError_t status = run_guarded(piece, context);
                           if (status != cudaSuccess) *static_cast<cudaError_t*>(outcome) = status;
                         },
                         &error});
  if (error == cudaSuccess) return cudaSuccess;
  return diagnose::refuse(cudaErrorInvalidValue, "the source %p is not mapped", static_cast<void*>(box.from.address));
}

}  // namespace reprise_runtime::op
