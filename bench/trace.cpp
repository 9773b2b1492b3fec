// What an event of the trace costs the thread that records it. The program runs itself with and without REPRISE_TRACE
// and makes calls that do next to nothing: each is one event. Bursts are shorter than a thread's buffer, with pauses in
// which the writer thread empties it, so that no event is dropped.
#include <cuda_runtime_api.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/clock.h"

namespace {

constexpr int burst = 16'000, bursts = 15;

// The best time of a call, in nanoseconds.
double measure() {
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  double best = 1e9;
  for (int round = 0; round < bursts; ++round) {
    usleep(60'000);
    const uint64_t start = reprise_runtime::now_ns();
    for (int i = 0; i < burst; ++i) cudaStreamQuery(stream);
    best = std::min(best, static_cast<double>(reprise_runtime::now_ns() - start) / burst);
  }
  return best;
}

double measure_in_child(const char* setting, const char* value) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  const pid_t child = fork();
  if (child == 0) {
    setenv("BENCH_TRACE_RESULT", std::to_string(ends[1]).c_str(), 1);
    if (setting) setenv(setting, value, 1);
    execl("/proc/self/exe", "bench_trace", nullptr);
    _exit(1);
  }
  double result = 0;
  if (read(ends[0], &result, sizeof result) != sizeof result) result = 0;
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return result;
}

}  // namespace

int main() {
  if (const char* to = std::getenv("BENCH_TRACE_RESULT")) {
    const double result = measure();
    return write(std::atoi(to), &result, sizeof result) == sizeof result ? 0 : 1;
  }
  const std::string file = "/tmp/bench_trace_" + std::to_string(getpid()) + ".json";
  for (int round = 0; round < 3; ++round) {
    const double off = measure_in_child(nullptr, nullptr);
    const double on = measure_in_child("REPRISE_TRACE", file.c_str());
    std::printf("cudaStreamQuery %.1f ns, traced %.1f ns: %.1f ns an event\n", off, on, on - off);
  }
  unlink(file.c_str());
}
