// Messages of CUDA's log during a test, received by a callback as in a program.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "hand_made_kernels.h"

namespace surprises {

class Explanations {
 public:
  Explanations() { EXPECT_EQ(cudaSuccess, cudaLogsRegisterCallback(&hear, this, &handle_)); }
  ~Explanations() { EXPECT_EQ(cudaSuccess, cudaLogsUnregisterCallback(handle_)); }
  Explanations(const Explanations&) = delete;
  Explanations& operator=(const Explanations&) = delete;

  // The latest message; empty if there has been none since.
  std::string take() {
    std::lock_guard lock(mutex_);
    std::string latest = messages_.empty() ? std::string() : messages_.back();
    messages_.clear();
    return latest;
  }

 private:
  static void hear(void* self, cudaLogLevel, char* message, size_t length) {
    auto& heard = *static_cast<Explanations*>(self);
    std::lock_guard lock(heard.mutex_);
    heard.messages_.emplace_back(message, length);
  }

  cudaLogsCallbackHandle handle_{};
  std::mutex mutex_;
  std::vector<std::string> messages_;
};

// Checks that the message contains all of these, in this order.
inline testing::AssertionResult tells(const std::string& message, const std::vector<std::string>& parts) {
  size_t from = 0;
  for (const std::string& part : parts) {
    const size_t at = message.find(part, from);
    if (at == std::string::npos)
      return testing::AssertionFailure() << "\"" << part << "\" is not where it should be in\n" << message;
    from = at + part.size();
  }
  return testing::AssertionSuccess();
}

inline void empty_thunk(const void*, const reprise_launch*) {}
inline constexpr reprise_kernel kernels[] = {{"nothing", empty_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}}};
inline char stub;
inline const void* const stubs[] = {&stub};
inline reprise_runtime::test::Registered registered("surprises", kernels, 1, stubs);

inline cudaError_t launch(cudaStream_t stream) { return cudaLaunchKernel(&stub, dim3(1), dim3(1), nullptr, 0, stream); }

struct Stream {
  explicit Stream(unsigned flags = cudaStreamNonBlocking) {
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&handle, flags));
  }
  ~Stream() { EXPECT_EQ(cudaSuccess, cudaStreamDestroy(handle)); }
  operator cudaStream_t() const { return handle; }
  cudaStream_t handle = nullptr;
};

struct Event {
  explicit Event(unsigned flags = cudaEventDefault) {
    EXPECT_EQ(cudaSuccess, cudaEventCreateWithFlags(&handle, flags));
  }
  ~Event() { EXPECT_EQ(cudaSuccess, cudaEventDestroy(handle)); }
  operator cudaEvent_t() const { return handle; }
  cudaEvent_t handle = nullptr;
};

}  // namespace surprises
