// Kernels compiled by reprise-nvcc against the same algorithms in plain C++ and in OpenCL C on PoCL, on the same
// threads, in turns. Prints times, ratios and whether the results agree.
//   bench_kernels [--processor-time] [NAME]   only problems whose name contains NAME
// With --processor-time on one core (taskset -c 0), other load on the machine does not affect the figures.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include "problem.h"
#include "thunks.h"

namespace bench {

int thread_count() {
  int count = 1;
  (void)cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
  return count;
}

namespace {

constexpr int rounds = 25;
constexpr double turn_us = 4000;  // how long a contender runs before the next one's turn

bool processor_time = false;
double now_us() {
  timespec time{};
  clock_gettime(processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return 1e6 * double(time.tv_sec) + 1e-3 * double(time.tv_nsec);
}

float* allocate(size_t count) {
  void* memory = nullptr;
  if (cudaMallocManaged(&memory, count * sizeof(float)) == cudaSuccess) return static_cast<float*>(memory);
  std::printf("no memory\n");
  std::exit(1);
}
float* inputs(size_t count, float from, float to) {
  float* values = allocate(count);
  unsigned state = 1;
  for (size_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = from + (to - from) * static_cast<float>(state >> 8) / 16777216.0f;
  }
  return values;
}

struct Row {
  const char* name;
  Kind kind;
  int n;
  double goal;  // ratio to plain C++; 0: none
  bool ahead_of_opencl;
  const Contender* against = &plain;
};
const Row rows[] = {
    {"saxpy, 1 Mi", Kind::saxpy, 1 << 20, 1.1, false},
    {"saxpy, 16 Mi", Kind::saxpy, 1 << 24, 1.1, false},
    {"grid-stride saxpy, 1 Mi", Kind::grid_stride_saxpy, 1 << 20, 1.1, false},
    {"sin*exp, 1 Mi", Kind::sin_exp, 1 << 20, 1.1, false},
    {"sin*exp, plain with libmvec", Kind::sin_exp, 1 << 20, 0, false, &plain_vector_maths},
    {"2D stencil, 1024^2", Kind::stencil, 1024, 1.1, false},
    {"block reduction, 1 Mi", Kind::reduction, 1 << 20, 1.5, true},
    {"block reduction, 4 Mi", Kind::reduction, 1 << 22, 1.5, true},
    {"shuffle reduction, 1 Mi", Kind::shuffle_reduction, 1 << 20, 1.5, false},
    {"block scan, 1 Mi", Kind::scan, 1 << 20, 1.5, true},
    {"tiled matmul, 512^2", Kind::matmul, 512, 1.5, true},
    {"Jacobi step, 1024^2", Kind::jacobi, 1024, 1.5, true},
    {"dense Jacobi step, 1024^2", Kind::dense_jacobi, 1024, 1.5, false},
    {"1024 threads wait for a time", Kind::timed_wait, 1024, 1.3, false},
    {"bound chosen by block, 1 Mi", Kind::chosen_bound, 1 << 20, 1.3, false},
    {"volatile counter, 64 Ki", Kind::volatile_counter, 1 << 16, 1.3, false},
};

Problem make_problem(const Row& row) {
  const size_t n = row.n, square = n * n;
  Problem p{row.kind, row.n, nullptr, nullptr, nullptr, n, 0, n};
  switch (row.kind) {
    case Kind::reduction:
    case Kind::shuffle_reduction:
      p.out_count = n / line;
      break;
    case Kind::chosen_bound:
      p.b_count = n / chunk;
      p.out_count = n / chunk * line;
      break;
    case Kind::stencil:
      p.a_count = p.out_count = square;
      break;
    case Kind::matmul:
      p.a_count = p.b_count = p.out_count = square;
      break;
    case Kind::jacobi:
      p.a_count = p.b_count = square;
      p.out_count = square + square / (patch_width * patch_height);
      break;
    case Kind::dense_jacobi:
      p.a_count = square;
      p.b_count = 2 * n;
      break;
    default:
      break;
  }
  p.a = inputs(p.a_count, row.kind == Kind::sin_exp ? -8.0f : 0.25f, row.kind == Kind::sin_exp ? 8.0f : 1.0f);
  if (p.b_count) p.b = inputs(p.b_count, -1.0f, 1.0f);
  p.out = allocate(p.out_count);
  return p;
}

void release(const Problem& p) {
  (void)cudaFree(const_cast<float*>(p.a));
  if (p.b) (void)cudaFree(const_cast<float*>(p.b));
  (void)cudaFree(p.out);
}

std::vector<float> result_of(const Contender& contender, const Problem& p) {
  std::fill(p.out, p.out + p.out_count, 0.125f);  // also an input of saxpy
  contender.run(p);
  return {p.out, p.out + p.out_count};
}

// The largest difference, relative to the values where they are larger than one.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  double worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double distance = std::fabs(double(a[i]) - b[i]) / std::max(1.0, std::fabs(double(a[i])));
    worst = distance <= worst ? worst : distance;  // a NaN becomes the worst
  }
  return worst;
}

struct Entry {
  const Contender* contender;
  bool able;
  std::vector<double> times;  // of one run, in microseconds
  double difference = 0;
  double best() const { return times.front(); }
  double median() const { return times[times.size() / 2]; }
};

void take_turns(const Problem& p, std::vector<Entry>& entries) {
  int runs = 1;
  for (int round = -1; round < rounds; ++round)
    for (Entry& entry : entries) {
      if (!entry.able) continue;
      // Lets the threads of the contender before fall asleep.
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      entry.contender->run(p);
      const double start = now_us();
      for (int i = 0; i < runs; ++i) entry.contender->run(p);
      const double time = (now_us() - start) / runs;
      if (round >= 0)
        entry.times.push_back(time);
      else if (&entry == &entries.front())
        runs = std::clamp(static_cast<int>(turn_us / time), 1, 2000);
    }
  for (Entry& entry : entries) std::sort(entry.times.begin(), entry.times.end());
}

void print_row(const Row& row, const std::vector<Entry>& entries) {
  const Entry &ground = entries[0], &native = entries[1], &standard = entries[2], &other = entries[3];
  std::printf("| %-28s | %8.1f | %8.1f | %8.1f |", row.name, ground.best(), native.best(), standard.best());
  if (other.able)
    std::printf(" %8.1f |", other.best());
  else
    std::printf("        - |");
  const double ratio = native.best() / ground.best(), to_other = other.able ? native.best() / other.best() : 0;
  std::printf(" %5.2f (%5.2f) | %5.2f |", ratio, native.median() / ground.median(), standard.best() / ground.best());
  if (other.able)
    std::printf(" %5.2f |", to_other);
  else
    std::printf("     - |");
  const bool reached = ratio <= row.goal && (!row.ahead_of_opencl || to_other < 1);
  if (row.goal)
    std::printf(" %.1f%s %s |", row.goal, row.ahead_of_opencl ? ", < PoCL" : "", reached ? "yes" : "NO");
  else
    std::printf(" |");
  double worst = 0;
  for (const Entry& entry : entries) worst = std::max(worst, entry.difference);
  std::printf(" %s %.0e |\n", worst < 1e-5 ? "same" : "DIFFERENT", worst);
  std::fflush(stdout);
}

bool compare(const Row& row) {
  const Problem p = make_problem(row);
  std::vector<Entry> entries;
  for (const Contender* contender : {row.against, &cuda_native, &cuda_default, &opencl})
    entries.push_back({contender, contender->prepare(p), {}});
  const std::vector<float> expected = result_of(*row.against, p);
  bool same = true;
  for (Entry& entry : entries) {
    if (!entry.able) continue;
    entry.difference = difference(expected, result_of(*entry.contender, p));
    same = same && entry.difference < 1e-5;
  }
  take_turns(p, entries);
  print_row(row, entries);
  release(p);
  return same;
}

// An empty kernel: its thunk alone, a launch through the runtime, and PoCL's launch.
void compare_empty() {
  const reprise_kernel* kernel = find_kernel("empty");
  std::vector<char> scratch(kernel->scratch_per_block + 1024 * kernel->scratch_per_thread + 64);
  std::vector<char> shared(kernel->static_shared + 128);
  const auto best_ns = [](int runs, const auto& call) {
    double best = 1e30;
    for (int round = 0; round < 51; ++round) {
      const double start = now_us();
      for (int i = 0; i < runs; ++i) call();
      best = std::min(best, (now_us() - start) * 1000 / runs);
    }
    return best;
  };
  for (unsigned threads : {1u, 256u}) {
    const reprise_launch launch{{1, 1, 1}, {threads, 1, 1}, 0, 1, shared.data(), scratch.data(), 0, 0, nullptr};
    std::printf("empty kernel, thunk of a block of %u: %.1f ns (to reach: 50)\n", threads,
                best_ns(10000, [&] { kernel->thunk(nullptr, &launch); }));
  }
  const Problem p{Kind::empty, 1, nullptr, nullptr, nullptr, 0, 0, 0};
  std::printf("empty kernel, launch and synchronize: %.1f ns", best_ns(1000, [&] { cuda_native.run(p); }));
  if (opencl.prepare(p)) std::printf(", PoCL %.1f ns", best_ns(100, [&] { opencl.run(p); }));
  std::printf("\n");
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  using namespace bench;
  if (argc > 1 && std::strcmp(argv[1], "--processor-time") == 0) {
    processor_time = true;
    --argc, ++argv;
  }
  std::printf("%d threads; best of %d runs in microseconds%s; ratios of the best (of the medians)\n", thread_count(),
              rounds, processor_time ? " of processor time" : "");
  std::printf(
      "| kernel | plain C++ | reprise native | reprise AVX2 | %s | native / plain | AVX2 / plain | native / PoCL | "
      "goal | results |\n",
      opencl.name);
  std::printf("|---|---|---|---|---|---|---|---|---|---|\n");
  bool same = true;
  for (const Row& row : rows)
    if (argc < 2 || std::strstr(row.name, argv[1])) same = compare(row) && same;
  if (argc < 2 || std::strstr("empty", argv[1])) compare_empty();
  return same ? 0 : 1;
}
