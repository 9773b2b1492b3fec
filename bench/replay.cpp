// Cost of replaying graphs: empty nodes in several shapes, one node, nodes of a microsecond on all cores, the same
// beside a busy core; and of defining and instantiating them. Peers run in turns. Prints tables; see RESULTS.md.
//
//   bench_replay [seconds for each row [substring of the shapes to run [the only peer beside the array]]]
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <thread>

#include "replay_runner.h"

namespace {

using namespace bench;

double seconds_for_a_row = 0.3;
const char* only = "";
const char* only_peer = "";
bool wanted(const Shape& shape) { return shape.name.find(only) != std::string::npos; }

std::vector<std::unique_ptr<Runner>> wanted_runners(const Shape& shape, double node_ns) {
  auto all = runners(shape, node_ns);
  std::erase_if(all, [](auto& runner) {
    const std::string name = runner->name();
    return name != "array" && name.find(only_peer) == std::string::npos;
  });
  return all;
}

struct Times {
  std::vector<double> ns;  // of one replay

  double best() const { return *std::min_element(ns.begin(), ns.end()); }
  double median() {
    std::nth_element(ns.begin(), ns.begin() + static_cast<long>(ns.size() / 2), ns.end());
    return ns[ns.size() / 2];
  }
};

// Times the runners in turns. In each turn a runner warms up and is then timed in pieces. The warm-up is long enough
// for the threads of the runner before to fall asleep.
std::vector<Times> measure(std::vector<std::unique_ptr<Runner>>& all) {
  constexpr double settle_ns = 2e6, turn_ns = 6e6, piece_ns = 1e5;
  std::vector<Times> times(all.size());
  const auto begin = Clock::now();
  do {
    for (size_t i = 0; i < all.size(); ++i) {
      const auto start = Clock::now();
      int replays = 0;
      do {
        all[i]->replay(1);
        ++replays;
      } while (since_ns(start) < settle_ns);
      const int piece = std::clamp(static_cast<int>(replays * piece_ns / since_ns(start)), 1, 1000);
      while (since_ns(start) < turn_ns) {
        times[i].ns.push_back(all[i]->timed_ns(piece) / piece);
      }
    }
  } while (since_ns(begin) < 1e9 * seconds_for_a_row);
  return times;
}

void print_header(const char* title, const std::vector<std::unique_ptr<Runner>>& all) {
  std::printf("\n%s\n%-24s", title, "");
  for (auto& runner : all) std::printf("%20s", runner->name());
  std::printf("\n");
}

void empty_nodes(const char* title) {
  const Shape shapes[] = {chain(1),      chain(10),      chain(100),      chain(1000),      chain(10000), fork_join(8),
                          fork_join(64), fork_join(998), layered(50, 20), two_chains(1000), tree(1000)};
  bool first = true;
  for (const Shape& shape : shapes) {
    if (!wanted(shape)) continue;
    auto all = wanted_runners(shape, 0);
    if (first) print_header(title, all);
    first = false;
    std::vector<Times> times = measure(all);
    std::printf("%-24s", shape.name.c_str());
    for (Times& each : times) std::printf("%11.1f (%6.1f)", each.best() / shape.nodes(), each.median() / shape.nodes());
    std::printf("\n");
  }
}

void busy_nodes(const char* title) {
  const Shape shapes[] = {chain(10),       chain(1000),     fork_join(8),     fork_join(64),
                          fork_join(1024), layered(32, 32), two_chains(1000), tree(1023)};
  bool first = true;
  for (const Shape& shape : shapes) {
    if (!wanted(shape)) continue;
    auto all = wanted_runners(shape, 1000);
    if (first) print_header(title, all);
    first = false;
    std::vector<Times> times = measure(all);
    const double alone_best = times[0].best(), alone = times[0].median();
    std::printf("%-24s", shape.name.c_str());
    for (Times& each : times) std::printf("%11.2f (%6.2f)", alone_best / each.best(), alone / each.median());
    std::printf("\n");
  }
}

// A thread of this program keeps one core busy: on two cores, the replays get one and a half.
void beside_a_busy_core() {
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop.load(std::memory_order_relaxed)) work(100'000);
  });
  empty_nodes("empty nodes beside a thread that never rests: ns per node, best (median)");
  busy_nodes("1 us nodes beside a thread that never rests: speed-up over one thread, best (median)");
  stop = true;
  other.join();
}

void making() {
  std::printf("\nmaking a graph of 1,000 kernel nodes: ns per node, best of 20; bytes per node\n");
  std::printf("%-24s%12s%14s%12s%14s\n", "", "define", "instantiate", "destroy", "bytes of exec");
  for (const Shape& shape : {chain(1000), fork_join(998), layered(50, 20), tree(1000)}) {
    if (!wanted(shape)) continue;
    double define = 1e18, instantiate = 1e18, destroy = 1e18, bytes = 0;
    for (int round = 0; round < 20; ++round) {
      auto start = Clock::now();
      cudaGraph_t graph = make_graph(shape, 1);
      define = std::min(define, since_ns(start));
      cudaGraphExec_t exec;
      const size_t before = mallinfo2().uordblks;
      start = Clock::now();
      check(cudaGraphInstantiate(&exec, graph, 0));
      instantiate = std::min(instantiate, since_ns(start));
      bytes = static_cast<double>(mallinfo2().uordblks - before);
      start = Clock::now();
      check(cudaGraphExecDestroy(exec));
      destroy = std::min(destroy, since_ns(start));
      check(cudaGraphDestroy(graph));
    }
    std::printf("%-24s%12.0f%14.0f%12.0f%14.0f\n", shape.name.c_str(), define / shape.nodes(),
                instantiate / shape.nodes(), destroy / shape.nodes(), bytes / shape.nodes());
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) seconds_for_a_row = std::atof(arguments[1]);
  if (count > 2) only = arguments[2];
  if (count > 3) only_peer = arguments[3];
  empty_nodes("empty nodes, launch and wait: ns per node, best (median)");
  busy_nodes("1 us nodes: speed-up over one thread, best (median)");
  beside_a_busy_core();
  making();
}
