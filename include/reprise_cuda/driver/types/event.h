/* Events: types of the driver API. */
#ifndef REPRISE_DRIVER_TYPES_EVENT_H
#define REPRISE_DRIVER_TYPES_EVENT_H

#include "handles.h"

typedef enum CUevent_sched_flags_enum {
  CU_EVENT_SCHED_AUTO = 0x0,
  CU_EVENT_SCHED_SPIN = 0x1,
  CU_EVENT_SCHED_YIELD = 0x2,
  CU_EVENT_SCHED_BLOCKING_SYNC = 0x4
} CUevent_sched_flags;

typedef enum CUevent_flags_enum {
  CU_EVENT_DEFAULT = 0x0,
  CU_EVENT_BLOCKING_SYNC = 0x1,
  CU_EVENT_DISABLE_TIMING = 0x2,
  CU_EVENT_INTERPROCESS = 0x4
} CUevent_flags;

typedef enum CUevent_record_flags_enum {
  CU_EVENT_RECORD_DEFAULT = 0,
  CU_EVENT_RECORD_EXTERNAL = 1
} CUevent_record_flags;

typedef enum CUevent_wait_flags_enum { CU_EVENT_WAIT_DEFAULT = 0, CU_EVENT_WAIT_EXTERNAL = 1 } CUevent_wait_flags;

#endif /* REPRISE_DRIVER_TYPES_EVENT_H */
