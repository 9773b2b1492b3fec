#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <iterator>

#include "support.h"

namespace {

using Handle = Cublas;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OWN_THREADS 1  // ThreadSanitizer's
#endif
#endif
#ifndef OWN_THREADS
#define OWN_THREADS 0
#endif

// The state of the process after all libraries were loaded and before any call.
struct AtStart {
  bool environment_as_given;
  std::ptrdiff_t threads;
} at_start;

std::ptrdiff_t threads_now() {
  std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks)) - OWN_THREADS;
}

__attribute__((constructor)) void look(int count, char** arguments, char**) {
  // The list that the program was given lies after its arguments.
  at_start = {environ == arguments + count + 1, threads_now()};
  // A thread that was joined may be listed a little longer.
  for (int i = 0; i < 1000 && at_start.threads > 1; ++i) {
    usleep(1000);
    at_start.threads = threads_now();
  }
}

TEST_F(Handle, SettingsCanBeReadBack) {
  cudaStream_t got = nullptr;
  ASSERT_EQ(cublasGetStream(handle, &got), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(got, stream);
  cublasPointerMode_t pointers;
  ASSERT_EQ(cublasGetPointerMode(handle, &pointers), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(pointers, CUBLAS_POINTER_MODE_HOST);
  cublasMath_t mathematics;
  ASSERT_EQ(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasGetMathMode(handle, &mathematics), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(mathematics, CUBLAS_PEDANTIC_MATH);
  int version = 0, major = 0;
  ASSERT_EQ(cublasGetVersion(handle, &version), CUBLAS_STATUS_SUCCESS);
  ASSERT_EQ(cublasGetProperty(MAJOR_VERSION, &major), CUBLAS_STATUS_SUCCESS);
  EXPECT_EQ(version / 10000, major);
}

TEST_F(Handle, InvalidHandlesAreRefused) {
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetStream(nullptr, stream), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_F(Handle, StatusesHaveNames) {
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_GT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)), 0u);
}

#ifndef REPRISE_GPU
// Loading the library must not call setenv, since other threads may be reading the environment, and must not start
// threads of OpenBLAS.
TEST_F(Handle, LoadingChangesNoEnvironmentAndStartsNoThreads) {
  EXPECT_TRUE(at_start.environment_as_given);
  EXPECT_LE(at_start.threads, 1);
}
#endif

}  // namespace
