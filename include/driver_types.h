/* Every type that the calls of the runtime use. */
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include <limits.h>
#include <stddef.h>

#include "host_defines.h"
#include "reprise_cuda/types/array.h"
#include "reprise_cuda/types/copy.h"
#include "reprise_cuda/types/device.h"
#include "reprise_cuda/types/device_attribute.h"
#include "reprise_cuda/types/device_properties.h"
#include "reprise_cuda/types/error.h"
#include "reprise_cuda/types/external.h"
#include "reprise_cuda/types/function.h"
#include "reprise_cuda/types/graph.h"
#include "reprise_cuda/types/graphics.h"
#include "reprise_cuda/types/handles.h"
#include "reprise_cuda/types/ipc.h"
#include "reprise_cuda/types/launch.h"
#include "reprise_cuda/types/log.h"
#include "reprise_cuda/types/memory.h"
#include "reprise_cuda/types/memory_pool.h"
#include "reprise_cuda/types/stream.h"
#include "vector_types.h"

#endif /* __DRIVER_TYPES_H__ */
