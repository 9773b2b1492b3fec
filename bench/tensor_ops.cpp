// The cost of eager tensor operations: the call for tiny tensors, and the work for large ones compared with plain loops
// of one thread. Prints two tables; see RESULTS.md.
#include <reprise/factories.h>
#include <reprise/ops.h>
#include <reprise/optim.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

using namespace reprise;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(int times, const std::function<void()>& call) {
  check_cuda(cudaDeviceSynchronize(), "synchronizing");
  auto start = Clock::now();
  for (int i = 0; i < times; ++i) call();
  check_cuda(cudaDeviceSynchronize(), "synchronizing");
  return std::chrono::duration<double>(Clock::now() - start).count() / times;
}

double best_of(int times, const std::function<void()>& call) {
  double best = 1e9;
  for (int round = 0; round < 9; ++round) best = std::min(best, seconds_of(times, call));
  return best;
}

// Measures the current speed of the core by independent additions. If other virtual machines share the core, this and
// every call below takes up to 2.6 times as long.
double six_additions() {
#ifdef __x86_64__
  unsigned long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  return 1e9 *
         best_of(200000,
                 [&] {
#define ADD "add $1, %0\n add $1, %1\n add $1, %2\n add $1, %3\n add $1, %4\n add $1, %5\n"
                   asm volatile(ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD
                                : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
#undef ADD
                 }) /
         10;
#else
  return 0;
#endif
}

void print_call(const char* name, const std::function<void()>& call) {
  std::printf("%-34s %8.0f ns\n", name, 1e9 * best_of(5000, call));
}

void calls() {
  Tensor a = randn({4, 4}), b = randn({4, 4}), row = randn({4}), loss = zeros({});
  std::printf("six additions on this core now %.2f ns\n\ntime per call on 4x4 elements\n", six_additions());
  print_call("add", [&] { add(a, b); });
  print_call("add, a row to each", [&] { add(a, row); });
  print_call("add, transposed", [&] { add(a, b.t()); });
  print_call("mul by a number", [&] { mul(a, 2.0); });
  print_call("relu", [&] { relu(a); });
  print_call("sum", [&] { sum(a); });
  print_call("sum over rows", [&] { sum(a, {0}); });
  print_call("matmul", [&] { matmul(a, b); });
  print_call("transpose (a view)", [&] { a.t(); });
  print_call("copy_", [&] { a.copy_(b); });
  a.requires_grad_();
  print_call("mul, recorded for gradients", [&] { mul(a, b); });
  std::printf("six additions on this core now %.2f ns\n", six_additions());
}

void print_work(const char* name, double elements, const std::function<void()>& call,
                const std::function<void()>& plain) {
  double own = 1e9, theirs = 1e9;
  for (int round = 0; round < 15; ++round) {
    own = std::min(own, seconds_of(3, call));
    if (plain) theirs = std::min(theirs, seconds_of(3, plain));
  }
  std::printf("%-34s %8.3f ns", name, 1e9 * own / elements);
  if (plain) std::printf(" %8.3f ns %6.2fx", 1e9 * theirs / elements, theirs / own);
  std::printf("\n");
}

void work() {
  constexpr int rows = 1024, columns = 1024, n = rows * columns;
  Tensor a = randn({rows, columns}), b = randn({rows, columns}), row = randn({columns}), column = randn({rows, 1}),
         out = zeros({rows, columns});
  Tensor half = a.to(DType::f16), whole = ones({rows, columns}, DType::i64);
  std::vector<float> x(n, 1.5f), y(n, 0.5f), z(n);
  auto keep = [&] { asm volatile("" ::"r"(z.data()) : "memory"); };
  std::printf("\ntime per element of 1024x1024     Reprise    a plain loop, one thread\n");
  print_work(
      "add", n, [&] { add(a, b); },
      [&] {
        for (int i = 0; i < n; ++i) z[i] = x[i] + y[i];
        keep();
      });
  print_work(
      "add, a row to each", n, [&] { add(a, row); },
      [&] {
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c) z[r * columns + c] = x[r * columns + c] + y[c];
        keep();
      });
  print_work("mul, each row by its number", n, [&] { mul(a, column); }, nullptr);
  print_work(
      "add, transposed", n, [&] { add(a, b.t()); },
      [&] {
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c) z[r * columns + c] = x[r * columns + c] + y[c * columns + r];
        keep();
      });
  print_work(
      "mul by a number", n, [&] { mul(a, 2.0); },
      [&] {
        for (int i = 0; i < n; ++i) z[i] = x[i] * 2;
        keep();
      });
  print_work("exp", n, [&] { exp(a); }, nullptr);
  print_work("tanh", n, [&] { tanh(a); }, nullptr);
  print_work("gelu", n, [&] { gelu(a); }, nullptr);
  print_work("add, f16", n, [&] { add(half, half); }, nullptr);
  print_work("add, i64", n, [&] { add(whole, whole); }, nullptr);
  print_work("f32 to f16", n, [&] { a.to(DType::f16); }, nullptr);
  print_work("less than", n, [&] { Tensor less = a < b; }, nullptr);
  print_work(
      "a transposed copy", n, [&] { a.t().contiguous(); },
      [&] {
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c) z[r * columns + c] = x[c * columns + r];
        keep();
      });
  print_work("randn", n, [&] { randn({rows, columns}); }, nullptr);
  print_work(
      "sum", n, [&] { sum(a); },
      [&] {
        float total = 0;
        for (float each : x) total += each;
        z[0] = total;
        keep();
      });
  print_work("sum of each row", n, [&] { sum(a, {1}); }, nullptr);
  print_work("sum of each column", n, [&] { sum(a, {0}); }, nullptr);
  print_work("argmax of each row", n, [&] { argmax(a, 1); }, nullptr);
  print_work("softmax of each row", n, [&] { softmax(a, 1); }, nullptr);
  print_work("dropout", n, [&] { dropout(a, 0.1); }, nullptr);
  print_work("less than, i64", n, [&] { Tensor less = whole < whole; }, nullptr);
  print_work("i64 to f32", n, [&] { whole.to(DType::f32); }, nullptr);
  Tensor heads = a.view({32, 32, 1024}).transpose(0, 1);
  print_work("relu, transposed", n, [&] { relu(a.t()); }, nullptr);
  print_work("relu, rows in another order", n, [&] { relu(heads); }, nullptr);
}

void steps() {
  Tensor parameter = randn({1024, 1024});
  parameter.requires_grad_();
  sum(mul(parameter, parameter)).backward();
  optim::SGD sgd({parameter}, 1e-5);
  optim::Adam adam({parameter}, 1e-5);
  const double n = static_cast<double>(parameter.numel());
  print_work("step of SGD", n, [&] { sgd.step(); }, nullptr);
  print_work("step of Adam", n, [&] { adam.step(); }, nullptr);
}

}  // namespace

// With an argument, measures only the calls, for a profiler.
int main(int arguments, char**) {
  calls();
  if (arguments > 1) return 0;
  work();
  steps();
}
