/* Types of pointers to calls by version: core dumps. */
#ifndef REPRISE_DRIVER_POINTERS_COREDUMP_H
#define REPRISE_DRIVER_POINTERS_COREDUMP_H

#include <cuda.h>

typedef CUresult (*PFN_cuCoredumpGetAttribute_v12010)(CUcoredumpSettings, void*, size_t*);
typedef CUresult (*PFN_cuCoredumpGetAttributeGlobal_v12010)(CUcoredumpSettings, void*, size_t*);
typedef CUresult (*PFN_cuCoredumpSetAttribute_v12010)(CUcoredumpSettings, void*, size_t*);
typedef CUresult (*PFN_cuCoredumpSetAttributeGlobal_v12010)(CUcoredumpSettings, void*, size_t*);

#endif /* REPRISE_DRIVER_POINTERS_COREDUMP_H */
