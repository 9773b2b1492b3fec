// What a launch costs: the call alone, with its synchronization, over two streams, and a hundred thousand in a queue.
// Kernels are made by hand, so that the figures are the runtime's own. Prints a table; see RESULTS.md.
#include <cuda_runtime_api.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../tests/unit/hand_made_kernels.h"

namespace {

using namespace reprise;
using Clock = std::chrono::steady_clock;

double since_ns(Clock::time_point start) { return std::chrono::duration<double, std::nano>(Clock::now() - start).count(); }

void empty_thunk(const void*, const reprise_launch*) {}

// Keeps a core busy for as many microseconds as its argument says, in each block.
void busy_thunk(const void* params, const reprise_launch* launch) {
  double ns = 1000.0 * test::parameter<int>(params, 0);
  for (uint64_t block = launch->block_begin; block < launch->block_end; ++block) {
    auto start = Clock::now();
    while (since_ns(start) < ns) {
    }
  }
}

constexpr reprise_param three[] = {{0, 8}, {8, 8}, {16, 4}};
constexpr reprise_param one[] = {{0, 4}};
constexpr reprise_kernel kernels[] = {
    {"empty", empty_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {"three", empty_thunk, three, 3, 20, 0, 0, 0, 0, 0, 0, 0},
    {"busy", busy_thunk, one, 1, 4, 0, 0, 0, 0, 0, 0, 0},
};
char stubs[3];
const void* const addresses[] = {&stubs[0], &stubs[1], &stubs[2]};
test::Registered registered("launch_bench", kernels, 3, addresses);

// What a compiler makes of kernel<<<grid, block, 0, stream>>>(arguments...).
[[gnu::noinline]] void stub(const void* kernel, void** arguments) {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  if (__cudaPopCallConfiguration(&grid, &block, &shared, &stream) != cudaSuccess) return;
  (void)cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
void launch(const void* kernel, dim3 grid, cudaStream_t stream, void** arguments) {
  if (__cudaPushCallConfiguration(grid, dim3(32), 0, stream) == 0) stub(kernel, arguments);
}

// The median of several runs.
template <class Run>
double median(int runs, Run&& run) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(run());
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[runs / 2];
}

double call_ns(const void* kernel, cudaStream_t stream, void** arguments) {
  constexpr int calls = 1000;
  return median(101, [&] {
    auto start = Clock::now();
    for (int i = 0; i < calls; ++i) launch(kernel, dim3(1), stream, arguments);
    double ns = since_ns(start) / calls;
    (void)cudaStreamSynchronize(stream);
    return ns;
  });
}

double launch_and_synchronize_ns(cudaStream_t stream) {
  constexpr int calls = 1000;
  return median(101, [&] {
    auto start = Clock::now();
    for (int i = 0; i < calls; ++i) {
      launch(&stubs[0], dim3(1), stream, nullptr);
      (void)cudaStreamSynchronize(stream);
    }
    return since_ns(start) / calls;
  });
}

double busy_us(int kernels, int microseconds, const std::vector<cudaStream_t>& streams) {
  void* arguments[] = {&microseconds};
  return median(21, [&] {
    auto start = Clock::now();
    for (int i = 0; i < kernels; ++i) launch(&stubs[2], dim3(1), streams[i % streams.size()], arguments);
    for (cudaStream_t stream : streams) (void)cudaStreamSynchronize(stream);
    return since_ns(start) / 1000;
  });
}

double grid_us(unsigned blocks, int microseconds) {
  void* arguments[] = {&microseconds};
  return median(21, [&] {
    auto start = Clock::now();
    launch(&stubs[2], dim3(blocks), nullptr, arguments);
    (void)cudaStreamSynchronize(nullptr);
    return since_ns(start) / 1000;
  });
}

long resident_kib() {
  long pages = 0, resident = 0;
  if (FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = 0;
    std::fclose(file);
  }
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

void queue_many(cudaStream_t stream) {
  constexpr int count = 100'000;
  int hold_us = 100'000;
  void* busy_arguments[] = {&hold_us};
  long a = 1, b = 2;
  int c = 3;
  void* arguments[] = {&a, &b, &c};
  for (int round = 0; round < 3; ++round) {
    long before = resident_kib();
    launch(&stubs[2], dim3(1), stream, busy_arguments);
    auto start = Clock::now();
    for (int i = 0; i < count; ++i) launch(&stubs[1], dim3(1), stream, arguments);
    double ns = since_ns(start) / count;
    long full = resident_kib();
    (void)cudaStreamSynchronize(stream);
    std::printf("  round %d: %.1f ns a launch, %ld bytes each, %ld KiB left afterwards\n", round + 1, ns,
                (full - before) * 1024 / count, resident_kib() - before);
  }
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& time) { return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main() {
  cudaStream_t blocking, free;
  (void)cudaStreamCreate(&blocking);
  (void)cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
  long a = 1, b = 2;
  int c = 3;
  void* arguments[] = {&a, &b, &c};
  std::printf("launch call, <<<>>> path, empty kernel\n");
  std::printf("  legacy stream        %7.1f ns\n", call_ns(&stubs[0], nullptr, nullptr));
  std::printf("  blocking stream      %7.1f ns\n", call_ns(&stubs[0], blocking, nullptr));
  std::printf("  non-blocking stream  %7.1f ns\n", call_ns(&stubs[0], free, nullptr));
  std::printf("  per-thread stream    %7.1f ns\n", call_ns(&stubs[0], cudaStreamPerThread, nullptr));
  std::printf("  three parameters     %7.1f ns\n", call_ns(&stubs[1], free, arguments));
  std::printf("launch + cudaStreamSynchronize\n");
  std::printf("  legacy stream        %7.1f ns\n", launch_and_synchronize_ns(nullptr));
  std::printf("  non-blocking stream  %7.1f ns\n", launch_and_synchronize_ns(free));
  cudaStream_t second;
  (void)cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  for (int us : {5, 50, 500}) {
    double alone = busy_us(20, us, {free}), both = busy_us(20, us, {free, second});
    std::printf("20 kernels of %3d us: one stream %.0f us, two streams %.0f us, %.2fx\n", us, alone, both, alone / both);
  }
  for (unsigned blocks : {2u, 16u, 128u, 1024u}) {
    double us = grid_us(blocks, 5);
    std::printf("grid of %4u blocks of 5 us: %.0f us, %.2fx one core\n", blocks, us, blocks * 5 / us);
  }
  std::printf("100,000 launches queued behind a busy kernel\n");
  queue_many(free);
  usleep(100'000);
  double before = cpu_seconds();
  usleep(1'000'000);
  std::printf("idle: %.2f%% of a core\n", 100 * (cpu_seconds() - before));
}
