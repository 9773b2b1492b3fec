// User objects, which are destroyed with their last reference.
#include "graph/define/user_object.h"

#include <cuda_runtime_api.h>

#include "api/entry/entry.h"

using namespace reprise_runtime;
using api::entry;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, void* ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  return entry([&] { return graph::create_user_object(object_out, ptr, destroy, initialRefcount, flags); },
               ARGUMENTS(object_out, ptr, destroy, initialRefcount, flags));
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return entry([&] { return graph::retain_user_object(object, count); }, ARGUMENTS(object, count));
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return entry([&] { return graph::release_user_object(object, count); }, ARGUMENTS(object, count));
}
}
