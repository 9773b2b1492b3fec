/* Types of pointers to calls by version: initialisation and version. */
#ifndef REPRISE_DRIVER_POINTERS_VERSION_H
#define REPRISE_DRIVER_POINTERS_VERSION_H

#include <cuda.h>

typedef CUresult (*PFN_cuInit_v2000)(unsigned int);
typedef CUresult (*PFN_cuDriverGetVersion_v2020)(int*);

#endif /* REPRISE_DRIVER_POINTERS_VERSION_H */
