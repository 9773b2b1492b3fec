/* Multicast objects: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_MULTICAST_H
#define REPRISE_DRIVER_TYPES_MULTICAST_H

#include "handles.h"

typedef enum CUmulticastGranularity_flags_enum {
  CU_MULTICAST_GRANULARITY_MINIMUM = 0,
  CU_MULTICAST_GRANULARITY_RECOMMENDED = 1
} CUmulticastGranularity_flags;

typedef struct CUmulticastObjectProp_st {
  unsigned int numDevices;
  size_t size;
  unsigned long long handleTypes;
  unsigned long long flags;
} CUmulticastObjectProp_v1;

typedef CUmulticastObjectProp_v1 CUmulticastObjectProp;

#endif /* REPRISE_DRIVER_TYPES_MULTICAST_H */
