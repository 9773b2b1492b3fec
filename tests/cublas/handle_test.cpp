#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

#include "support.h"

namespace {

using Handle = Cublas;

TEST_F(Handle, SettingsAreGivenBack) {
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

TEST_F(Handle, WhatIsNoHandleIsRefused) {
  EXPECT_EQ(cublasCreate(nullptr), CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSetStream(nullptr, stream), CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(cublasDestroy(nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_F(Handle, StatusesHaveNames) {
  EXPECT_STREQ(cublasGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED), "CUBLAS_STATUS_NOT_SUPPORTED");
  EXPECT_GT(std::strlen(cublasGetStatusString(CUBLAS_STATUS_INVALID_VALUE)), 0u);
}

// OpenBLAS takes a processor that is newer than itself for the oldest one it knows.
TEST_F(Handle, OpenBlasHasCodeForThisProcessor) {
  auto core = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_corename"));
  if (!core || !dlsym(RTLD_DEFAULT, "gotoblas_dynamic_init")) GTEST_SKIP() << "no OpenBLAS that chooses among processors";
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "chosen by the user";
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) GTEST_SKIP() << "an old processor";
  for (const char* old : {"Unknown", "Prescott", "Core2", "Nehalem", "Sandybridge"}) EXPECT_STRNE(core(), old);
}

}  // namespace
