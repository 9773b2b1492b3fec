/* The driver API. Its handles are those of the runtime API, and calls of both can be mixed. */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#define CUDA_VERSION 13000

#define CUDAAPI
#define CUDA_CB

#include "reprise_cuda/driver/array.h"
#include "reprise_cuda/driver/capture.h"
#include "reprise_cuda/driver/checkpoint.h"
#include "reprise_cuda/driver/context.h"
#include "reprise_cuda/driver/copy.h"
#include "reprise_cuda/driver/coredump.h"
#include "reprise_cuda/driver/device.h"
#include "reprise_cuda/driver/entry_point.h"
#include "reprise_cuda/driver/error.h"
#include "reprise_cuda/driver/event.h"
#include "reprise_cuda/driver/external.h"
#include "reprise_cuda/driver/graph.h"
#include "reprise_cuda/driver/graph_exec.h"
#include "reprise_cuda/driver/graphics.h"
#include "reprise_cuda/driver/green_context.h"
#include "reprise_cuda/driver/ipc.h"
#include "reprise_cuda/driver/launch.h"
#include "reprise_cuda/driver/log.h"
#include "reprise_cuda/driver/managed.h"
#include "reprise_cuda/driver/memory.h"
#include "reprise_cuda/driver/module.h"
#include "reprise_cuda/driver/multicast.h"
#include "reprise_cuda/driver/occupancy.h"
#include "reprise_cuda/driver/peer.h"
#include "reprise_cuda/driver/pointer.h"
#include "reprise_cuda/driver/pool.h"
#include "reprise_cuda/driver/stream.h"
#include "reprise_cuda/driver/stream_values.h"
#include "reprise_cuda/driver/tensor_map.h"
#include "reprise_cuda/driver/version.h"
#include "reprise_cuda/driver/virtual_memory.h"

#endif /* __cuda_cuda_h__ */
