/* Memory and events of other processes of the driver API. */
#ifndef REPRISE_DRIVER_IPC_H
#define REPRISE_DRIVER_IPC_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuIpcGetEventHandle(CUipcEventHandle* pHandle, CUevent event);
REPRISE_API CUresult cuIpcOpenEventHandle(CUevent* phEvent, CUipcEventHandle handle);
REPRISE_API CUresult cuIpcGetMemHandle(CUipcMemHandle* pHandle, CUdeviceptr dptr);
REPRISE_API CUresult cuIpcOpenMemHandle(CUdeviceptr* pdptr, CUipcMemHandle handle, unsigned int Flags);
REPRISE_API CUresult cuIpcCloseMemHandle(CUdeviceptr dptr);

REPRISE_END_C

#endif /* REPRISE_DRIVER_IPC_H */
