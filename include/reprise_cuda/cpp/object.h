// Creates events and user objects in one call.
#ifndef REPRISE_CPP_OBJECT_H
#define REPRISE_CPP_OBJECT_H

#include <cuda_runtime_api.h>

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// A user object that deletes the object it is given.
template <class T>
static inline __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, T* objectToWrap,
                                                        unsigned int initialRefcount, unsigned int flags) {
  return ::cudaUserObjectCreate(
      object_out, objectToWrap, [](void* object) { delete static_cast<T*>(object); }, initialRefcount, flags);
}

template <class T>
static inline __host__ cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out, T* objectToWrap,
                                                        unsigned int initialRefcount, cudaUserObjectFlags flags) {
  return cudaUserObjectCreate(object_out, objectToWrap, initialRefcount, (unsigned int)flags);
}

#endif  // REPRISE_CPP_OBJECT_H
