// Shared by the conformance tests. They use the CUDA runtime API alone: built by nvcc, a test runs against NVIDIA's
// runtime, and built by reprise-nvcc, against ours. NVIDIA's answer is the expectation.
//
//   MUST(call)                 a step the test stands on: anything but cudaSuccess ends the test
//   ASK(expected, call)        a question: the call's cudaError_t
//   ASK_VALUE(expected, expr)  a question with another type of answer
//
// With PROBE=1 in the environment every question prints its answer, right or wrong, as one line:
//   PROBE <suite>.<test> <line> <question> => <answer>
//
// Suites named Sticky... leave the device unusable. Suites named Hazard... make calls that NVIDIA leaves undefined,
// where its runtime crashes or answers by chance; here each returns an error. Both run one process per test, hazards
// on NVIDIA's runtime only with PROBE=hazards.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace conformance {

inline bool probing() { return std::getenv("PROBE") != nullptr; }

inline bool on_nvidia() {
  static const bool answer = [] {
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess && std::strstr(properties.name, "NVIDIA") != nullptr;
  }();
  return answer;
}

inline void tell(const char* question, int line, const std::string& answer) {
  if (!probing()) return;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::printf("PROBE %s.%s %d %s => %s\n", test ? test->test_suite_name() : "-", test ? test->name() : "-", line,
              question, answer.c_str());
  std::fflush(stdout);
}

inline std::string named(cudaError_t error) {
  return std::string(cudaGetErrorName(error)) + " (" + std::to_string(static_cast<int>(error)) + ")";
}

inline testing::AssertionResult answered(const char* question, int line, cudaError_t expected, cudaError_t actual) {
  tell(question, line, named(actual));
  if (expected == actual) return testing::AssertionSuccess();
  return testing::AssertionFailure() << question << "\n  answers  " << named(actual) << "\n  expected "
                                     << named(expected);
}

template <typename Expected, typename Actual>
testing::AssertionResult answered_value(const char* question, int line, const Expected& expected,
                                        const Actual& actual) {
  tell(question, line, testing::PrintToString(actual));
  if (actual == static_cast<Actual>(expected)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << question << "\n  is       " << testing::PrintToString(actual) << "\n  expected "
                                     << testing::PrintToString(static_cast<Actual>(expected));
}

#define ASK(expected, ...) \
  EXPECT_TRUE(conformance::answered(#__VA_ARGS__, __LINE__, static_cast<cudaError_t>(expected), __VA_ARGS__))
#define ASK_VALUE(expected, ...) EXPECT_TRUE(conformance::answered_value(#__VA_ARGS__, __LINE__, expected, __VA_ARGS__))
#define MUST(...) ASSERT_TRUE(conformance::answered(#__VA_ARGS__, __LINE__, cudaSuccess, __VA_ARGS__))

inline bool probing_hazards() {
  const char* const probe = std::getenv("PROBE");
  return probe != nullptr && std::strcmp(probe, "hazards") == 0;
}

#define UNDEFINED_ON_NVIDIA(reason) \
  if (conformance::on_nvidia() && !conformance::probing_hazards()) GTEST_SKIP() << "undefined on NVIDIA: " << reason

#define NEEDS_DEVICES(count)                                                       \
  do {                                                                             \
    int devices_here = 0;                                                          \
    MUST(cudaGetDeviceCount(&devices_here));                                       \
    if (devices_here < (count)) GTEST_SKIP() << "needs " << (count) << " devices"; \
  } while (false)

// Lazy loading of a kernel may wait for running kernels, and some of these tests keep one running.
inline const int modules_are_loaded_eagerly = setenv("CUDA_MODULE_LOADING", "EAGER", 0);

// Starts and ends every test with device 0, nothing in flight and no last error.
class Runtime : public testing::Test {
 protected:
  void SetUp() override {
    (void)cudaSetDevice(0);
    (void)cudaGetLastError();
  }
  void TearDown() override {
    (void)cudaSetDevice(0);
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize()) << "the test left the device faulted";
    (void)cudaGetLastError();
  }
};

template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    EXPECT_EQ(cudaSuccess, cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
    EXPECT_EQ(cudaSuccess, cudaMemset(data_, 0, count * sizeof(T)));
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { (void)cudaFree(data_); }
  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }
  // Waits for everything in the device, then copies.
  std::vector<T> read() const {
    std::vector<T> host(count_);
    EXPECT_EQ(cudaSuccess, cudaDeviceSynchronize());
    EXPECT_EQ(cudaSuccess, cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

 private:
  T* data_ = nullptr;
  size_t count_;
};

template <typename T>
class PinnedArray {
 public:
  explicit PinnedArray(size_t count) : count_(count) {
    EXPECT_EQ(cudaSuccess, cudaHostAlloc(reinterpret_cast<void**>(&data_), count * sizeof(T), cudaHostAllocMapped));
    std::memset(static_cast<void*>(data_), 0, count * sizeof(T));
  }
  PinnedArray(const PinnedArray&) = delete;
  PinnedArray& operator=(const PinnedArray&) = delete;
  ~PinnedArray() { (void)cudaFreeHost(data_); }
  T* get() const { return data_; }
  T& operator[](size_t i) const { return data_[i]; }
  size_t bytes() const { return count_ * sizeof(T); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

class Stream {
 public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    EXPECT_EQ(cudaSuccess, cudaStreamCreateWithFlags(&stream_, flags));
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { (void)cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  explicit Event(unsigned flags = cudaEventDefault) {
    EXPECT_EQ(cudaSuccess, cudaEventCreateWithFlags(&event_, flags));
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { (void)cudaEventDestroy(event_); }
  operator cudaEvent_t() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

// How long a kernel waits for an event that must come, in clocks: some minutes, so that a broken test fails instead
// of hanging. The clock runs on while the process or the machine is stopped, which was seen to last a minute.
static constexpr long long long_patience = 400'000'000'000;

[[maybe_unused]] static __global__ void spin_until_set(volatile int* flag) {
  const long long start = clock64();
  while (*flag == 0 && clock64() - start < long_patience) {
  }
}

[[maybe_unused]] static __global__ void store(int* where, int value) { *where = value; }

[[maybe_unused]] static __global__ void add_one(int* where) { *where += 1; }

// Keeps a stream busy with a kernel that ends when the gate is opened. Make everything the test needs before
// closing it: on a GPU, calls such as cudaFree and cudaMalloc may wait for the kernel.
class Gate {
 public:
  Gate() : flag_(1) {}
  ~Gate() {
    open();
    (void)cudaDeviceSynchronize();
  }
  void close(cudaStream_t stream) {
    spin_until_set<<<1, 1, 0, stream>>>(flag_.get());
    EXPECT_EQ(cudaSuccess, cudaPeekAtLastError());
  }
  void open() { *static_cast<volatile int*>(flag_.get()) = 1; }

 private:
  PinnedArray<int> flag_;
};

// Polls until the condition holds; false after about half a minute. Counts polls instead of time, because the other
// side may not run while this process is descheduled.
template <typename Condition>
bool eventually(Condition holds, int milliseconds = 30'000) {
  for (int turn = 0; turn < 10 * milliseconds; ++turn) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return holds();
}

}  // namespace conformance

using namespace conformance;
