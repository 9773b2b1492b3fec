/* Memory and events of other processes: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_IPC_H
#define REPRISE_DRIVER_TYPES_IPC_H

#include "handles.h"

/* clang-format off */
#define CU_IPC_HANDLE_SIZE 64
/* clang-format on */

typedef struct CUipcEventHandle_st {
  char reserved[64];
} CUipcEventHandle_v1;

typedef CUipcEventHandle_v1 CUipcEventHandle;

typedef struct CUipcMemHandle_st {
  char reserved[64];
} CUipcMemHandle_v1;

typedef CUipcMemHandle_v1 CUipcMemHandle;

typedef enum CUipcMem_flags_enum { CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 1 } CUipcMem_flags;

#endif /* REPRISE_DRIVER_TYPES_IPC_H */
