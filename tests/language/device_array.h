// Memory that host and device can access: filled on the host, passed to kernels, read after a check.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#define ASSERT_CUDA(call) ASSERT_EQ((call), cudaSuccess)
#define EXPECT_CUDA(call) EXPECT_EQ((call), cudaSuccess)

template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count, T value = T()) : DeviceArray(std::vector<T>(count, value)) {}
  explicit DeviceArray(const std::vector<T>& values) : count_(values.size()) {
    EXPECT_CUDA(cudaMalloc(&data_, count_ * sizeof(T)));
    EXPECT_CUDA(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  T* get() { return data_; }
  operator T*() { return data_; }

  // Waits for the kernels before it.
  std::vector<T> host() {
    std::vector<T> values(count_);
    EXPECT_CUDA(cudaGetLastError());
    EXPECT_CUDA(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};
