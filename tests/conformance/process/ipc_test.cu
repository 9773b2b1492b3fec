// IPC handles: which can be exported. Opening a handle in the process that exported it is an error, so
// ipc_two_processes_test tests the importing side.
#include "support.h"

using IpcEvent = Runtime;

TEST_F(IpcEvent, NeedsAnInterprocessEvent) {
  Event plain, untimed(cudaEventDisableTiming);
  cudaIpcEventHandle_t handle{};
  ASK(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, plain));
  ASK(cudaErrorInvalidResourceHandle, cudaIpcGetEventHandle(&handle, untimed));
  ASK(cudaErrorInvalidValue, cudaIpcGetEventHandle(&handle, nullptr));
}

TEST_F(IpcEvent, GivesAHandle) {
  Event event(cudaEventInterprocess | cudaEventDisableTiming);
  cudaIpcEventHandle_t handle{};
  ASK(cudaSuccess, cudaIpcGetEventHandle(&handle, event));
}

TEST_F(IpcEvent, IsNotOpenedWhereItWasMade) {
  Event event(cudaEventInterprocess | cudaEventDisableTiming);
  cudaIpcEventHandle_t handle{};
  MUST(cudaIpcGetEventHandle(&handle, event));
  cudaEvent_t opened = nullptr;
  ASK(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&opened, handle));
  ASK(cudaErrorInvalidValue, cudaIpcOpenEventHandle(nullptr, handle));
}

TEST_F(IpcEvent, AnInventedHandleIsRefused) {
  cudaIpcEventHandle_t handle{};
  cudaEvent_t opened = nullptr;
  ASK(cudaErrorMapBufferObjectFailed, cudaIpcOpenEventHandle(&opened, handle));
}

using IpcMemory = Runtime;

TEST_F(IpcMemory, HandlesAreOfDeviceMemoryOnly) {
  DeviceArray<char> device(4096);
  PinnedArray<char> pinned(4096);
  char* managed = nullptr;
  MUST(cudaMallocManaged(&managed, 4096));
  std::vector<char> heap(4096);
  cudaIpcMemHandle_t handle{};
  ASK(cudaSuccess, cudaIpcGetMemHandle(&handle, device.get()));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, nullptr));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, pinned.get()));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, managed));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(&handle, heap.data()));
  MUST(cudaFree(managed));
}

TEST_F(IpcMemory, IsNotOpenedWhereItWasMade) {
  DeviceArray<char> device(4096);
  cudaIpcMemHandle_t handle{};
  MUST(cudaIpcGetMemHandle(&handle, device.get()));
  void* opened = nullptr;
  ASK(cudaErrorDeviceUninitialized, cudaIpcOpenMemHandle(&opened, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaErrorInvalidValue, cudaIpcOpenMemHandle(&opened, handle, 0));
  ASK(cudaErrorInvalidValue, cudaIpcOpenMemHandle(nullptr, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaErrorInvalidValue, cudaIpcCloseMemHandle(device.get()));
  ASK(cudaErrorInvalidValue, cudaIpcCloseMemHandle(nullptr));
}

using HazardIpc = Runtime;

TEST_F(HazardIpc, MissingOutputs) {
  UNDEFINED_ON_NVIDIA("a null output crashes");
  Event event(cudaEventInterprocess | cudaEventDisableTiming);
  DeviceArray<char> device(4096);
  ASK(cudaErrorInvalidValue, cudaIpcGetEventHandle(nullptr, event));
  ASK(cudaErrorInvalidValue, cudaIpcGetMemHandle(nullptr, device.get()));
}
