/* User objects that graphs keep alive. */
#ifndef REPRISE_API_USER_OBJECT_H
#define REPRISE_API_USER_OBJECT_H

#include <driver_types.h>

#include "declare.h"

REPRISE_BEGIN_C

REPRISE_API cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, void* ptr, cudaHostFn_t destroy,
                                             unsigned int initialRefcount, unsigned int flags);
REPRISE_API cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count REPRISE_DEFAULT(1));
REPRISE_API cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count REPRISE_DEFAULT(1));
REPRISE_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                  unsigned int count REPRISE_DEFAULT(1),
                                                  unsigned int flags REPRISE_DEFAULT(0));
REPRISE_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                   unsigned int count REPRISE_DEFAULT(1));

REPRISE_END_C

#endif /* REPRISE_API_USER_OBJECT_H */
