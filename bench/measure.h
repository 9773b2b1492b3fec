// Timing for benchmarks whose alternatives run in turns.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;

inline double seconds_for_a_row = 0.3;

inline double since_ns(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

inline void must(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}
#define MUST(call) ::bench::must(call, #call)

struct Row {
  double best = 1e300, median = 0;
};

inline Row row_of(std::vector<double>& ns) {
  std::sort(ns.begin(), ns.end());
  return {ns.front(), ns[ns.size() / 2]};
}

// Runs the alternatives in turns for `seconds_for_a_row`, at least five times each.
inline std::vector<Row> measure(const std::vector<std::function<void()>>& alternatives) {
  std::vector<std::vector<double>> ns(alternatives.size());
  const auto begin = Clock::now();
  do {
    for (size_t i = 0; i < alternatives.size(); ++i) {
      const auto start = Clock::now();
      alternatives[i]();
      ns[i].push_back(since_ns(start));
    }
  } while (since_ns(begin) < 1e9 * seconds_for_a_row || ns[0].size() < 5);
  std::vector<Row> rows;
  for (auto& each : ns) rows.push_back(row_of(each));
  return rows;
}

}  // namespace bench
