/* Occupancy: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_OCCUPANCY_H
#define REPRISE_DRIVER_TYPES_OCCUPANCY_H

#include "handles.h"

typedef enum CUoccupancy_flags_enum {
  CU_OCCUPANCY_DEFAULT = 0,
  CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE = 1
} CUoccupancy_flags;

#endif /* REPRISE_DRIVER_TYPES_OCCUPANCY_H */
