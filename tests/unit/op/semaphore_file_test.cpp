#include "op/semaphore_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

namespace {

using reprise_runtime::op::SemaphoreFile;
using reprise_runtime::op::SemaphoreKind;

TEST(SemaphoreFile, NoSignalIsLostBetweenThreads) {
  const int fd = SemaphoreFile::create(SemaphoreKind::binary, 0);
  const int back = SemaphoreFile::create(SemaphoreKind::binary, 0);
  std::thread other([&] {
    SemaphoreFile in = SemaphoreFile::map(fd), out = SemaphoreFile::map(back);
    for (int i = 0; i < 2000; ++i) {
      ASSERT_TRUE(in.wait(0));
      out.signal(0);
    }
  });
  SemaphoreFile out = SemaphoreFile::map(fd), in = SemaphoreFile::map(back);
  for (int i = 0; i < 2000; ++i) {
    out.signal(0);
    ASSERT_TRUE(in.wait(0));
  }
  other.join();
  close(fd);
  close(back);
}

}  // namespace
