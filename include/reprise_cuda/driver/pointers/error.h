/* Types of pointers to calls by version: results. */
#ifndef REPRISE_DRIVER_POINTERS_ERROR_H
#define REPRISE_DRIVER_POINTERS_ERROR_H

#include <cuda.h>

typedef CUresult (*PFN_cuGetErrorString_v6000)(CUresult, const char**);
typedef CUresult (*PFN_cuGetErrorName_v6000)(CUresult, const char**);

#endif /* REPRISE_DRIVER_POINTERS_ERROR_H */
