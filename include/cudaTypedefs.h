/* Types of pointers to the calls of the driver API, as cuGetProcAddress returns them: PFN_<call>_v<CUDA version from
   which the call has this form>, with _ptds or _ptsz for the forms whose stream 0 is the calling thread's own. */
#ifndef CUDATYPEDEFS_H
#define CUDATYPEDEFS_H

#include "reprise_cuda/driver/pointers/array.h"
#include "reprise_cuda/driver/pointers/capture.h"
#include "reprise_cuda/driver/pointers/checkpoint.h"
#include "reprise_cuda/driver/pointers/context.h"
#include "reprise_cuda/driver/pointers/copy.h"
#include "reprise_cuda/driver/pointers/coredump.h"
#include "reprise_cuda/driver/pointers/device.h"
#include "reprise_cuda/driver/pointers/entry_point.h"
#include "reprise_cuda/driver/pointers/error.h"
#include "reprise_cuda/driver/pointers/event.h"
#include "reprise_cuda/driver/pointers/external.h"
#include "reprise_cuda/driver/pointers/graph.h"
#include "reprise_cuda/driver/pointers/graph_exec.h"
#include "reprise_cuda/driver/pointers/graphics.h"
#include "reprise_cuda/driver/pointers/green_context.h"
#include "reprise_cuda/driver/pointers/ipc.h"
#include "reprise_cuda/driver/pointers/launch.h"
#include "reprise_cuda/driver/pointers/log.h"
#include "reprise_cuda/driver/pointers/managed.h"
#include "reprise_cuda/driver/pointers/memory.h"
#include "reprise_cuda/driver/pointers/module.h"
#include "reprise_cuda/driver/pointers/multicast.h"
#include "reprise_cuda/driver/pointers/occupancy.h"
#include "reprise_cuda/driver/pointers/peer.h"
#include "reprise_cuda/driver/pointers/pointer.h"
#include "reprise_cuda/driver/pointers/pool.h"
#include "reprise_cuda/driver/pointers/stream.h"
#include "reprise_cuda/driver/pointers/stream_values.h"
#include "reprise_cuda/driver/pointers/tensor_map.h"
#include "reprise_cuda/driver/pointers/version.h"
#include "reprise_cuda/driver/pointers/virtual_memory.h"

#endif /* CUDATYPEDEFS_H */
