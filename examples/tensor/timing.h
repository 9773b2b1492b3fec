// Measures eager execution and replay, and prints a comparison.
#pragma once

#include <reprise/stream.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

template <class Work>
double seconds(int rounds, Work work) {
  reprise::StreamRef(reprise::current_stream()).synchronize();
  auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) work();
  reprise::StreamRef(reprise::current_stream()).synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline void print_comparison(const char* what, int rounds, double eager, double replay) {
  std::printf("\n%-52s %12s %12s %8s\n", "", "eager (us)", "replay (us)", "ratio");
  std::printf("%-52s %12.1f %12.1f %7.2fx\n", what, eager / rounds * 1e6, replay / rounds * 1e6, eager / replay);
}

// The number of rounds: the first argument, or the default.
inline int rounds_of(int argc, char** argv, int original) { return argc > 1 ? std::atoi(argv[1]) : original; }

// Ends the program unless the condition holds, also with NDEBUG.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "wrong: %s\n", what);
  std::exit(1);
}
