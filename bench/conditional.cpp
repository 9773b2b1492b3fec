// Cost of an iteration of a WHILE node, and of a solver that runs until it has converged: with a WHILE node, and with
// the host checking after every iteration. Prints tables; see RESULTS.md.
//
//   bench_conditional [seconds for each row]
#include <cmath>

#include "kernel_nodes.h"

namespace {

using namespace bench;

void count_down(const void* params, const reprise_launch*) {
  uint64_t* left = parameter<uint64_t*>(params, 8);
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), --*left != 0);
}

// x' = D^-1 (b - R x) for a matrix with 2 on the diagonal and smaller elements elsewhere, in blocks of rows.
struct Solver {
  int size;
  std::vector<double> matrix, right, x, next;
  double residual = 0;
  uint64_t iterations = 0;

  explicit Solver(int n) : size(n), matrix(static_cast<size_t>(n) * n), right(n, 1.0), x(n), next(n) {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) matrix[static_cast<size_t>(i) * n + k] = i == k ? 2.0 : 0.9 / n;
    }
  }
  void reset() {
    std::fill(x.begin(), x.end(), 0.0);
    iterations = 0;
  }
};
void jacobi_step(const void* params, const reprise_launch* launch) {
  Solver& s = *parameter<Solver*>(params, 0);
  const int rows = s.size / static_cast<int>(launch->grid[0]);
  for (int i = static_cast<int>(launch->block_begin) * rows; i < static_cast<int>(launch->block_end) * rows; ++i) {
    const double* row = s.matrix.data() + static_cast<size_t>(i) * s.size;
    double sum = 0;
    for (int k = 0; k < s.size; ++k) sum += row[k] * s.x[k];
    s.next[i] = s.x[i] + (s.right[i] - sum) / row[i];
  }
}
void jacobi_end(const void* params, const reprise_launch*) {
  Solver& s = *parameter<Solver*>(params, 0);
  s.residual = 0;
  for (int i = 0; i < s.size; ++i) s.residual = std::max(s.residual, std::fabs(s.next[i] - s.x[i]));
  std::swap(s.x, s.next);
  ++s.iterations;
  if (const uint64_t condition = parameter<uint64_t>(params, 8)) {
    __reprise_graph_set_conditional(condition, s.residual > 1e-12);
  }
}

constexpr reprise_kernel kernels[] = {kernel_of_words("store", store, 3), kernel_of_words("count_down", count_down, 2),
                                      kernel_of_words("jacobi_step", jacobi_step, 1),
                                      kernel_of_words("jacobi_end", jacobi_end, 2)};
char store_stub, count_down_stub, jacobi_step_stub, jacobi_end_stub;
const void* const stubs[] = {&store_stub, &count_down_stub, &jacobi_step_stub, &jacobi_end_stub};
reprise_runtime::test::Registered module("bench_conditional", kernels, 4, stubs);

uint64_t* cells = nullptr;  // [0]: the counter of count_down, [8]: the target of store, on a cache line of its own

// Instantiates a graph of one WHILE node, whose body `fill` fills.
cudaGraphExec_t while_loop(const std::function<void(cudaGraph_t body, uint64_t condition)>& fill) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle condition = 0;
  MUST(cudaGraphConditionalHandleCreate(&condition, graph, 1, cudaGraphCondAssignDefault));
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = condition;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params));
  fill(params.conditional.phGraph_out[0], condition);
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaGraphDestroy(graph));
  return exec;
}

cudaGraphExec_t chain_of_stores(int nodes) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  std::vector<cudaGraphNode_t> last;
  for (int i = 0; i < nodes; ++i) last = {add(graph, last, Arguments(&store_stub, address(cells + 8), 1, 1))};
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  MUST(cudaGraphDestroy(graph));
  return exec;
}

void measure_iterations(cudaStream_t stream) {
  constexpr uint64_t count = 5'000;
  constexpr int nodes = 1000, replays = 50;
  auto run = [&](cudaGraphExec_t exec) {
    cells[0] = count;
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  };
  auto with_stores = [](int stores) {
    return while_loop([stores](cudaGraph_t body, uint64_t condition) {
      std::vector<cudaGraphNode_t> last;
      for (int i = 0; i < stores; ++i) last = {add(body, last, Arguments(&store_stub, address(cells + 8), 1, 1))};
      add(body, last, Arguments(&count_down_stub, condition, address(cells)));
    });
  };
  cudaGraphExec_t one = with_stores(0), eleven = with_stores(10), replayed = chain_of_stores(nodes);
  const std::vector<Row> rows = measure({[&] { run(one); }, [&] { run(eleven); },
                                         [&] {
                                           for (int i = 0; i < replays; ++i) run(replayed);
                                         }});
  const char* const names[] = {"a kernel that counts and decides", "with ten small kernels before it",
                               "a small kernel in a plain replay"};
  const double counts[] = {count, count, nodes * replays};
  std::printf("\nWHILE node, 5000 iterations: ns per iteration, best (median)\n");
  for (size_t i = 0; i < rows.size(); ++i)
    std::printf("%-34s%12.1f (%6.1f)\n", names[i], rows[i].best / counts[i], rows[i].median / counts[i]);
  for (cudaGraphExec_t exec : {one, eleven, replayed}) MUST(cudaGraphExecDestroy(exec));
}

void measure_solver(cudaStream_t stream, int size) {
  Solver s(size);
  const unsigned blocks = size >= 256 ? 8 : 1;
  const auto add_iteration = [&](cudaGraph_t graph, uint64_t condition) {
    const cudaGraphNode_t step = add(graph, {}, Arguments(&jacobi_step_stub, address(&s), 0, 0, blocks));
    add(graph, {step}, Arguments(&jacobi_end_stub, address(&s), condition));
  };
  cudaGraphExec_t on_device = while_loop(add_iteration);
  cudaGraph_t iteration = nullptr;
  MUST(cudaGraphCreate(&iteration, 0));
  add_iteration(iteration, 0);
  cudaGraphExec_t one_iteration = nullptr;
  MUST(cudaGraphInstantiate(&one_iteration, iteration, 0));
  uint64_t device_iterations = 0, host_iterations = 0;
  const auto solve_with_while = [&] {
    s.reset();
    MUST(cudaGraphLaunch(on_device, stream));
    MUST(cudaStreamSynchronize(stream));
    device_iterations = s.iterations;
  };
  const auto solve_with_host = [&] {
    s.reset();
    do {
      MUST(cudaGraphLaunch(one_iteration, stream));
      MUST(cudaStreamSynchronize(stream));
    } while (s.residual > 1e-12);
    host_iterations = s.iterations;
  };
  const std::vector<Row> rows = measure({solve_with_while, solve_with_host});
  std::printf("%5d unknowns, %3llu it.%c", size, static_cast<unsigned long long>(device_iterations),
              device_iterations == host_iterations ? ' ' : '!');
  for (const Row& row : rows) std::printf("%13.1f (%6.1f)", row.best / 1000, row.median / 1000);
  std::printf("\n");
  MUST(cudaGraphExecDestroy(on_device));
  MUST(cudaGraphExecDestroy(one_iteration));
  MUST(cudaGraphDestroy(iteration));
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds_for_a_row = std::atof(arguments[1]);
  MUST(cudaMallocHost(reinterpret_cast<void**>(&cells), 16 * sizeof(uint64_t)));
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  measure_iterations(stream);
  std::printf("\nJacobi to convergence: us, best (median)\n%-24s%22s%22s\n", "", "WHILE node", "host checks each time");
  for (int size : {16, 64, 256}) measure_solver(stream, size);
  MUST(cudaStreamDestroy(stream));
  MUST(cudaFreeHost(cells));
}
