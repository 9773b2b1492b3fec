#include "graph/plan/draw.h"

#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "diagnose/node_times.h"
#include "graph/define/drawn_graph.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::DrawnGraph;

constexpr size_t most_graphs = 256, most_updates = 16;  // of one executable graph

const char* folder() {
  static const char* const path = [] {
    const char* text = std::getenv("REPRISE_DRAW");
    if (!text || !*text) return static_cast<const char*>(nullptr);
    mkdir(text, 0777);  // it may exist
    return text;
  }();
  return path;
}

void write_file(const std::string& name, const std::string& text) {
  const std::string path = std::string(folder()) + "/" + name;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"), &std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size())
    std::fprintf(stderr, "REPRISE_DRAW: cannot write %s\n", path.c_str());
}

void write_drawing(const std::string& name, const DrawnGraph& graph) {
  write_file(name + ".html", page_of(graph));
  write_file(name + ".svg", svg_of(graph));
}

void set_times(DrawnGraph& graph, const std::map<uint64_t, double>& times) {
  for (diagnose::DrawnNode& node : graph.nodes) {
    if (const auto found = times.find(node.handle); found != times.end()) node.ns = found->second;
    for (DrawnGraph& inside : node.inside) set_times(inside, times);
  }
}

class Drawings {
 public:
  static Drawings& instance() {
    static auto* drawings = [] {
      auto* made = new Drawings;  // never destroyed: graphs are updated while the process exits, too
      std::atexit([] { instance().write_all(); });
      return made;
    }();
    return *drawings;
  }

  void add(uint64_t exec, DrawnGraph graph) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    if (known_.size() == most_graphs) return;
    const std::string name = "graph-" + std::to_string(known_.size() + 1);
    write_drawing(name, graph);
    known_[exec] = {name, std::move(graph), 0};
  }

  void update(uint64_t exec, DrawnGraph newer, bool accepted) REPRISE_EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const auto found = known_.find(exec);
    if (found == known_.end() || found->second.updates == most_updates) return;
    Known& known = found->second;
    DrawnGraph changes = diagnose::difference(known.graph, newer);
    changes.title = known.graph.title + (accepted ? ", updated by " : ", refused update by ") + newer.title;
    write_drawing(known.name + "-update-" + std::to_string(++known.updates), changes);
    if (!accepted) return;
    // The nodes keep the handles under which they are measured.
    for (size_t i = 0; i < newer.nodes.size() && i < known.graph.nodes.size(); ++i)
      newer.nodes[i].handle = known.graph.nodes[i].handle;
    known.graph = std::move(newer);
  }

 private:
  struct Known {
    std::string name;
    DrawnGraph graph;
    size_t updates = 0;
  };

  void write_all() REPRISE_EXCLUDES(mutex_) {
    const std::map<uint64_t, double> times = diagnose::node_times();
    MutexLock lock(mutex_);
    for (auto& [exec, known] : known_) {
      set_times(known.graph, times);
      write_drawing(known.name, known.graph);
    }
    if (!known_.empty()) std::fprintf(stderr, "reprise: %zu drawings of graphs in %s\n", known_.size(), folder());
  }

  Mutex mutex_;
  std::map<uint64_t, Known> known_ REPRISE_GUARDED_BY(mutex_);  // by the handle of the executable graph
};

}  // namespace

bool draws_graphs() { return folder() != nullptr; }

void draw_instantiated(Graph& graph, Handle exec) { Drawings::instance().add(exec.bits, drawn(graph)); }

void draw_update(Graph& graph, Handle exec, bool accepted) {
  Drawings::instance().update(exec.bits, drawn(graph), accepted);
}

}  // namespace reprise_runtime::graph
