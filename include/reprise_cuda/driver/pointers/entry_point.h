/* Types of pointers to calls by version: entry points by name. */
#ifndef REPRISE_DRIVER_POINTERS_ENTRY_POINT_H
#define REPRISE_DRIVER_POINTERS_ENTRY_POINT_H

#include <cuda.h>

typedef CUresult (*PFN_cuGetExportTable_v3000)(const void**, const CUuuid*);
typedef CUresult (*PFN_cuGetProcAddress_v11030)(const char*, void**, int, cuuint64_t);
typedef CUresult (*PFN_cuGetProcAddress_v12000)(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);

#endif /* REPRISE_DRIVER_POINTERS_ENTRY_POINT_H */
