#include "op/external_semaphore.h"

#include <unistd.h>

#include "diagnose/refuse.h"

namespace reprise_runtime::op {
namespace {

using diagnose::refuse;

HandleTable<ExternalSemaphore>& semaphores() { return HandleTable<ExternalSemaphore>::instance(); }

template <class Parameters>
Result<SemaphoreList> find_all(const cudaExternalSemaphore_t* handles, const Parameters* parameters, unsigned count) {
  if (!handles || !parameters || count == 0)
    return refuse(cudaErrorInvalidValue, "the list of semaphores is null or empty");
  SemaphoreList list;
  list.reserve(count);
  for (unsigned i = 0; i < count; ++i) {
    Ref<ExternalSemaphore> semaphore = semaphores().find(Handle::from(handles[i]));
    if (!semaphore) {
      return refuse(cudaErrorInvalidResourceHandle,
                    "semaphore %u of %u, %p, is not an external semaphore, or was destroyed", i, count,
                    static_cast<void*>(handles[i]));
    }
    if (parameters[i].flags != 0)
      return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x: there is no NvSciSync", parameters[i].flags);
    list.push_back({std::move(semaphore), parameters[i].params.fence.value});
  }
  return list;
}

}  // namespace

cudaError_t import_semaphore(cudaExternalSemaphore_t* handle, const cudaExternalSemaphoreHandleDesc* description) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  if (!description) return refuse(cudaErrorInvalidValue, "the description is null");
  SemaphoreKind wanted;
  switch (description->type) {
    case cudaExternalSemaphoreHandleTypeOpaqueFd:
      wanted = SemaphoreKind::binary;
      break;
    case cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd:
      wanted = SemaphoreKind::timeline;
      break;
    default: {
      const bool known = description->type >= cudaExternalSemaphoreHandleTypeOpaqueFd &&
                         description->type <= cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32;
      return refuse(known ? cudaErrorNotSupported : cudaErrorInvalidValue,
                    "handle type %d; this system shares only file descriptors", static_cast<int>(description->type));
    }
  }
  if (description->flags != 0) return refuse(cudaErrorInvalidValue, "flags must be 0, not 0x%x", description->flags);
  if (wanted == SemaphoreKind::timeline && description->handle.fd < 0) {
    return refuse(cudaErrorInvalidValue, "%d is not a file descriptor", description->handle.fd);
  }
  SemaphoreFile file = SemaphoreFile::map(description->handle.fd);
  if (!file || file.kind() != wanted) {
    return refuse(
        cudaErrorUnknown,
        "descriptor %d is no %s semaphore; repriseCreateSemaphoreFd of reprise/external_semaphore.h creates one",
        description->handle.fd, wanted == SemaphoreKind::binary ? "binary" : "timeline");
  }
  Ref<ExternalSemaphore> semaphore = semaphores().create(std::move(file));
  if (!semaphore) return cudaErrorMemoryAllocation;
  close(description->handle.fd);
  *handle = semaphore->handle().as<cudaExternalSemaphore_t>();
  return cudaSuccess;
}

cudaError_t destroy_semaphore(cudaExternalSemaphore_t handle) {
  if (!handle) return refuse(cudaErrorInvalidValue, "the semaphore is null");
  if (semaphores().erase(Handle::from(handle))) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not an external semaphore", static_cast<void*>(handle));
}

Result<SemaphoreList> find_semaphores(const cudaExternalSemaphore_t* handles,
                                      const cudaExternalSemaphoreSignalParams* parameters, unsigned count) {
  return find_all(handles, parameters, count);
}

Result<SemaphoreList> find_semaphores(const cudaExternalSemaphore_t* handles,
                                      const cudaExternalSemaphoreWaitParams* parameters, unsigned count) {
  return find_all(handles, parameters, count);
}

}  // namespace reprise_runtime::op
