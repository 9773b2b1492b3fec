#include "kernels/device/device_error.h"

#include <reprise/capture.h>
#include <reprise/error.h>

#include <atomic>
#include <string>

namespace reprise::kernels {
namespace {

DeviceError* allocate_record() {
  RelaxedCaptureMode relaxed;
  void* data = nullptr;
  check_cuda(cudaHostAlloc(&data, sizeof(DeviceError), cudaHostAllocPortable | cudaHostAllocMapped),
             "allocating the record of device errors");
  return new (data) DeviceError{};
}

std::atomic<DeviceError*> record{nullptr};

}  // namespace

DeviceError* device_error() {
  static DeviceError* const made = allocate_record();
  record.store(made, std::memory_order_release);
  return made;
}

void check_device_error() {
  DeviceError* made = record.load(std::memory_order_acquire);
  if (!made) return;
  const char* what = __atomic_load_n(&made->what, __ATOMIC_ACQUIRE);
  if (!what) return;
  const std::int64_t value = made->value, count = made->count;
  made->what = nullptr;
  __atomic_store_n(&made->taken, 0, __ATOMIC_RELEASE);
  fail(what, " ", value, " is out of range: there are ", count, " (found by the device in earlier work)");
}

}  // namespace reprise::kernels
