// The status type of the runtime is CUDA's own. A function that can fail returns cudaError_t or a Result; both are
// [[nodiscard]].
#pragma once

#include <driver_types.h>

#include <utility>

namespace reprise_runtime {

// A value, or the error that prevented it.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(cudaError_t error) : status_(error) {}
  Result(T value) : value_(std::move(value)) {}

  bool ok() const { return status_ == cudaSuccess; }
  cudaError_t status() const { return status_; }
  T& value() & { return value_; }
  T&& value() && { return std::move(value_); }
  T* operator->() { return &value_; }
  const T* operator->() const { return &value_; }
  T& operator*() & { return value_; }
  const T& operator*() const& { return value_; }
  T operator*() && { return std::move(value_); }

 private:
  T value_{};
  cudaError_t status_ = cudaSuccess;
};

}  // namespace reprise_runtime
