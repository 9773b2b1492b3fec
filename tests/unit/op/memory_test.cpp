// Copies and memsets as operations: built once from a user's arguments, run repeatedly.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "op/memcpy.h"
#include "op/memset.h"

namespace reprise_runtime::op {
namespace {

class OpMemory : public testing::Test {
 protected:
  OpMemory() { EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 4096), cudaSuccess); }
  ~OpMemory() override { EXPECT_EQ(cudaFree(device), cudaSuccess); }
  char* device = nullptr;
};

TEST_F(OpMemory, ASetKnowsElementsOfOneTwoAndFourBytes) {
  for (unsigned element : {1u, 2u, 4u}) {
    std::memset(device, 0, 4096);
    Result<Memset> set = Memset::build(cudaMemsetParams{device + 8, 64, 0xa1b2c3d4, element, 5, 3});
    ASSERT_TRUE(set.ok());
    set->run(Context{0});
    for (unsigned y = 0; y < 3; ++y) {
      for (unsigned x = 0; x < 5; ++x) {
        unsigned value = 0;
        std::memcpy(&value, device + 8 + y * 64 + x * element, element);
        EXPECT_EQ(value, 0xa1b2c3d4 & (element == 4 ? ~0u : (1u << 8 * element) - 1));
      }
      EXPECT_EQ(device[8 + y * 64 + 5 * element], 0);
    }
    EXPECT_EQ(device[7], 0);
    EXPECT_EQ(device[8 + 3 * 64], 0);
  }
}

TEST_F(OpMemory, WrongSetsAreNotBuilt) {
  auto status = [&](void* to, size_t pitch, unsigned element, size_t width, size_t height) {
    return Memset::build(cudaMemsetParams{to, pitch, 1, element, width, height}).status();
  };
  EXPECT_EQ(status(device, 64, 4, 16, 2), cudaSuccess);
  EXPECT_EQ(status(device, 64, 3, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(status(device, 64, 0, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(status(device, 64, 4, 17, 2), cudaErrorInvalidValue);
  EXPECT_EQ(status(device + 2, 64, 4, 1, 1), cudaErrorInvalidValue);
  EXPECT_EQ(status(device, 62, 4, 1, 2), cudaErrorInvalidValue);
  EXPECT_EQ(status(device, 64, 4, SIZE_MAX / 2, 1), cudaErrorInvalidValue);
  EXPECT_EQ(status(device, 64, 4, 16, 65), cudaErrorInvalidValue);
  EXPECT_EQ(status(nullptr, 64, 4, 16, 1), cudaErrorInvalidValue);
}

TEST_F(OpMemory, ACopyReadsItsSourceEachTimeItRuns) {
  char host[16] = {1};
  Result<Memcpy> copy = Memcpy::build(device, host, 16, cudaMemcpyHostToDevice);
  ASSERT_TRUE(copy.ok());
  EXPECT_TRUE(copy->from_pageable());
  EXPECT_FALSE(copy->to_pageable());
  copy->run(Context{0});
  EXPECT_EQ(device[0], 1);
  host[0] = 2;
  copy->run(Context{0});
  EXPECT_EQ(device[0], 2);
}

TEST_F(OpMemory, ADeviceWithAFaultDoesNothing) {
  char host[16] = {9};
  device[0] = 0;
  Result<Memcpy> copy = Memcpy::build(device, host, 16, cudaMemcpyHostToDevice);
  Result<Memset> set = Memset::build(device, 9, 16);
  set_sticky_error(5, cudaErrorLaunchFailure);
  copy->run(Context{5});
  set->run(Context{5});
  clear_sticky_error(5);
  EXPECT_EQ(device[0], 0);
}

// The process continues, and the device is in the state of a kernel fault.
TEST_F(OpMemory, MemoryThatIsGoneIsAnIllegalAddress) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer calls fault handlers late, so a copy cannot be left by a jump from one";
#endif
  for (size_t bytes : {size_t{100}, size_t{8} << 20}) {
    auto* page = static_cast<char*>(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::vector<char> host(bytes);
    Memcpy copy{{{page, bytes, bytes}, {host.data(), bytes, bytes}, {bytes, 1, 1}}};
    copy.run(Context{6});
    EXPECT_EQ(sticky_error(6), cudaErrorIllegalAddress);
    clear_sticky_error(6);
    Memset set{{{page, bytes, bytes}, {bytes, 1, 1}, 1, 1}};
    set.run(Context{6});
    EXPECT_EQ(sticky_error(6), cudaErrorIllegalAddress);
    clear_sticky_error(6);
    EXPECT_EQ(copy_now({{host.data(), bytes, bytes}, {page, bytes, bytes}, {bytes, 1, 1}}), cudaErrorInvalidValue);
    munmap(page, bytes);
  }
  EXPECT_EQ(cudaMemcpyAsync(device, reinterpret_cast<void*>(4096), 16, cudaMemcpyHostToDevice, nullptr),
            cudaErrorInvalidValue);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(OpMemory, NothingToCopyIsNeverWrong) {
  EXPECT_TRUE(Memcpy::build(nullptr, nullptr, 0, cudaMemcpyHostToDevice)->empty());
  EXPECT_TRUE(Memcpy::build_2d(nullptr, 0, nullptr, 0, 8, 0, cudaMemcpyDefault)->empty());
  cudaMemcpy3DParms box{};
  EXPECT_TRUE(Memcpy::build_3d(&box)->empty());
  EXPECT_TRUE(Memcpy::build_peer(nullptr, -1, nullptr, 99, 0)->empty());
  EXPECT_TRUE(Memset::build(nullptr, 0, 0)->empty());
}

}  // namespace
}  // namespace reprise_runtime::op
