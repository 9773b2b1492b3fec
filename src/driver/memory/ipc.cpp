// Memory and events shared with other processes.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"

using namespace reprise_runtime;
using driver::as_runtime;
using driver::output;
using driver::pointer;

extern "C" {

CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr) {
  return driver::entry([&] { return cudaIpcGetMemHandle(as_runtime(pHandle), pointer(dptr)); },
                       ARGUMENTS(pHandle, dptr));
}

CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags) {
  return driver::entry([&] { return cudaIpcOpenMemHandle(output(pdptr), as_runtime(handle), Flags); },
                       ARGUMENTS(pdptr, Flags));
}

CUresult cuIpcCloseMemHandle(CUdeviceptr dptr) {
  return driver::entry([&] { return cudaIpcCloseMemHandle(pointer(dptr)); }, ARGUMENTS(dptr));
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event) {
  return driver::entry([&] { return cudaIpcGetEventHandle(as_runtime(pHandle), event); }, ARGUMENTS(pHandle, event));
}

CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle) {
  return driver::entry([&] { return cudaIpcOpenEventHandle(phEvent, as_runtime(handle)); }, ARGUMENTS(phEvent));
}
}
