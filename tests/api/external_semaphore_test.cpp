#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <reprise/external_semaphore.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>
#include <vector>

namespace {

cudaExternalSemaphoreHandleDesc described(int fd, bool timeline) {
  cudaExternalSemaphoreHandleDesc description{};
  description.type =
      timeline ? cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd : cudaExternalSemaphoreHandleTypeOpaqueFd;
  description.handle.fd = fd;
  return description;
}

class Imported {
 public:
  explicit Imported(bool timeline, unsigned long long value = 0) {
    int fd = -1;
    EXPECT_EQ(repriseCreateSemaphoreFd(&fd, timeline ? repriseSemaphoreTimeline : repriseSemaphoreBinary, value),
              cudaSuccess);
    file_ = dup(fd);
    const auto description = described(fd, timeline);
    EXPECT_EQ(cudaImportExternalSemaphore(&semaphore_, &description), cudaSuccess);
    EXPECT_EQ(fcntl(fd, F_GETFD), -1) << "the import takes the descriptor";
  }
  ~Imported() {
    EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore_), cudaSuccess);
    close(file_);
  }
  cudaError_t wait(cudaStream_t stream, unsigned long long value = 0) {
    cudaExternalSemaphoreWaitParams parameters{};
    parameters.params.fence.value = value;
    return cudaWaitExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream);
  }
  cudaError_t signal(cudaStream_t stream, unsigned long long value = 0) {
    cudaExternalSemaphoreSignalParams parameters{};
    parameters.params.fence.value = value;
    return cudaSignalExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream);
  }
  int fd() const { return file_; }

 private:
  int file_ = -1;
  cudaExternalSemaphore_t semaphore_ = nullptr;
};

class TwoStreams : public testing::Test {
 protected:
  TwoStreams() {
    EXPECT_EQ(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), cudaSuccess);
    EXPECT_EQ(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), cudaSuccess);
  }
  ~TwoStreams() override {
    EXPECT_EQ(cudaStreamDestroy(a), cudaSuccess);
    EXPECT_EQ(cudaStreamDestroy(b), cudaSuccess);
    static_cast<void>(cudaGetLastError());
  }
  cudaStream_t a = nullptr, b = nullptr;
};

TEST_F(TwoStreams, AWaitHoldsItsOwnStreamOnly) {
  Imported semaphore(false);
  ASSERT_EQ(semaphore.wait(a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  int ran = 0;
  ASSERT_EQ(cudaLaunchHostFunc(b, [](void* flag) { *static_cast<int*>(flag) = 1; }, &ran), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(cudaStreamQuery(a), cudaErrorNotReady);
  ASSERT_EQ(semaphore.signal(b), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
}

TEST_F(TwoStreams, ABinarySignalIsTakenByOneWait) {
  Imported semaphore(false, 1);
  ASSERT_EQ(semaphore.wait(a), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(repriseWaitSemaphoreFd(semaphore.fd(), 0, 0), cudaErrorTimeout);
  ASSERT_EQ(semaphore.signal(a), cudaSuccess);
  ASSERT_EQ(semaphore.signal(a), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(repriseWaitSemaphoreFd(semaphore.fd(), 0, 0), cudaSuccess);
  EXPECT_EQ(repriseWaitSemaphoreFd(semaphore.fd(), 0, 0), cudaErrorTimeout);
}

TEST_F(TwoStreams, ATimelineLetsEveryoneUpToItsValueGo) {
  Imported semaphore(true, 5);
  ASSERT_EQ(semaphore.wait(a, 5), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  ASSERT_EQ(semaphore.wait(a, 7), cudaSuccess);
  ASSERT_EQ(semaphore.wait(b, 8), cudaSuccess);
  ASSERT_EQ(repriseSignalSemaphoreFd(semaphore.fd(), 7), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(cudaStreamQuery(b), cudaErrorNotReady);
  ASSERT_EQ(semaphore.signal(a, 9), cudaSuccess);
  ASSERT_EQ(cudaStreamSynchronize(b), cudaSuccess);
  ASSERT_EQ(semaphore.signal(a, 3), cudaSuccess);  // a timeline does not go back
  ASSERT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  EXPECT_EQ(repriseWaitSemaphoreFd(semaphore.fd(), 9, 0), cudaSuccess);
}

TEST_F(TwoStreams, WorkOutlivesTheHandle) {
  int fd = -1;
  ASSERT_EQ(repriseCreateSemaphoreFd(&fd, repriseSemaphoreBinary, 0), cudaSuccess);
  const int mine = dup(fd);
  const auto description = described(fd, false);
  cudaExternalSemaphore_t semaphore = nullptr;
  ASSERT_EQ(cudaImportExternalSemaphore(&semaphore, &description), cudaSuccess);
  cudaExternalSemaphoreWaitParams parameters{};
  ASSERT_EQ(cudaWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, a), cudaSuccess);
  ASSERT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaSuccess);
  EXPECT_EQ(cudaWaitExternalSemaphoresAsync(&semaphore, &parameters, 1, a), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaDestroyExternalSemaphore(semaphore), cudaErrorInvalidResourceHandle);
  ASSERT_EQ(repriseSignalSemaphoreFd(mine, 0), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(a), cudaSuccess);
  close(mine);
}

TEST_F(TwoStreams, OtherFilesAreRefused) {
  cudaExternalSemaphore_t semaphore = nullptr;
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int plain = memfd_create("plain", MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(plain, 4096), 0);
  int timeline = -1;
  ASSERT_EQ(repriseCreateSemaphoreFd(&timeline, repriseSemaphoreTimeline, 0), cudaSuccess);
  for (int fd : {-1, 100000, ends[0], plain, timeline}) {
    const auto description = described(fd, false);
    EXPECT_EQ(cudaImportExternalSemaphore(&semaphore, &description), cudaErrorUnknown) << fd;
  }
  for (int fd : {-1, ends[0], plain}) {
    EXPECT_EQ(repriseSignalSemaphoreFd(fd, 1), cudaErrorInvalidValue);
    EXPECT_EQ(repriseWaitSemaphoreFd(fd, 1, 0), cudaErrorInvalidValue);
  }
  EXPECT_EQ(repriseCreateSemaphoreFd(nullptr, repriseSemaphoreBinary, 0), cudaErrorInvalidValue);
  EXPECT_EQ(repriseCreateSemaphoreFd(&timeline, static_cast<repriseSemaphoreKind>(7), 0), cudaErrorInvalidValue);
  for (int fd : {ends[0], ends[1], plain, timeline}) close(fd);
}

}  // namespace
