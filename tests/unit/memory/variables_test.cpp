#include "memory/address/variables.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace {

TEST(Variables, AreDeviceMemoryToCopiesAndSets) {
  static int variable[4] = {1, 2, 3, 4};
  reprise_runtime::memory::add_variable(variable, sizeof variable, false);
  int out[4] = {};
  EXPECT_EQ(cudaMemcpy(out, variable, sizeof out, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(out[3], 4);
  EXPECT_EQ(cudaMemcpy(out, variable, sizeof out + 1, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(variable), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemset(variable, 0, sizeof variable), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(variable[3], 4) << "a reset brings the initial value back";
  reprise_runtime::memory::remove_variable(variable);
}

}  // namespace
