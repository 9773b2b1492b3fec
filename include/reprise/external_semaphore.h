/* Semaphores that processes share through a file descriptor, for cudaImportExternalSemaphore.
 *
 * With a GPU, such descriptors come from a graphics driver. Without one, the runtime creates them: see
 * docs/external_semaphores.md. The last two calls are for programs, or parts of them, that wait and signal without a
 * stream.
 */
#ifndef REPRISE_EXTERNAL_SEMAPHORE_H
#define REPRISE_EXTERNAL_SEMAPHORE_H

#include <driver_types.h>

#include "../reprise_cuda/api/declare.h"

REPRISE_BEGIN_C

/* For cudaExternalSemaphoreHandleTypeOpaqueFd, or for cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd. */
enum repriseSemaphoreKind { repriseSemaphoreBinary = 1, repriseSemaphoreTimeline = 2 };

/* Creates a semaphore. A binary one starts signalled if initialValue is 1, a timeline starts at initialValue. The
 * descriptor is closed on exec. Duplicate it to keep one, since an import takes ownership. */
REPRISE_API cudaError_t repriseCreateSemaphoreFd(int* fd, enum repriseSemaphoreKind kind,
                                                 unsigned long long initialValue);

/* Signals immediately: a binary semaphore becomes signalled, a timeline reaches `value`. The descriptor stays open. */
REPRISE_API cudaError_t repriseSignalSemaphoreFd(int fd, unsigned long long value);

/* Waits until a binary semaphore is signalled, and consumes the signal, or until a timeline has reached `value`.
 * Returns cudaErrorTimeout after `timeoutMs` milliseconds, unless that is negative. The descriptor stays open. */
REPRISE_API cudaError_t repriseWaitSemaphoreFd(int fd, unsigned long long value, long timeoutMs);

REPRISE_END_C

#endif /* REPRISE_EXTERNAL_SEMAPHORE_H */
