// Memory and events that two processes share.
#include "process/child_process.h"

using IpcProcess = Runtime;
// The second process, started by the tests of the other suite.
using IpcChild = Runtime;

template <typename Handle>
static std::string setting(const Handle& handle) {
  return "CONFORMANCE_HANDLE=" + as_text(&handle, sizeof(handle));
}
template <typename Handle>
static Handle handle_from_parent() {
  Handle handle{};
  if (const char* text = std::getenv("CONFORMANCE_HANDLE")) from_text(text, &handle, sizeof(handle));
  return handle;
}

TEST_F(IpcProcess, MemoryIsSeenByBoth) {
  DeviceArray<int> cells(1000);
  store<<<1, 1>>>(cells.get() + 999, 41);
  MUST(cudaDeviceSynchronize());
  cudaIpcMemHandle_t handle{};
  MUST(cudaIpcGetMemHandle(&handle, cells.get()));
  ChildProcess child("IpcChild.DISABLED_AddsToMemory", {setting(handle)});
  ASK_VALUE(0, child.status());
  ASK_VALUE(42, cells.read()[999]);
}

TEST_F(IpcChild, DISABLED_AddsToMemory) {
  const auto handle = handle_from_parent<cudaIpcMemHandle_t>();
  int* cells = nullptr;
  MUST(cudaIpcOpenMemHandle(reinterpret_cast<void**>(&cells), handle, cudaIpcMemLazyEnablePeerAccess));
  int value = 0;
  MUST(cudaMemcpy(&value, cells + 999, 4, cudaMemcpyDeviceToHost));
  ASK_VALUE(41, value);
  add_one<<<1, 1>>>(cells + 999);
  MUST(cudaDeviceSynchronize());
  cudaPointerAttributes attributes{};
  ASK(cudaSuccess, cudaPointerGetAttributes(&attributes, cells));
  ASK_VALUE(cudaMemoryTypeDevice, attributes.type);
  ASK(cudaErrorInvalidValue, cudaIpcCloseMemHandle(cells + 1));
  ASK(cudaSuccess, cudaIpcCloseMemHandle(cells));
  ASK(cudaErrorInvalidValue, cudaIpcCloseMemHandle(cells));
}

TEST_F(IpcProcess, MemoryIsOpenedAgain) {
  DeviceArray<int> cells(1000);
  cudaIpcMemHandle_t handle{};
  MUST(cudaIpcGetMemHandle(&handle, cells.get()));
  ChildProcess child("IpcChild.DISABLED_OpensTwice", {setting(handle)});
  ASK_VALUE(0, child.status());
}

TEST_F(IpcChild, DISABLED_OpensTwice) {
  const auto handle = handle_from_parent<cudaIpcMemHandle_t>();
  void *first = nullptr, *second = nullptr;
  MUST(cudaIpcOpenMemHandle(&first, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK(cudaSuccess, cudaIpcOpenMemHandle(&second, handle, cudaIpcMemLazyEnablePeerAccess));
  ASK_VALUE(true, first == second);
  ASK(cudaErrorInvalidValue, cudaFree(first));
  ASK(cudaSuccess, cudaIpcCloseMemHandle(first));
  ASK(cudaSuccess, cudaMemset(second, 0, 4));
  ASK(cudaSuccess, cudaIpcCloseMemHandle(second));
}

TEST_F(IpcProcess, AnEventIsWaitedForInTheOtherProcess) {
  Gate gate;
  Stream stream;
  Event event(cudaEventInterprocess | cudaEventDisableTiming);
  cudaIpcEventHandle_t handle{};
  MUST(cudaIpcGetEventHandle(&handle, event));
  gate.close(stream);
  MUST(cudaEventRecord(event, stream));
  ChildProcess child("IpcChild.DISABLED_WaitsForAnEvent", {setting(handle)});
  ASK_VALUE(true, child.hear());
  gate.open();
  ASK(cudaSuccess, cudaEventSynchronize(event));
  child.say();
  ASK_VALUE(0, child.status());
}

TEST_F(IpcChild, DISABLED_WaitsForAnEvent) {
  const auto handle = handle_from_parent<cudaIpcEventHandle_t>();
  cudaEvent_t event = nullptr;
  MUST(cudaIpcOpenEventHandle(&event, handle));
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  Stream stream;
  ASK(cudaSuccess, cudaStreamWaitEvent(stream, event));
  ASK(cudaErrorNotReady, cudaStreamQuery(stream));
  ChildProcess::say_to_parent();
  ASK(cudaSuccess, cudaStreamSynchronize(stream));
  ASK(cudaSuccess, cudaEventSynchronize(event));
  ASK_VALUE(true, ChildProcess::hear_from_parent());
  ASK(cudaSuccess, cudaEventDestroy(event));
}

TEST_F(IpcProcess, AnEventIsRecordedInTheOtherProcess) {
  Event event(cudaEventInterprocess | cudaEventDisableTiming);
  cudaIpcEventHandle_t handle{};
  MUST(cudaIpcGetEventHandle(&handle, event));
  ChildProcess child("IpcChild.DISABLED_RecordsAnEvent", {setting(handle)});
  ASK_VALUE(true, child.hear());
  ASK(cudaErrorNotReady, cudaEventQuery(event));
  child.say();
  ASK(cudaSuccess, cudaEventSynchronize(event));
  child.say();
  ASK_VALUE(0, child.status());
}

TEST_F(IpcChild, DISABLED_RecordsAnEvent) {
  const auto handle = handle_from_parent<cudaIpcEventHandle_t>();
  cudaEvent_t event = nullptr;
  MUST(cudaIpcOpenEventHandle(&event, handle));
  Gate gate;
  Stream stream;
  gate.close(stream);
  ASK(cudaSuccess, cudaEventRecord(event, stream));
  ChildProcess::say_to_parent();
  ASK_VALUE(true, ChildProcess::hear_from_parent());
  gate.open();
  ASK_VALUE(true, ChildProcess::hear_from_parent());
  ASK(cudaSuccess, cudaEventDestroy(event));
}
