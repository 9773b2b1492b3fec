// External semaphores: importing and destroying, and creating the descriptors that are imported.
#include "op/external_semaphore.h"

#include <cuda_runtime_api.h>
#include <reprise/external_semaphore.h>

#include "api/entry/arguments.h"
#include "api/entry/entry.h"

using namespace reprise_runtime;
using api::check_output;
using api::entry;
using api::entry_always;
using diagnose::refuse;

namespace {

cudaError_t map_semaphore(int fd, op::SemaphoreFile&& file, auto&& use) {
  if (!file) return refuse(cudaErrorInvalidValue, "descriptor %d is not a semaphore", fd);
  return use(file);
}

}  // namespace

extern "C" {

cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t* extSem_out,
                                        const cudaExternalSemaphoreHandleDesc* semHandleDesc) {
  return entry([&] { return op::import_semaphore(extSem_out, semHandleDesc); }, ARGUMENTS(extSem_out, semHandleDesc));
}

cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem) {
  return entry([&] { return op::destroy_semaphore(extSem); }, ARGUMENTS(extSem));
}

cudaError_t repriseCreateSemaphoreFd(int* fd, repriseSemaphoreKind kind, unsigned long long initialValue) {
  return entry_always(
      [&] {
        if (cudaError_t status = check_output(fd); status != cudaSuccess) return status;
        if (kind != repriseSemaphoreBinary && kind != repriseSemaphoreTimeline) {
          return refuse(cudaErrorInvalidValue, "%d is not a repriseSemaphoreKind", static_cast<int>(kind));
        }
        if (kind == repriseSemaphoreBinary && initialValue > 1) {
          return refuse(cudaErrorInvalidValue, "the value of a binary semaphore must be 0 or 1, not %llu",
                        initialValue);
        }
        const int made = op::SemaphoreFile::create(static_cast<op::SemaphoreKind>(kind), initialValue);
        if (made < 0) return refuse(cudaErrorOperatingSystem, "the system provides no more descriptors");
        *fd = made;
        return cudaSuccess;
      },
      ARGUMENTS(fd, kind, initialValue));
}

cudaError_t repriseSignalSemaphoreFd(int fd, unsigned long long value) {
  return entry_always(
      [&] {
        return map_semaphore(fd, op::SemaphoreFile::map(fd), [&](const op::SemaphoreFile& file) {
          file.signal(value);
          return cudaSuccess;
        });
      },
      ARGUMENTS(fd, value));
}

cudaError_t repriseWaitSemaphoreFd(int fd, unsigned long long value, long timeoutMs) {
  return entry_always(
      [&] {
        return map_semaphore(fd, op::SemaphoreFile::map(fd), [&](const op::SemaphoreFile& file) {
          const int64_t timeout_ns = timeoutMs < 0 ? -1 : timeoutMs * int64_t{1'000'000};
          return file.wait(value, timeout_ns) ? cudaSuccess
                                              : refuse(cudaErrorTimeout, "no signal within %ld ms", timeoutMs);
        });
      },
      ARGUMENTS(fd, value, timeoutMs));
}
}
