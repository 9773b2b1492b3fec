// What changing an executable graph costs: the whole, one node, one node's state; beside instantiating anew. What a
// round of a WHILE node costs; and a solver that runs until it has converged, with a WHILE node and with the host
// asking after every iteration. What it costs to launch a graph from a kernel, and to change a node. Prints tables; see
// RESULTS.md.
//
//   bench_update [seconds for each row]
#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "../tests/hand_made_kernels.h"

namespace {

using Clock = std::chrono::steady_clock;
using reprise_runtime::test::parameter;

double seconds_for_a_row = 0.3;

void must(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}
#define MUST(call) must(call, #call)

// ---- kernels
// ---------------------------------------------------------------------------------------------------------

void store(const void* params, const reprise_launch*) {
  *parameter<uint64_t*>(params, 0) = parameter<uint64_t>(params, 8) + parameter<uint64_t>(params, 16);
}
void count_down(const void* params, const reprise_launch*) {
  uint64_t* left = parameter<uint64_t*>(params, 8);
  __reprise_graph_set_conditional(parameter<uint64_t>(params, 0), --*left != 0);
}
// A graph's own tail as long as the count says.
void again(const void* params, const reprise_launch* launch) {
  uint64_t* left = parameter<uint64_t*>(params, 0);
  if (--*left == 0) return;
  (void)__reprise_graph_launch(launch, __reprise_current_graph(launch), uint64_t{1} << 56);
}
// Graphs of a list, each in the way of the second argument.
void launch_list(const void* params, const reprise_launch* launch) {
  const auto& list = *parameter<const std::vector<cudaGraphExec_t>*>(params, 0);
  for (cudaGraphExec_t each : list) {
    (void)__reprise_graph_launch(launch, reinterpret_cast<uint64_t>(each), parameter<uint64_t>(params, 8));
  }
}
void change_node(const void* params, const reprise_launch*) {
  for (uint64_t i = 0; i < 1000; ++i)
    (void)__reprise_graph_node_set_parameter(parameter<uint64_t>(params, 0), 8, &i, 8);
}

// x' = D^-1 (b - R x) for a matrix that is 2 on the diagonal and less beside it, in blocks of rows.
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

constexpr reprise_param three_words[] = {{0, 8}, {8, 8}, {16, 8}};
constexpr reprise_kernel kernels[] = {{"store", store, three_words, 3, 24, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"count_down", count_down, three_words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"jacobi_step", jacobi_step, three_words, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"jacobi_end", jacobi_end, three_words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"again", again, three_words, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"launch_list", launch_list, three_words, 2, 16, 0, 0, 0, 0, 0, 0, 0, 0, {}},
                                      {"change_node", change_node, three_words, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0, {}}};
char stubs[7];
const void* const stub_pointers[] = {&stubs[0], &stubs[1], &stubs[2], &stubs[3], &stubs[4], &stubs[5], &stubs[6]};
reprise_runtime::test::Registered module("bench_update", kernels, 7, stub_pointers);

struct Arguments {
  uint64_t words[3];
  void* pointers[3] = {&words[0], &words[1], &words[2]};
  cudaKernelNodeParams params = {};

  Arguments(int kernel, uint64_t a, uint64_t b = 0, uint64_t c = 0, unsigned blocks = 1) : words{a, b, c} {
    params.func = &stubs[kernel];
    params.gridDim = dim3(blocks);
    params.blockDim = dim3(1);
    params.kernelParams = pointers;
  }
  Arguments(const Arguments&) = delete;
};

cudaGraphNode_t add(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, const Arguments& arguments) {
  cudaGraphNode_t node = nullptr;
  MUST(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(), &arguments.params));
  return node;
}

uint64_t address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

// ---- measuring
// -------------------------------------------------------------------------------------------------------

double since_ns(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

struct Row {
  double best = 1e300, median = 0;
};

Row row_of(std::vector<double>& ns) {
  std::sort(ns.begin(), ns.end());
  return {ns.front(), ns[ns.size() / 2]};
}

// The alternatives take turns.
std::vector<Row> measure(const std::vector<std::function<void()>>& alternatives) {
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

uint64_t* cells = nullptr;

// A kernel, a set, a copy or a host function.
cudaGraphNode_t add_mixed(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, int i, uint64_t value) {
  cudaGraphNode_t node = nullptr;
  cudaMemsetParams set = {cells + i, 0, static_cast<unsigned>(value), 4, 2, 1};
  cudaHostNodeParams host = {[](void*) {}, cells + i + value};
  switch (i % 4) {
    case 0:
      return add(graph, after, Arguments(0, address(cells + i), value, 1));
    case 1:
      MUST(cudaGraphAddMemsetNode(&node, graph, after.data(), after.size(), &set));
      break;
    case 2:
      MUST(cudaGraphAddMemcpyNode1D(&node, graph, after.data(), after.size(), cells + i, cells + i + value, 8,
                                    cudaMemcpyDefault));
      break;
    default:
      MUST(cudaGraphAddHostNode(&node, graph, after.data(), after.size(), &host));
  }
  return node;
}

// A chain that is built from its end.
void add_backwards(cudaGraph_t graph, int nodes, uint64_t value) {
  std::vector<cudaGraphNode_t> all(static_cast<size_t>(nodes));
  for (int place = nodes; place-- > 0;) {
    all[static_cast<size_t>(place)] = add(graph, {}, Arguments(0, address(cells + place), value, 1));
  }
  if (nodes > 1)
    MUST(cudaGraphAddDependencies(graph, all.data(), all.data() + 1, nullptr, static_cast<size_t>(nodes) - 1));
}

cudaGraph_t make(const char* shape, int nodes, uint64_t value) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  std::vector<cudaGraphNode_t> all;
  const unsigned blocks = shape[0] == 'o' && value % 2 ? 1000 : 1;
  if (shape[0] == 'b') {
    add_backwards(graph, nodes, value);
    return graph;
  }
  if (shape[0] == 'i') {  // in child graphs
    for (int i = 0; i < nodes; i += 10) {
      cudaGraph_t inner = make("chain", 10, value);
      cudaGraphNode_t node = nullptr;
      MUST(cudaGraphAddChildGraphNode(&node, graph, all.data(), all.size(), inner));
      MUST(cudaGraphDestroy(inner));
      all = {node};
    }
    return graph;
  }
  if (shape[0] == 'm') {
    for (int i = 0; i < nodes; ++i) all = {add_mixed(graph, all, i, value)};
    return graph;
  }
  for (int i = 0; i < nodes; ++i) {
    std::vector<cudaGraphNode_t> after;
    if ((shape[0] == 'c' || shape[0] == 'o') && i > 0) after = {all.back()};
    if (shape[0] == 'f' && i > 0 && i + 1 < nodes) after = {all[0]};
    if (shape[0] == 'f' && i > 0 && i + 1 == nodes) after.assign(all.begin() + 1, all.end());
    if (shape[0] == 't' && i > 0) after = {all[(i - 1) / 2]};
    all.push_back(add(graph, after, Arguments(0, address(cells + i), value, 1, blocks)));
  }
  return graph;
}

void whole() {
  std::printf("\nwhole graph of kernels with three arguments: ns per node, best (median)\n%-24s%22s%22s\n", "",
              "update", "instantiate anew");
  // Then: kernels, sets, copies and host functions; chains of ten kernels in child graphs; chains built from
  // their end, for what was instantiated from one built from its start; chains whose kernels get another grid.
  for (const char* shape : {"chain", "fork and join", "tree", "mixed", "in children", "backwards", "other grids"}) {
    for (int nodes : {10, 100, 1000, 10'000}) {
      cudaGraph_t graphs[2] = {make(shape, nodes, 1), make(shape, nodes, 2)};
      cudaGraph_t first = make(shape[0] == 'b' ? "chain" : shape, nodes, 0);
      cudaGraphExec_t exec = nullptr;
      MUST(cudaGraphInstantiate(&exec, first, 0));
      MUST(cudaGraphDestroy(first));
      int turn = 0;
      const std::vector<Row> rows = measure({[&] { MUST(cudaGraphExecUpdate(exec, graphs[++turn % 2], nullptr)); },
                                             [&] {
                                               cudaGraphExec_t anew = nullptr;
                                               MUST(cudaGraphInstantiate(&anew, graphs[turn % 2], 0));
                                               MUST(cudaGraphExecDestroy(anew));
                                             }});
      std::printf("%-15s%9d", shape, nodes);
      for (const Row& row : rows) std::printf("%12.1f (%6.1f)", row.best / nodes, row.median / nodes);
      std::printf("\n");
      MUST(cudaGraphExecDestroy(exec));
      for (cudaGraph_t graph : graphs) MUST(cudaGraphDestroy(graph));
    }
  }
}

// What holds up a stream.
class Gate {
 public:
  Gate() { MUST(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~Gate() { MUST(cudaStreamDestroy(stream_)); }
  Gate(const Gate&) = delete;

  cudaStream_t stream() const { return stream_; }
  void close() {
    open_ = false;
    MUST(cudaLaunchHostFunc(stream_, [](void* open) { static_cast<std::atomic<bool>*>(open)->wait(false); }, &open_));
  }
  // And waits for all that was behind it.
  void open() {
    open_ = true;
    open_.notify_all();
    MUST(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  std::atomic<bool> open_{true};
};

// Updates that a launch in the queue keeps from being made at once.
void in_flight() {
  std::printf("\nthe same while a launch waits in its queue\n");
  Gate gate;
  for (const char* shape : {"chain", "mixed", "in children", "backwards", "other grids"}) {
    for (int nodes : {10, 100, 1000, 10'000}) {
      cudaGraph_t graphs[2] = {make(shape, nodes, 1), make(shape, nodes, 2)};
      cudaGraphExec_t exec = nullptr;
      MUST(cudaGraphInstantiate(&exec, graphs[0], 0));
      std::vector<double> ns;
      const auto begin = Clock::now();
      do {
        gate.close();
        MUST(cudaGraphLaunch(exec, gate.stream()));
        const auto start = Clock::now();
        MUST(cudaGraphExecUpdate(exec, graphs[ns.size() % 2], nullptr));
        ns.push_back(since_ns(start));
        MUST(cudaGraphLaunch(exec, gate.stream()));
        gate.open();
      } while (since_ns(begin) < 1e9 * seconds_for_a_row || ns.size() < 5);
      const Row row = row_of(ns);
      std::printf("%-15s%9d%12.1f (%6.1f)\n", shape, nodes, row.best / nodes, row.median / nodes);
      MUST(cudaGraphExecDestroy(exec));
      for (cudaGraph_t graph : graphs) MUST(cudaGraphDestroy(graph));
    }
  }
}

// Ways to change nodes of mixed(1000), each of which is for every fourth.
struct OneNode {
  const char* name;
  int first;
  std::function<void(int)> change;
};

std::vector<OneNode> ways_to_change(cudaGraphExec_t exec, const std::vector<cudaGraphNode_t>& nodes) {
  auto node = [&nodes](int i) { return nodes[static_cast<size_t>(i)]; };
  static uint64_t value = 0;
  static Arguments arguments(0, address(cells), 0, 1);
  return {{"kernel, three arguments", 0,
           [=](int i) {
             arguments.words[1] = ++value;
             MUST(cudaGraphExecKernelNodeSetParams(exec, node(i), &arguments.params));
           }},
          {"memcpy", 2,
           [=](int i) {
             MUST(cudaGraphExecMemcpyNodeSetParams1D(exec, node(i), cells + i, cells + i + ++value % 8, 8,
                                                     cudaMemcpyDefault));
           }},
          {"memset", 1,
           [=](int i) {
             const cudaMemsetParams set = {cells + i, 0, static_cast<unsigned>(++value), 4, 2, 1};
             MUST(cudaGraphExecMemsetNodeSetParams(exec, node(i), &set));
           }},
          {"host function", 3,
           [=](int i) {
             const cudaHostNodeParams host = {[](void*) {}, cells + ++value % 8};
             MUST(cudaGraphExecHostNodeSetParams(exec, node(i), &host));
           }},
          {"enable, disable", 0, [=](int i) { MUST(cudaGraphNodeSetEnabled(exec, node(i), ++value / 250 % 2)); }}};
}

void one_node() {
  constexpr int count = 1000, changed = count / 4;
  cudaGraph_t graph = make("mixed", count, 1);
  size_t size = count;
  std::vector<cudaGraphNode_t> nodes(size);
  MUST(cudaGraphGetNodes(graph, nodes.data(), &size));
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, 0));
  const std::vector<OneNode> ways = ways_to_change(exec, nodes);
  auto change_each = [](const OneNode& way) {
    for (int i = way.first; i < count; i += 4) way.change(i);
  };
  std::vector<std::function<void()>> alternatives;
  for (const OneNode& way : ways) alternatives.push_back([&] { change_each(way); });
  const std::vector<Row> idle = measure(alternatives);

  Gate gate;
  std::vector<std::vector<double>> ns(ways.size());
  const auto begin = Clock::now();
  do {
    gate.close();
    MUST(cudaGraphLaunch(exec, gate.stream()));
    for (size_t i = 0; i < ways.size(); ++i) {
      const auto start = Clock::now();
      change_each(ways[i]);
      ns[i].push_back(since_ns(start));
    }
    MUST(cudaGraphLaunch(exec, gate.stream()));
    gate.open();
  } while (since_ns(begin) < 1e9 * seconds_for_a_row * static_cast<double>(ways.size()));

  std::printf("\none node of a thousand, another each time: ns, best (median)\n%-24s%20s%22s\n", "", "",
              "a launch waits");
  for (size_t i = 0; i < ways.size(); ++i) {
    const Row queued = row_of(ns[i]);
    std::printf("%-24s%12.1f (%6.1f)%13.1f (%6.1f)\n", ways[i].name, idle[i].best / changed, idle[i].median / changed,
                queued.best / changed, queued.median / changed);
  }
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
}

// A WHILE whose body is filled by `fill(body, condition)`, after a node that `start` makes.
cudaGraphExec_t loop(const std::function<void(cudaGraph_t, uint64_t)>& fill) {
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

void rounds() {
  constexpr uint64_t count = 5'000;
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraph_t chain = make("chain", 1000, 1);
  cudaGraphExec_t replayed = nullptr;
  MUST(cudaGraphInstantiate(&replayed, chain, 0));
  auto run = [&](cudaGraphExec_t exec) {
    cells[0] = count;
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  };
  auto body = [](int more) {
    return loop([more](cudaGraph_t graph, uint64_t condition) {
      std::vector<cudaGraphNode_t> last;
      for (int i = 0; i < more; ++i) last = {add(graph, last, Arguments(0, address(cells + 8), 1, 1))};
      add(graph, last, Arguments(1, condition, address(cells)));
    });
  };
  cudaGraphExec_t one = body(0), eleven = body(10);
  const std::vector<Row> rows = measure({[&] { run(one); }, [&] { run(eleven); },
                                         [&] {
                                           for (int i = 0; i < 50; ++i) run(replayed);
                                         }});
  std::printf("\nWHILE, 5000 rounds: ns a round, best (median)\n");
  std::printf("%-34s%12.1f (%6.1f)\n", "a kernel that counts and decides", rows[0].best / count,
              rows[0].median / count);
  std::printf("%-34s%12.1f (%6.1f)\n", "with ten small kernels before it", rows[1].best / count,
              rows[1].median / count);
  std::printf("%-34s%12.1f (%6.1f)\n", "such a kernel in a plain replay", rows[2].best / 50'000,
              rows[2].median / 50'000);
  for (cudaGraphExec_t exec : {one, eleven, replayed}) MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(chain));
  MUST(cudaStreamDestroy(stream));
}

void solver() {
  std::printf("\nJacobi to convergence: us, best (median)\n%-24s%22s%22s\n", "", "WHILE node", "host asks each time");
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (int size : {16, 64, 256}) {
    Solver s(size);
    const unsigned blocks = size >= 256 ? 8 : 1;
    cudaGraphExec_t on_device = loop([&](cudaGraph_t graph, uint64_t condition) {
      add(graph, {add(graph, {}, Arguments(2, address(&s), 0, 0, blocks))}, Arguments(3, address(&s), condition));
    });
    cudaGraph_t step = nullptr;
    MUST(cudaGraphCreate(&step, 0));
    add(step, {add(step, {}, Arguments(2, address(&s), 0, 0, blocks))}, Arguments(3, address(&s), 0));
    cudaGraphExec_t one_step = nullptr;
    MUST(cudaGraphInstantiate(&one_step, step, 0));
    uint64_t device_iterations = 0, host_iterations = 0;
    const std::vector<Row> rows = measure({[&] {
                                             s.reset();
                                             MUST(cudaGraphLaunch(on_device, stream));
                                             MUST(cudaStreamSynchronize(stream));
                                             device_iterations = s.iterations;
                                           },
                                           [&] {
                                             s.reset();
                                             do {
                                               MUST(cudaGraphLaunch(one_step, stream));
                                               MUST(cudaStreamSynchronize(stream));
                                             } while (s.residual > 1e-12);
                                             host_iterations = s.iterations;
                                           }});
    std::printf("%5d unknowns, %3llu it.%c", size, static_cast<unsigned long long>(device_iterations),
                device_iterations == host_iterations ? ' ' : '!');
    for (const Row& row : rows) std::printf("%13.1f (%6.1f)", row.best / 1000, row.median / 1000);
    std::printf("\n");
    MUST(cudaGraphExecDestroy(on_device));
    MUST(cudaGraphExecDestroy(one_step));
    MUST(cudaGraphDestroy(step));
  }
  MUST(cudaStreamDestroy(stream));
}

cudaGraphExec_t one_kernel(const Arguments& arguments, unsigned long long flags, cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  add(graph, {}, arguments);
  cudaGraphExec_t exec = nullptr;
  MUST(cudaGraphInstantiate(&exec, graph, flags));
  MUST(cudaGraphUpload(exec, stream));
  MUST(cudaGraphDestroy(graph));
  return exec;
}

void from_kernels() {
  constexpr uint64_t loops = 5'000;
  constexpr int graphs = 100;
  cudaStream_t stream = nullptr;
  MUST(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaGraphExec_t loop = one_kernel(Arguments(4, address(cells)), cudaGraphInstantiateFlagDeviceLaunch, stream);
  std::vector<cudaGraphExec_t> list;
  for (int i = 0; i < graphs; ++i) {
    list.push_back(one_kernel(Arguments(0, address(cells + 8), 1, 1), cudaGraphInstantiateFlagDeviceLaunch, stream));
  }
  cudaGraphExec_t tails = one_kernel(Arguments(5, address(&list), uint64_t{1} << 56), 0, stream);
  cudaGraphExec_t forgotten = one_kernel(Arguments(5, address(&list), uint64_t{2} << 56), 0, stream);

  cudaGraph_t with_node = nullptr;
  MUST(cudaGraphCreate(&with_node, 0));
  cudaGraphNode_t node = add(with_node, {}, Arguments(0, address(cells + 8), 1, 1));
  cudaLaunchAttributeValue updatable = {};
  updatable.deviceUpdatableKernelNode.deviceUpdatable = 1;
  MUST(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable));
  cudaGraphExec_t changed = nullptr;
  MUST(cudaGraphInstantiate(&changed, with_node, 0));
  cudaGraphExec_t changer = one_kernel(Arguments(6, address(updatable.deviceUpdatableKernelNode.devNode)), 0, stream);

  auto run = [&](cudaGraphExec_t exec) {
    MUST(cudaGraphLaunch(exec, stream));
    MUST(cudaStreamSynchronize(stream));
  };
  const std::vector<Row> rows = measure({[&] {
                                           cells[0] = loops;
                                           run(loop);
                                         },
                                         [&] { run(tails); }, [&] { run(forgotten); },
                                         [&] {
                                           for (cudaGraphExec_t each : list) run(each);
                                         },
                                         [&] { run(changer); }});
  const char* const names[] = {"a graph that is its own tail", "tails, a hundred graphs", "fire and forget, a hundred",
                               "the same, launched by the host", "a parameter of a node"};
  const double counts[] = {loops, graphs, graphs, graphs, 1000};
  std::printf("\nfrom kernels, graphs of one kernel: ns each, best (median)\n");
  for (size_t i = 0; i < rows.size(); ++i) {
    std::printf("%-34s%12.1f (%6.1f)\n", names[i], rows[i].best / counts[i], rows[i].median / counts[i]);
  }
  list.insert(list.end(), {loop, tails, forgotten, changed, changer});
  for (cudaGraphExec_t exec : list) MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(with_node));
  MUST(cudaStreamDestroy(stream));
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds_for_a_row = std::atof(arguments[1]);
  MUST(cudaMallocHost(reinterpret_cast<void**>(&cells), 10'100 * sizeof(uint64_t)));
  whole();
  in_flight();
  one_node();
  rounds();
  solver();
  from_kernels();
  MUST(cudaFreeHost(cells));
}
