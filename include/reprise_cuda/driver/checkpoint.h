/* Checkpoints of processes of the driver API. */
#ifndef REPRISE_DRIVER_CHECKPOINT_H
#define REPRISE_DRIVER_CHECKPOINT_H

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API CUresult cuCheckpointProcessGetRestoreThreadId(int pid, int* tid);
REPRISE_API CUresult cuCheckpointProcessGetState(int pid, CUprocessState* state);
REPRISE_API CUresult cuCheckpointProcessLock(int pid, CUcheckpointLockArgs* args);
REPRISE_API CUresult cuCheckpointProcessCheckpoint(int pid, CUcheckpointCheckpointArgs* args);
REPRISE_API CUresult cuCheckpointProcessRestore(int pid, CUcheckpointRestoreArgs* args);
REPRISE_API CUresult cuCheckpointProcessUnlock(int pid, CUcheckpointUnlockArgs* args);

REPRISE_END_C

#endif /* REPRISE_DRIVER_CHECKPOINT_H */
