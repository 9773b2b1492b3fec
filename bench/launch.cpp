// Cost of a kernel launch: the call alone, with a synchronization, across two streams, and 100,000 launches in a queue.
// Hand-made kernels leave the compiler out of the figures. Prints a table; see RESULTS.md.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../tests/hand_made_kernels.h"

namespace {

using namespace reprise_runtime;
using Clock = std::chrono::steady_clock;

double since_ns(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void empty_thunk(const void*, const reprise_launch*) {}

// Each block spins for the number of microseconds in the argument.
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
    {"empty", empty_thunk, nullptr, 0, 0, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"three", empty_thunk, three, 3, 20, 0, 0, 0, 0, 0, 0, 0, 90, {}},
    {"busy", busy_thunk, one, 1, 4, 0, 0, 0, 0, 0, 0, 0, 90, {}},
};
char stubs[3];
const void* const addresses[] = {&stubs[0], &stubs[1], &stubs[2]};
test::Registered registered("launch_bench", kernels, 3, addresses);

// The calls that a compiler emits for kernel<<<grid, block, 0, stream>>>(arguments...).
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

// Times of several runs. The best is the cost of the code; the median includes the load of a shared machine.
struct Runs {
  double best, median;
};
template <class Run>
Runs measure(int runs, Run&& run) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) times.push_back(run());
  std::sort(times.begin(), times.end());
  return {times[0], times[times.size() / 2]};
}
void print_ns(const char* what, const Runs& runs) {
  std::printf("  %-34s best %7.1f ns   median %7.1f ns\n", what, runs.best, runs.median);
}

// Times a thousand calls. The synchronization after them is not timed.
template <class Call>
Runs call_cost(cudaStream_t stream, Call&& call) {
  constexpr int calls = 1000;
  return measure(201, [&] {
    auto start = Clock::now();
    for (int i = 0; i < calls; ++i) call();
    double ns = since_ns(start) / calls;
    (void)cudaStreamSynchronize(stream);
    return ns;
  });
}

Runs launch_cost(const void* kernel, cudaStream_t stream, void** arguments) {
  return call_cost(stream, [&] { launch(kernel, dim3(1), stream, arguments); });
}

Runs busy_us(int kernels, int microseconds, const std::vector<cudaStream_t>& streams) {
  void* arguments[] = {&microseconds};
  return measure(41, [&] {
    auto start = Clock::now();
    for (int i = 0; i < kernels; ++i) launch(&stubs[2], dim3(1), streams[i % streams.size()], arguments);
    for (cudaStream_t stream : streams) (void)cudaStreamSynchronize(stream);
    return since_ns(start) / 1000;
  });
}

Runs grid_us(unsigned blocks, int microseconds) {
  void* arguments[] = {&microseconds};
  return measure(41, [&] {
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
    std::printf("  round %d: %.1f ns per launch, %ld bytes each, %ld KiB left afterwards\n", round + 1, ns,
                (full - before) * 1024 / count, resident_kib() - before);
  }
}

double cpu_seconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace

int main() {
  cudaStream_t blocking, free, second;
  (void)cudaStreamCreate(&blocking);
  (void)cudaStreamCreateWithFlags(&free, cudaStreamNonBlocking);
  (void)cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t timed, untimed;
  (void)cudaEventCreate(&timed);
  (void)cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming);
  long a = 1, b = 2;
  int c = 3;
  void* arguments[] = {&a, &b, &c};

  std::printf("launch call, <<<>>> path, empty kernel\n");
  print_ns("legacy stream", launch_cost(&stubs[0], nullptr, nullptr));
  print_ns("blocking stream", launch_cost(&stubs[0], blocking, nullptr));
  print_ns("non-blocking stream", launch_cost(&stubs[0], free, nullptr));
  print_ns("per-thread stream", launch_cost(&stubs[0], cudaStreamPerThread, nullptr));
  print_ns("three parameters", launch_cost(&stubs[1], free, arguments));

  // In turns, since the two are compared.
  std::printf("launch call of each API, empty kernel, non-blocking stream\n");
  cudaFunction_t function = nullptr;
  (void)cudaGetFuncBySymbol(&function, &stubs[0]);
  for (int turn = 0; turn < 3; ++turn) {
    print_ns("cudaLaunchKernel",
             call_cost(free, [&] { (void)cudaLaunchKernel(&stubs[0], dim3(1), dim3(32), nullptr, 0, free); }));
    print_ns("cuLaunchKernel",
             call_cost(free, [&] { (void)cuLaunchKernel(function, 1, 1, 1, 32, 1, 1, 0, free, nullptr, nullptr); }));
  }

  std::printf("launch + cudaStreamSynchronize, the calling thread runs the kernel\n");
  for (cudaStream_t stream : {cudaStream_t{}, blocking, free}) {
    const char* name = stream == nullptr    ? "legacy stream"
                       : stream == blocking ? "blocking stream"
                                            : "non-blocking stream";
    print_ns(name, call_cost(stream, [&] {
               launch(&stubs[0], dim3(1), stream, nullptr);
               (void)cudaStreamSynchronize(stream);
             }));
  }

  std::printf("events\n");
  print_ns("record, timed", call_cost(free, [&] { (void)cudaEventRecord(timed, free); }));
  print_ns("record, without timing", call_cost(free, [&] { (void)cudaEventRecord(untimed, free); }));
  print_ns("query", call_cost(free, [&] { (void)cudaEventQuery(untimed); }));
  print_ns("launch, record, wait, launch, sync", call_cost(second, [&] {
             launch(&stubs[0], dim3(1), free, nullptr);
             (void)cudaEventRecord(untimed, free);
             (void)cudaStreamWaitEvent(second, untimed, 0);
             launch(&stubs[0], dim3(1), second, nullptr);
             (void)cudaStreamSynchronize(second);
           }));

  for (int us : {5, 50, 500}) {
    Runs alone = busy_us(20, us, {free}), both = busy_us(20, us, {free, second});
    std::printf("20 kernels of %3d us: one stream %.0f us, two streams %.0f us, %.2fx (best of 41)\n", us, alone.best,
                both.best, alone.best / both.best);
  }
  for (unsigned blocks : {2u, 16u, 128u, 1024u}) {
    double us = grid_us(blocks, 5).best;
    std::printf("grid of %4u blocks of 5 us: %.0f us, %.2fx one core (best of 41)\n", blocks, us, blocks * 5 / us);
  }
  std::printf("100,000 launches of three parameters queued behind a busy kernel\n");
  queue_many(free);
  usleep(100'000);
  double before = cpu_seconds();
  usleep(1'000'000);
  std::printf("idle: %.2f%% of a core\n", 100 * (cpu_seconds() - before));
}
