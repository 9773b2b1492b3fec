#include "stream/memory_work.h"

#include <algorithm>
#include <memory>

#include "base/device_settings.h"
#include "base/tuning.h"
#include "diagnose/refuse.h"
#include "exec/wait.h"
#include "stream/capture_rules.h"
#include "stream/device_streams.h"
#include "stream/working_stream.h"

namespace reprise_runtime::stream {
namespace {

using memory::BoxCopy;
using memory::MemoryKind;

bool on_device(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::variable || kind == MemoryKind::imported;
}

bool waits_for_everything(const Stream& stream) { return device_flags(stream.device()) & cudaDeviceSyncMemops; }

// After a fault the device's error takes precedence, except over an unknown kind of copy.
cudaError_t refused(cudaError_t status) {
  const cudaError_t fault = sticky_error(current_device());
  return fault == cudaSuccess || status == cudaErrorInvalidMemcpyDirection ? status : fault;
}

// Only nodes may name graph memory that is not live yet.
cudaError_t not_live(const void* address, const char* name) {
  return diagnose::refuse(cudaErrorInvalidValue, "the %s %p is %s", name, address, describe(MemoryKind::graph));
}
cudaError_t check_live(const Stream& stream, const op::Memcpy& copy) {
  if (copy.to != MemoryKind::graph && copy.from != MemoryKind::graph) [[likely]]
    return cudaSuccess;
  if (stream.may_capture()) return cudaSuccess;
  return copy.to == MemoryKind::graph ? not_live(copy.box.to.address, "destination")
                                      : not_live(copy.box.from.address, "source");
}
cudaError_t check_live(const Stream& stream, const op::Memset& set) {
  if (set.to != MemoryKind::graph || stream.may_capture()) [[likely]]
    return cudaSuccess;
  return not_live(set.box.to.address, "destination");
}

constexpr RefusedCall waited_for = {
    "use the call with Async in its name, in the capturing stream, or call it before the "
    "capture"};

bool small(const memory::Extent& extent) {
  if (extent.one_row()) return extent.width <= tuning::largest_copy_at_once;
  size_t rows = 0, cost = 0;
  return !__builtin_mul_overflow(extent.height, extent.depth, &rows) &&
         !__builtin_mul_overflow(rows, std::max(extent.width, tuning::row_cost), &cost) &&
         cost <= tuning::largest_copy_at_once;
}

// The calling thread finishes small work sooner than another thread would notice it.
template <class T>
bool done_at_once(Stream& stream, const T& op) {
  return small(op.box.extent) && stream.run_at_once(op);
}

template <class T>
cudaError_t submit(Stream& stream, const T& op) {
  return done_at_once(stream, op) ? cudaSuccess : stream.submit(op);
}

// For calls without Async that need not wait. A GPU finishes them almost at once, and programs rely on that when a
// non-blocking stream uses the memory next. If nothing is queued before it, the work is done on return here as well.
template <class T>
cudaError_t submit_promptly(Stream& stream, const T& op) {
  if (done_at_once(stream, op)) return cudaSuccess;
  const bool next = stream.idle();
  if (cudaError_t status = stream.submit(op); status != cudaSuccess) return status;
  if (next) exec::wait(stream.lane().last());
  return cudaSuccess;
}

template <class T>
cudaError_t submit_and_wait(Stream& stream, const T& op) {
  if (done_at_once(stream, op)) {
    exec::waited();
  } else {
    if (cudaError_t status = stream.submit(op); status != cudaSuccess) return status;
    stream.synchronize();
  }
  return sticky_error(stream.device());
}

// A copy that reports missing memory to its caller and leaves the device usable.
struct CheckedCopy {
  const BoxCopy& box;
  cudaError_t& status;

  void run(const op::Context&) const { status = op::copy_now(box); }
};

// Reads the source now and writes the destination in stream order.
cudaError_t submit_staged(Stream& stream, const op::Memcpy& copy) {
  const memory::Extent& extent = copy.box.extent;
  cudaError_t status = cudaSuccess;
  if (done_at_once(stream, CheckedCopy{copy.box, status})) return status;
  auto bytes = std::make_unique_for_overwrite<char[]>(extent.bytes());
  const memory::Place tight{bytes.get(), extent.width, extent.width * extent.height};
  if (cudaError_t status = op::copy_now({tight, copy.box.from, extent}); status != cudaSuccess) return status;
  stream.submit_task([bytes = std::move(bytes), box = BoxCopy{copy.box.to, tight, extent},
                      context = op::Context{stream.device()}](exec::Lane&) {
    if (!context.dead()) memory::copy_box(box, op::fault_guard_of(context));
  });
  return cudaSuccess;
}

}  // namespace

cudaError_t copy_now(cudaStream_t handle, Result<op::Memcpy>&& copy) {
  if (!copy.ok()) return refused(copy.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (copy->empty()) return cudaSuccess;
  if (cudaError_t dead = check_live(**stream, *copy); dead != cudaSuccess) return refused(dead);
  if (cudaError_t refused = check_outside_capture(**stream, waited_for); refused != cudaSuccess) return refused;
  // Only device code can observe the result of a copy within the device.
  const bool inside = on_device(copy->to) && on_device(copy->from);
  if (inside && !waits_for_everything(**stream)) return submit_promptly(**stream, *copy);
  return submit_and_wait(**stream, *copy);
}

cudaError_t set_now(cudaStream_t handle, Result<op::Memset>&& set) {
  if (!set.ok()) return refused(set.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (set->empty()) return cudaSuccess;
  if (cudaError_t dead = check_live(**stream, *set); dead != cudaSuccess) return refused(dead);
  if (set->refusal != cudaSuccess) return refused(set->refusal);
  if (cudaError_t refused = check_outside_capture(**stream, waited_for); refused != cudaSuccess) return refused;
  if (on_device(set->to) && !waits_for_everything(**stream)) return submit_promptly(**stream, *set);
  return submit_and_wait(**stream, *set);
}

cudaError_t copy_async(cudaStream_t handle, Result<op::Memcpy>&& copy) {
  if (!copy.ok()) return refused(copy.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (copy->empty()) return cudaSuccess;
  if (cudaError_t dead = check_live(**stream, *copy); dead != cudaSuccess) return refused(dead);
  // A node reads and writes when it runs, whatever the kind of memory.
  if ((*stream)->may_capture()) [[unlikely]]
    return (*stream)->submit(std::move(*copy));
  if (copy->blocks_host()) return submit_and_wait(**stream, *copy);
  return copy->from_pageable() ? submit_staged(**stream, *copy) : submit(**stream, *copy);
}

cudaError_t copy_peer_async(cudaStream_t handle, Result<op::Memcpy>&& copy) {
  if (!copy.ok()) return refused(copy.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (copy->empty()) return cudaSuccess;
  if (cudaError_t dead = check_live(**stream, *copy); dead != cudaSuccess) return refused(dead);
  constexpr RefusedCall call = {"use cudaMemcpyAsync: with unified addressing the pointers determine the devices"};
  if (cudaError_t status = check_outside_capture(**stream, call); status != cudaSuccess) return status;
  return copy_async(handle, std::move(copy));
}

cudaError_t set_async(cudaStream_t handle, Result<op::Memset>&& set) {
  if (!set.ok()) return refused(set.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (set->empty()) return cudaSuccess;
  if (cudaError_t dead = check_live(**stream, *set); dead != cudaSuccess) return refused(dead);
  if (set->refusal != cudaSuccess && !(*stream)->may_capture()) return refused(set->refusal);
  return submit(**stream, *set);
}

cudaError_t copy_between(cudaStream_t handle, Result<op::Memcpy>&& copy, int to_device, int from_device) {
  if (!copy.ok()) return refused(copy.status());
  Result<Stream*> stream = borrow_working(handle);
  if (!stream.ok()) return stream.status();
  if (copy->empty()) return cudaSuccess;  // nothing was checked, not even the devices
  if (cudaError_t dead = check_live(**stream, *copy); dead != cudaSuccess) return refused(dead);
  if (cudaError_t refused = check_outside_capture(**stream, waited_for); refused != cudaSuccess) return refused;
  if (to_device == from_device) return submit_promptly(**stream, *copy);  // as any copy within a device
  for (int device : {to_device, from_device}) {
    if (cudaError_t status = synchronize_device(device); status != cudaSuccess) return status;
  }
  return submit_and_wait(**stream, *copy);
}

cudaError_t free_when_idle(void* address, cudaError_t (*free)(void* address)) {
  const memory::Range range = memory::lookup(address);
  if (range.size) {
    // Work of another device may use it as well.
    for (int device = 0; device < device_count(); ++device) {
      const cudaError_t status = synchronize_device(device);
      if (status != cudaSuccess && device == range.device) return status;
    }
  }
  return free(address);
}

}  // namespace reprise_runtime::stream
