// Cost of updating an executable graph: as a whole, one node, one node's enabled state; beside instantiating it anew.
// Prints tables; see RESULTS.md.
//
//   bench_update [seconds for each row]
#include <atomic>

#include "kernel_nodes.h"

namespace {

using namespace bench;

constexpr reprise_kernel kernels[] = {kernel_of_words("store", store, 3)};
char store_stub;
const void* const stubs[] = {&store_stub};
reprise_runtime::test::Registered module("bench_update", kernels, 1, stubs);

uint64_t* cells = nullptr;

enum class Shape { chain, fork_join, tree, mixed, child_graphs, reversed_chain, other_grids };

const char* name_of(Shape shape) {
  switch (shape) {
    case Shape::chain:
      return "chain";
    case Shape::fork_join:
      return "fork and join";
    case Shape::tree:
      return "tree";
    case Shape::mixed:
      return "mixed";
    case Shape::child_graphs:
      return "child graphs";
    case Shape::reversed_chain:
      return "reversed chain";
    case Shape::other_grids:
      return "other grids";
  }
  return "";
}

// Adds a kernel, a set, a copy or a host function, depending on i % 4.
cudaGraphNode_t add_mixed(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after, int i, uint64_t value) {
  cudaGraphNode_t node = nullptr;
  cudaMemsetParams set = {cells + i, 0, static_cast<unsigned>(value), 4, 2, 1};
  cudaHostNodeParams host = {[](void*) {}, cells + i + value};
  switch (i % 4) {
    case 0:
      return add(graph, after, Arguments(&store_stub, address(cells + i), value, 1));
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

void add_reversed_chain(cudaGraph_t graph, int nodes, uint64_t value) {
  std::vector<cudaGraphNode_t> all(static_cast<size_t>(nodes));
  for (int place = nodes; place-- > 0;) {
    all[static_cast<size_t>(place)] = add(graph, {}, Arguments(&store_stub, address(cells + place), value, 1));
  }
  if (nodes > 1)
    MUST(cudaGraphAddDependencies(graph, all.data(), all.data() + 1, nullptr, static_cast<size_t>(nodes) - 1));
}

// A chain of child graphs of ten kernels.
void add_child_graphs(cudaGraph_t graph, int nodes, uint64_t value);

// Makes a graph of kernels with three arguments. mixed: kernels, sets, copies and host functions in a chain;
// reversed_chain: created from its end; other_grids: a chain whose kernels have another grid for each parity of
// `value`.
cudaGraph_t make(Shape shape, int nodes, uint64_t value) {
  cudaGraph_t graph = nullptr;
  MUST(cudaGraphCreate(&graph, 0));
  if (shape == Shape::reversed_chain) return add_reversed_chain(graph, nodes, value), graph;
  if (shape == Shape::child_graphs) return add_child_graphs(graph, nodes, value), graph;
  const unsigned blocks = shape == Shape::other_grids && value % 2 ? 1000 : 1;
  std::vector<cudaGraphNode_t> all;
  for (int i = 0; i < nodes; ++i) {
    std::vector<cudaGraphNode_t> after;
    if (i > 0) {
      if (shape == Shape::fork_join)
        i + 1 < nodes ? after.assign(1, all[0]) : after.assign(all.begin() + 1, all.end());
      else
        after = {shape == Shape::tree ? all[(i - 1) / 2] : all.back()};
    }
    all.push_back(shape == Shape::mixed
                      ? add_mixed(graph, after, i, value)
                      : add(graph, after, Arguments(&store_stub, address(cells + i), value, 1, blocks)));
  }
  return graph;
}

void add_child_graphs(cudaGraph_t graph, int nodes, uint64_t value) {
  std::vector<cudaGraphNode_t> last;
  for (int i = 0; i < nodes; i += 10) {
    cudaGraph_t child = make(Shape::chain, 10, value);
    cudaGraphNode_t node = nullptr;
    MUST(cudaGraphAddChildGraphNode(&node, graph, last.data(), last.size(), child));
    MUST(cudaGraphDestroy(child));
    last = {node};
  }
}

void measure_whole_graphs() {
  std::printf("\nwhole graph of kernels with three arguments: ns per node, best (median)\n%-24s%22s%22s\n", "",
              "update", "instantiate anew");
  for (const Shape shape : {Shape::chain, Shape::fork_join, Shape::tree, Shape::mixed, Shape::child_graphs,
                            Shape::reversed_chain, Shape::other_grids}) {
    for (int nodes : {10, 100, 1000, 10'000}) {
      cudaGraph_t graphs[2] = {make(shape, nodes, 1), make(shape, nodes, 2)};
      // The executable graph of a reversed chain comes from a chain in the usual order.
      cudaGraph_t first = make(shape == Shape::reversed_chain ? Shape::chain : shape, nodes, 0);
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
      std::printf("%-15s%9d", name_of(shape), nodes);
      for (const Row& row : rows) std::printf("%12.1f (%6.1f)", row.best / nodes, row.median / nodes);
      std::printf("\n");
      MUST(cudaGraphExecDestroy(exec));
      for (cudaGraph_t graph : graphs) MUST(cudaGraphDestroy(graph));
    }
  }
}

// Blocks a stream while closed.
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
  // Also waits for the work that was queued behind the gate.
  void open() {
    open_ = true;
    open_.notify_all();
    MUST(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  std::atomic<bool> open_{true};
};

// Updates while a launch is queued, which take effect at the next launch.
void measure_whole_graphs_in_flight() {
  std::printf("\nthe same while a launch is queued\n");
  Gate gate;
  for (const Shape shape :
       {Shape::chain, Shape::mixed, Shape::child_graphs, Shape::reversed_chain, Shape::other_grids}) {
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
      std::printf("%-15s%9d%12.1f (%6.1f)\n", name_of(shape), nodes, row.best / nodes, row.median / nodes);
      MUST(cudaGraphExecDestroy(exec));
      for (cudaGraph_t graph : graphs) MUST(cudaGraphDestroy(graph));
    }
  }
}

// A change of one node of a mixed graph. It applies to every fourth node, starting at `first`.
struct OneNode {
  const char* name;
  int first;
  std::function<void(int)> change;
};

std::vector<OneNode> ways_to_change(cudaGraphExec_t exec, const std::vector<cudaGraphNode_t>& nodes) {
  auto node = [&nodes](int i) { return nodes[static_cast<size_t>(i)]; };
  static uint64_t value = 0;
  static Arguments arguments(&store_stub, address(cells), 0, 1);
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

void measure_single_nodes() {
  constexpr int count = 1000, changed = count / 4;
  cudaGraph_t graph = make(Shape::mixed, count, 1);
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

  std::printf("\none node of a thousand, a different one each time: ns, best (median)\n%-24s%20s%22s\n", "", "idle",
              "a launch is queued");
  for (size_t i = 0; i < ways.size(); ++i) {
    const Row queued = row_of(ns[i]);
    std::printf("%-24s%12.1f (%6.1f)%13.1f (%6.1f)\n", ways[i].name, idle[i].best / changed, idle[i].median / changed,
                queued.best / changed, queued.median / changed);
  }
  MUST(cudaGraphExecDestroy(exec));
  MUST(cudaGraphDestroy(graph));
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds_for_a_row = std::atof(arguments[1]);
  MUST(cudaMallocHost(reinterpret_cast<void**>(&cells), 10'100 * sizeof(uint64_t)));
  measure_whole_graphs();
  measure_whole_graphs_in_flight();
  measure_single_nodes();
  MUST(cudaFreeHost(cells));
}
