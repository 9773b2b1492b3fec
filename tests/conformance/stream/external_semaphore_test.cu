// Argument checks of external semaphores. Runtimes differ in how a descriptor is made, so tests/api has the tests of
// working semaphores.
#include <unistd.h>

#include "support.h"

using ExternalSemaphore = Runtime;

static cudaExternalSemaphoreHandleDesc described(int type, int fd) {
  cudaExternalSemaphoreHandleDesc description{};
  description.type = static_cast<cudaExternalSemaphoreHandleType>(type);
  description.handle.fd = fd;
  return description;
}

TEST_F(ExternalSemaphore, ImportNeedsItsArguments) {
  cudaExternalSemaphore_t semaphore = nullptr;
  const auto description = described(cudaExternalSemaphoreHandleTypeOpaqueFd, -1);
  ASK(cudaErrorInvalidValue, cudaImportExternalSemaphore(&semaphore, nullptr));
  ASK(cudaErrorInvalidValue, cudaImportExternalSemaphore(nullptr, &description));
}

TEST_F(ExternalSemaphore, ImportOfABadDescriptor) {
  cudaExternalSemaphore_t semaphore = nullptr;
  const auto closed = described(cudaExternalSemaphoreHandleTypeOpaqueFd, -1);
  ASK(cudaErrorUnknown, cudaImportExternalSemaphore(&semaphore, &closed));
  const auto closed_timeline = described(cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd, -1);
  ASK(cudaErrorInvalidValue, cudaImportExternalSemaphore(&semaphore, &closed_timeline));
  for (int type : {cudaExternalSemaphoreHandleTypeOpaqueFd, cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd}) {
    int ends[2];
    ASSERT_EQ(0, pipe(ends));
    const auto a_pipe = described(type, ends[0]);
    ASK(cudaErrorUnknown, cudaImportExternalSemaphore(&semaphore, &a_pipe));
    close(ends[0]);
    close(ends[1]);
  }
}

TEST_F(ExternalSemaphore, ImportOfATypeOfAnotherSystem) {
  cudaExternalSemaphore_t semaphore = nullptr;
  for (int type : {2, 3, 4, 5, 7, 8, 10}) {
    const auto description = described(type, -1);
    ASK(cudaErrorNotSupported, cudaImportExternalSemaphore(&semaphore, &description));
  }
  for (int type : {0, 99}) {
    const auto description = described(type, -1);
    ASK(cudaErrorInvalidValue, cudaImportExternalSemaphore(&semaphore, &description));
  }
}

// The documentation requires reserved fields to be zero.
TEST_F(ExternalSemaphore, ImportFlagsAreCheckedAndReservedFieldsAreNot) {
  cudaExternalSemaphore_t semaphore = nullptr;
  auto description = described(cudaExternalSemaphoreHandleTypeOpaqueFd, -1);
  description.flags = 5;
  ASK(cudaErrorInvalidValue, cudaImportExternalSemaphore(&semaphore, &description));
  description = described(cudaExternalSemaphoreHandleTypeOpaqueFd, -1);
  description.reserved[3] = 5;
  ASK(cudaErrorUnknown, cudaImportExternalSemaphore(&semaphore, &description));
}

TEST_F(ExternalSemaphore, SignalAndWaitNeedTheirArrays) {
  cudaExternalSemaphoreSignalParams signal{};
  cudaExternalSemaphoreWaitParams wait{};
  cudaExternalSemaphore_t none = nullptr;
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaSignalExternalSemaphoresAsync(nullptr, &signal, 1, stream));
  ASK(cudaErrorInvalidValue, cudaSignalExternalSemaphoresAsync(&none, nullptr, 1, stream));
  ASK(cudaErrorInvalidValue, cudaWaitExternalSemaphoresAsync(nullptr, &wait, 1, stream));
  ASK(cudaErrorInvalidValue, cudaWaitExternalSemaphoresAsync(&none, nullptr, 1, stream));
}

TEST_F(ExternalSemaphore, NoneAtAllIsInvalid) {
  cudaExternalSemaphoreSignalParams signal{};
  cudaExternalSemaphoreWaitParams wait{};
  cudaExternalSemaphore_t none = nullptr;
  Stream stream;
  ASK(cudaErrorInvalidValue, cudaSignalExternalSemaphoresAsync(&none, &signal, 0, stream));
  ASK(cudaErrorInvalidValue, cudaWaitExternalSemaphoresAsync(&none, &wait, 0, stream));
  ASK(cudaErrorInvalidValue, cudaSignalExternalSemaphoresAsync(nullptr, nullptr, 0, stream));
}

TEST_F(ExternalSemaphore, DestroyOfNull) { ASK(cudaErrorInvalidValue, cudaDestroyExternalSemaphore(nullptr)); }

using HazardExternalSemaphore = Runtime;

TEST_F(HazardExternalSemaphore, SignalAndWaitOfNull) {
  UNDEFINED_ON_NVIDIA("a null semaphore crashes");
  cudaExternalSemaphoreSignalParams signal{};
  cudaExternalSemaphoreWaitParams wait{};
  cudaExternalSemaphore_t none = nullptr;
  Stream stream;
  ASK(cudaErrorInvalidResourceHandle, cudaSignalExternalSemaphoresAsync(&none, &signal, 1, stream));
  ASK(cudaErrorInvalidResourceHandle, cudaWaitExternalSemaphoresAsync(&none, &wait, 1, stream));
}
