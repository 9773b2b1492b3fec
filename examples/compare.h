// Shared by the examples: the time of work done eagerly and by replaying a graph, as a table.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "check.h"

// The time of one round of work() in microseconds, the best of five.
template <class Work>
double microseconds(cudaStream_t stream, int rounds, Work work) {
  double best = 1e30;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < rounds; ++i) work();
    CHECK(cudaStreamSynchronize(stream));
    const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - begin;
    best = std::min(best, taken.count() / rounds);
  }
  return best;
}

inline void print_table(const char* what, double eager_us, double replay_us, const char* program) {
  std::printf("\n%-40s %12s %12s %8s\n", "", "eager (us)", "replay (us)", "ratio");
  std::printf("%-40s %12.2f %12.2f %7.1fx\n", what, eager_us, replay_us, eager_us / replay_us);
  if (isatty(STDOUT_FILENO)) {
    std::printf("\nREPRISE_DRAW=drawings %s    draws the graph: drawings/graph-1.html\n", program);
    std::printf("REPRISE_TRACE=trace.json %s shows when each node runs: https://ui.perfetto.dev\n", program);
  }
}
