/* Types of pointers to calls by version: memory and events of other processes. */
#ifndef REPRISE_DRIVER_POINTERS_IPC_H
#define REPRISE_DRIVER_POINTERS_IPC_H

#include <cuda.h>

typedef CUresult (*PFN_cuIpcGetEventHandle_v4010)(CUipcEventHandle_v1*, CUevent);
typedef CUresult (*PFN_cuIpcOpenEventHandle_v4010)(CUevent*, CUipcEventHandle_v1);
typedef CUresult (*PFN_cuIpcGetMemHandle_v4010)(CUipcMemHandle_v1*, CUdeviceptr_v2);
typedef CUresult (*PFN_cuIpcOpenMemHandle_v11000)(CUdeviceptr_v2*, CUipcMemHandle_v1, unsigned int);
typedef CUresult (*PFN_cuIpcCloseMemHandle_v4010)(CUdeviceptr_v2);

#endif /* REPRISE_DRIVER_POINTERS_IPC_H */
