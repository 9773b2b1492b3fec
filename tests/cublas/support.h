// Shared by the cuBLAS tests: device arrays, a handle with a stream, reproducible values.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(const std::vector<T>& values) : size_(values.size()) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void**>(&data_), size_ * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    // A copy from pageable memory may still be in progress, and the stream of the tests does not wait for it.
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { EXPECT_EQ(cudaFree(data_), cudaSuccess); }

  T* data() const { return data_; }
  std::vector<T> values() const {
    std::vector<T> values(size_);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

class Cublas : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cublasSetStream(handle, stream), CUBLAS_STATUS_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
    EXPECT_EQ(cublasDestroy(handle), CUBLAS_STATUS_SUCCESS);
  }

  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  // Multiples of one half: their sums are exact in single precision in any order.
  template <class T = float>
  std::vector<T> values(std::size_t count) {
    std::vector<T> made(count);
    for (T& value : made) value = static_cast<T>(number(-4, 4) * 0.5f);
    return made;
  }

  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr;
  std::mt19937 random{20240601};
};
