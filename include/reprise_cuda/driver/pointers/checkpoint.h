/* Types of pointers to calls by version: checkpoints of processes. */
#ifndef REPRISE_DRIVER_POINTERS_CHECKPOINT_H
#define REPRISE_DRIVER_POINTERS_CHECKPOINT_H

#include <cuda.h>

typedef CUresult (*PFN_cuCheckpointProcessGetRestoreThreadId_v12080)(int, int*);
typedef CUresult (*PFN_cuCheckpointProcessGetState_v12080)(int, CUprocessState*);
typedef CUresult (*PFN_cuCheckpointProcessLock_v12080)(int, CUcheckpointLockArgs*);
typedef CUresult (*PFN_cuCheckpointProcessCheckpoint_v12080)(int, CUcheckpointCheckpointArgs*);
typedef CUresult (*PFN_cuCheckpointProcessRestore_v12080)(int, CUcheckpointRestoreArgs*);
typedef CUresult (*PFN_cuCheckpointProcessUnlock_v12080)(int, CUcheckpointUnlockArgs*);

#endif /* REPRISE_DRIVER_POINTERS_CHECKPOINT_H */
