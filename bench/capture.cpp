// Cost of captured calls compared with eager ones: the same calls, a thousand at a time, in turns. Hand-made kernels
// leave the compiler out of the figures. Prints a table; see RESULTS.md.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "../tests/hand_made_kernels.h"

namespace {

using namespace reprise_runtime;
using Clock = std::chrono::steady_clock;

double since_ns(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void empty_thunk(const void*, const reprise_launch*) {}
constexpr reprise_param three[] = {{0, 8}, {8, 8}, {16, 4}};
constexpr reprise_kernel kernels[] = {
    {"empty", empty_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"three", empty_thunk, three, 3, 20, 0, 0, 0, 0, 0, 0, 0, 90, {}},
};
char stubs[2];
const void* const addresses[] = {&stubs[0], &stubs[1]};
test::Registered registered("capture_bench", kernels, 2, addresses);

constexpr int calls = 1000, turns = 301;

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
  std::exit(1);
}

struct Times {
  std::vector<double> eager, captured, whole;
};
double best(std::vector<double>& times) { return *std::min_element(times.begin(), times.end()); }
double median(std::vector<double>& times) {
  std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

// Measures `call` eagerly and captured, in turns. `whole` is the time from the begin of the capture to its end.
template <class Call>
Times measure(cudaStream_t stream, Call&& call) {
  Times times;
  for (int turn = 0; turn < turns; ++turn) {
    auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    times.eager.push_back(since_ns(start) / calls);
    check(cudaStreamSynchronize(stream));

    cudaGraph_t graph = nullptr;
    start = Clock::now();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    auto first = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    times.captured.push_back(since_ns(first) / calls);
    check(cudaStreamEndCapture(stream, &graph));
    times.whole.push_back(since_ns(start) / calls);
    check(cudaGraphDestroy(graph));
  }
  return times;
}

void print(const char* what, Times times) {
  std::printf("%-26s %9.1f %9.1f %7.2f   %9.1f %9.1f %7.2f   %9.1f\n", what, best(times.eager), best(times.captured),
              best(times.captured) / best(times.eager), median(times.eager), median(times.captured),
              median(times.captured) / median(times.eager), best(times.whole));
}

}  // namespace

int main() {
  cudaStream_t stream = nullptr, second = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t fork = nullptr, join = nullptr;
  check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  void* memory = nullptr;
  check(cudaMalloc(&memory, 4096));
  long a = 1, b = 2;
  int c = 3;
  void* arguments[] = {&a, &b, &c};

  std::printf("%-26s %29s %29s %11s\n", "ns per call", "best: eager captured ratio", "median: eager captured ratio",
              "begin..end");
  print("launch", measure(stream, [&] { check(cudaLaunchKernel(&stubs[0], dim3(1), dim3(32), nullptr, 0, stream)); }));
  print("launch, 3 parameters",
        measure(stream, [&] { check(cudaLaunchKernel(&stubs[1], dim3(1), dim3(32), arguments, 0, stream)); }));
  print("host function", measure(stream, [&] { check(cudaLaunchHostFunc(stream, [](void*) {}, nullptr)); }));
  print("memset, 4 KiB", measure(stream, [&] { check(cudaMemsetAsync(memory, 0, 4096, stream)); }));
  print("launch, fork, launch, join", measure(stream, [&] {
          check(cudaLaunchKernel(&stubs[0], dim3(1), dim3(32), nullptr, 0, stream));
          check(cudaEventRecord(fork, stream));
          check(cudaStreamWaitEvent(second, fork, 0));
          check(cudaLaunchKernel(&stubs[0], dim3(1), dim3(32), nullptr, 0, second));
          check(cudaEventRecord(join, second));
          check(cudaStreamWaitEvent(stream, join, 0));
        }));

  std::vector<double> empty;
  for (int turn = 0; turn < 10'000; ++turn) {
    cudaGraph_t graph = nullptr;
    auto start = Clock::now();
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(cudaStreamEndCapture(stream, &graph));
    empty.push_back(since_ns(start));
    check(cudaGraphDestroy(graph));
  }
  std::printf("begin and end of an empty capture: best %.0f ns, median %.0f ns\n", best(empty), median(empty));
}
