// Sums up the trace: time by kernel, by copy, by API call; the idle share of the device; for each executable graph its
// critical path and its dearest nodes.
//
// Thread safety: none; TraceWriter's mutex guards it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "diagnose/trace.h"

namespace reprise_runtime::diagnose {

class TraceSummary {
 public:
  // `name` is readable.
  void add(const TraceEvent& event, const std::string& name);
  void describe(uint32_t track, const GraphShape& shape) { graphs_[track].shape = shape; }
  void print(std::FILE* to, uint64_t wall_ticks) const;
  std::map<uint64_t, double> node_times() const;

 private:
  struct Figures {
    uint64_t count = 0, ticks = 0, shortest = ~uint64_t{0}, longest = 0, bytes = 0;
    void add(const TraceEvent& event);
  };
  using Table = std::map<std::string, Figures>;
  struct NodeFigures {
    std::string name;
    Figures figures;
  };
  struct Graph {
    GraphShape shape;
    std::map<uint64_t, NodeFigures> nodes;  // by handle
  };

  static void print_table(std::FILE* to, const char* title, const Table& table, bool bytes);
  static void print_graph(std::FILE* to, uint32_t track, const Graph& graph);
  void add_busy(const TraceEvent& event);

  Table kernels_, copies_, calls_, others_;
  std::map<uint32_t, Graph> graphs_;
  uint64_t busy_ticks_ = 0, busy_until_ = 0;
};

}  // namespace reprise_runtime::diagnose
