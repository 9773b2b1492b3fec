/* The log: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_LOG_H
#define REPRISE_DRIVER_TYPES_LOG_H

#include "handles.h"

typedef enum CUlogLevel_enum { CU_LOG_LEVEL_ERROR = 0, CU_LOG_LEVEL_WARNING = 1 } CUlogLevel;

typedef void (*CUlogsCallback)(void*, CUlogLevel, char*, size_t);

#endif /* REPRISE_DRIVER_TYPES_LOG_H */
