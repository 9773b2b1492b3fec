/* Every type that the calls of the runtime use. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "reprise/types/array.h"
#include "reprise/types/copy.h"
#include "reprise/types/device.h"
#include "reprise/types/device_attribute.h"
#include "reprise/types/device_properties.h"
#include "reprise/types/error.h"
#include "reprise/types/external.h"
#include "reprise/types/function.h"
#include "reprise/types/graph.h"
#include "reprise/types/graphics.h"
#include "reprise/types/handles.h"
#include "reprise/types/ipc.h"
#include "reprise/types/launch.h"
#include "reprise/types/log.h"
#include "reprise/types/memory.h"
#include "reprise/types/memory_pool.h"
#include "reprise/types/stream.h"
#include "vector_types.h"

#endif /* __DRIVER_TYPES_H__ */
