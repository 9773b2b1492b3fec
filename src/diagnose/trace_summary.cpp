#include "diagnose/trace_summary.h"

#include <algorithm>

namespace reprise_runtime::diagnose {
namespace {

constexpr size_t most_rows = 20, dearest_nodes = 10, most_graphs = 8;

std::string shortened(const std::string& name) {
  constexpr size_t most = 72;
  return name.size() <= most ? name : name.substr(0, most - 3) + "...";
}

}  // namespace

void TraceSummary::Figures::add(const TraceEvent& event) {
  const uint64_t took = event.end - event.start;
  ++count;
  ticks += took;
  shortest = std::min(shortest, took);
  longest = std::max(longest, took);
  bytes += event.bytes;
}

// Events come sorted within each emptying of the buffers, so the union of their times is right but at its edges.
void TraceSummary::add_busy(const TraceEvent& event) {
  const uint64_t from = std::max(event.start, busy_until_);
  if (event.end > from) busy_ticks_ += event.end - from;
  busy_until_ = std::max(busy_until_, event.end);
}

void TraceSummary::add(const TraceEvent& event, const std::string& name) {
  switch (event.kind) {
    case TraceKind::call:
      return calls_[name].add(event);
    case TraceKind::kernel:
      kernels_[name].add(event);
      return add_busy(event);
    case TraceKind::copy:
    case TraceKind::set:
      copies_[name].add(event);
      return add_busy(event);
    case TraceKind::host_function:
    case TraceKind::stream_work:
      return others_[name].add(event);
    case TraceKind::range:
      return others_["range " + name].add(event);
    case TraceKind::node: {
      if (event.grid) kernels_[name].add(event);
      if (name.starts_with("a memcpy") || name.starts_with("a memset")) copies_[name].add(event);
      add_busy(event);
      NodeFigures& node = graphs_[event.track].nodes[event.id];
      if (node.name.empty()) node.name = name;
      return node.figures.add(event);
    }
    default:
      return;
  }
}

void TraceSummary::print_table(std::FILE* to, const char* title, const Table& table, bool bytes) {
  if (table.empty()) return;
  std::vector<std::pair<std::string, Figures>> rows(table.begin(), table.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second.ticks > b.second.ticks; });
  uint64_t all = 0;
  for (const auto& row : rows) all += row.second.ticks;
  std::fprintf(to, "\n%-9s %12s %9s %10s %10s %10s %s %s\n", "time (%)", "total (us)", "count", "mean (us)", "min (us)",
               "max (us)", bytes ? "  total (MB)" : "", title);
  for (size_t i = 0; i < rows.size() && i < most_rows; ++i) {
    const Figures& row = rows[i].second;
    const double us = ticks_to_ns(row.ticks) / 1000;
    std::fprintf(to, "%8.1f  %12.1f %9llu %10.2f %10.2f %10.2f ",
                 100 * static_cast<double>(row.ticks) / static_cast<double>(std::max<uint64_t>(all, 1)), us,
                 static_cast<unsigned long long>(row.count), us / static_cast<double>(row.count),
                 ticks_to_ns(row.shortest) / 1000, ticks_to_ns(row.longest) / 1000);
    if (bytes) std::fprintf(to, "%12.3f", static_cast<double>(row.bytes) / 1e6);
    std::fprintf(to, " %s\n", shortened(rows[i].first).c_str());
  }
  if (rows.size() > most_rows) std::fprintf(to, "          and %zu more\n", rows.size() - most_rows);
}

void TraceSummary::print_graph(std::FILE* to, uint32_t track, const Graph& graph) {
  std::vector<const NodeFigures*> nodes;
  uint64_t launches = 0;
  double all_ns = 0;
  for (const auto& [handle, node] : graph.nodes) {
    nodes.push_back(&node);
    launches = std::max(launches, node.figures.count);
    all_ns += ticks_to_ns(node.figures.ticks) / static_cast<double>(node.figures.count);
  }
  // The longest chain of mean times. Steps are in topological order.
  const uint32_t steps = graph.shape.steps();
  std::vector<double> own(steps, 0), until(steps, 0);
  std::vector<uint32_t> before(steps, ~0u);
  for (uint32_t step = 0; step < steps; ++step) {
    const auto ran = graph.nodes.find(graph.shape.nodes[step]);
    if (ran == graph.nodes.end()) continue;
    own[step] = ticks_to_ns(ran->second.figures.ticks) / static_cast<double>(ran->second.figures.count);
  }
  uint32_t last = 0;
  for (uint32_t step = 0; step < steps; ++step) {
    for (uint32_t i = graph.shape.first_dependency[step]; i < graph.shape.first_dependency[step + 1]; ++i) {
      const uint32_t other = graph.shape.dependencies[i];
      if (before[step] == ~0u || until[other] > until[before[step]]) before[step] = other;
    }
    until[step] = own[step] + (before[step] == ~0u ? 0 : until[before[step]]);
    if (until[step] > until[last]) last = step;
  }
  uint32_t length = 0;
  for (uint32_t step = steps ? last : ~0u; step != ~0u; step = before[step]) ++length;
  std::fprintf(to, "\nexecutable graph %u (of graph %llu): %zu nodes ran, %llu times; %.1f us a launch on one core",
               track, static_cast<unsigned long long>(graph.shape.graph), nodes.size(),
               static_cast<unsigned long long>(launches), all_ns / 1000);
  if (steps) std::fprintf(to, ", critical path %.1f us through %u nodes", until[last] / 1000, length);
  std::fprintf(to, "\n  dearest nodes: mean (us), count\n");
  std::sort(nodes.begin(), nodes.end(),
            [](const NodeFigures* a, const NodeFigures* b) { return a->figures.ticks > b->figures.ticks; });
  for (size_t i = 0; i < nodes.size() && i < dearest_nodes; ++i) {
    const Figures& figures = nodes[i]->figures;
    std::fprintf(to, "  %12.2f %9llu %s\n", ticks_to_ns(figures.ticks) / 1000 / static_cast<double>(figures.count),
                 static_cast<unsigned long long>(figures.count), shortened(nodes[i]->name).c_str());
  }
}

void TraceSummary::print(std::FILE* to, uint64_t wall_ticks) const {
  uint64_t launches = 0;
  for (const auto& [name, figures] : kernels_) launches += figures.count;
  std::fprintf(to, "\nreprise: %.3f s, %llu kernels ran, the device was idle %.1f %% of the time\n",
               ticks_to_ns(wall_ticks) / 1e9, static_cast<unsigned long long>(launches),
               100 * (1 - static_cast<double>(std::min(busy_ticks_, wall_ticks)) / static_cast<double>(wall_ticks)));
  print_table(to, "kernel", kernels_, false);
  print_table(to, "copy or set", copies_, true);
  print_table(to, "API call", calls_, false);
  print_table(to, "other", others_, false);
  size_t printed = 0;
  for (const auto& [track, graph] : graphs_) {
    if (graph.nodes.empty()) continue;
    if (printed++ == most_graphs) {
      std::fprintf(to, "\nand more executable graphs\n");
      break;
    }
    print_graph(to, track, graph);
  }
}

std::map<uint64_t, double> TraceSummary::node_times() const {
  std::map<uint64_t, double> times;
  for (const auto& [track, graph] : graphs_)
    for (const auto& [handle, node] : graph.nodes)
      times[handle] = ticks_to_ns(node.figures.ticks) / static_cast<double>(node.figures.count);
  return times;
}

}  // namespace reprise_runtime::diagnose
