#include "kernels/matrix/cublas_handle.h"

#include <reprise/current_stream.h>
#include <reprise/error.h>

#include <mutex>
#include <vector>

namespace reprise::kernels {
namespace {

// The size of the workspace; our own cuBLAS needs none.
#ifdef REPRISE_GPU
constexpr std::size_t workspace_bytes = std::size_t(8) << 20;
#else
constexpr std::size_t workspace_bytes = 0;
#endif

struct Handle {
  int device = -1;
  cudaStream_t stream = nullptr;
  cublasHandle_t handle = nullptr;
};

// Handles of ended threads, for reuse by new ones. Destroying a handle would synchronize with the device and invalidate
// captures of other threads.
class Spares {
 public:
  bool take(int device, Handle& handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Handle& each : handles_) {
      if (each.device != device) continue;
      handle = each;
      each = handles_.back();
      handles_.pop_back();
      return true;
    }
    return false;
  }
  void put(const Handle& handle) {
    std::lock_guard<std::mutex> lock(mutex_);
    handles_.push_back(handle);
  }

 private:
  std::mutex mutex_;
  std::vector<Handle> handles_;  // guarded by mutex_
};

Spares& spares() {
  static Spares* all = new Spares;
  return *all;
}

Handle make_handle(int device) {
  Handle made;
  if (spares().take(device, made)) return made;
  // cublasCreate allocates, which is allowed during a capture only in the relaxed mode.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  check_cuda(cudaThreadExchangeStreamCaptureMode(&mode), "making a cuBLAS handle");
  cublasStatus_t status = cublasCreate(&made.handle);
  cudaThreadExchangeStreamCaptureMode(&mode);
  check_cublas(status, "making a cuBLAS handle");
  made.device = device;
  return made;
}

struct ThreadHandles {
  std::vector<Handle> handles;  // one per device
  ~ThreadHandles() {
    for (const Handle& handle : handles) spares().put(handle);
  }

  Handle& of(int device) {
    for (Handle& handle : handles) {
      if (handle.device == device) return handle;
    }
    handles.push_back(make_handle(device));
    return handles.back();
  }
};

thread_local ThreadHandles thread_handles;

}  // namespace

CublasCall::CublasCall() {
  int device = 0;
  check_cuda(cudaGetDevice(&device), "asking for the current device");
  Handle& own = thread_handles.of(device);
  handle_ = own.handle;
  cudaStream_t stream = current_stream();
  if (own.stream != stream) {
    check_cublas(cublasSetStream(handle_, stream), "setting cuBLAS's stream");
    own.stream = stream;
  }
  if (workspace_bytes > 0) {
    workspace_ = allocate(workspace_bytes);
    check_cublas(cublasSetWorkspace(handle_, Memory::data(workspace_), workspace_bytes), "setting cuBLAS's workspace");
  }
}

void check_cublas(cublasStatus_t status, const char* operation) {
  check(status == CUBLAS_STATUS_SUCCESS, operation, ": cuBLAS answered ", cublasGetStatusName(status), " (",
        cublasGetStatusString(status), ")");
}

}  // namespace reprise::kernels
