// Refused calls: checkpoints of processes, core dumps, export tables.
#include "driver/unsupported/unsupported.h"

#define WHY "checkpoints, core dumps and export tables of the driver are not supported"

extern "C" {

UNSUPPORTED(cuCheckpointProcessGetRestoreThreadId, (int pid, int* tid), (pid, tid))
UNSUPPORTED(cuCheckpointProcessGetState, (int pid, CUprocessState* state), (pid, state))
UNSUPPORTED(cuCheckpointProcessLock, (int pid, CUcheckpointLockArgs* args), (pid, args))
UNSUPPORTED(cuCheckpointProcessCheckpoint, (int pid, CUcheckpointCheckpointArgs* args), (pid, args))
UNSUPPORTED(cuCheckpointProcessRestore, (int pid, CUcheckpointRestoreArgs* args), (pid, args))
UNSUPPORTED(cuCheckpointProcessUnlock, (int pid, CUcheckpointUnlockArgs* args), (pid, args))
UNSUPPORTED(cuCoredumpGetAttribute, (CUcoredumpSettings attrib, void* value, size_t* size), (attrib, value, size))
UNSUPPORTED(cuCoredumpGetAttributeGlobal, (CUcoredumpSettings attrib, void* value, size_t* size), (attrib, value, size))
UNSUPPORTED(cuCoredumpSetAttribute, (CUcoredumpSettings attrib, void* value, size_t* size), (attrib, value, size))
UNSUPPORTED(cuCoredumpSetAttributeGlobal, (CUcoredumpSettings attrib, void* value, size_t* size), (attrib, value, size))
UNSUPPORTED(cuGetExportTable, (const void** ppExportTable, const CUuuid* pExportTableId),
            (ppExportTable, pExportTableId))
}
