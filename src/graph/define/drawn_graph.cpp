#include "graph/define/drawn_graph.h"

#include <cstdarg>
#include <cstdio>

#include "graph/define/event_work.h"
#include "graph/define/node.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::DrawnGraph;
using diagnose::DrawnNode;

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

const char* name_of_side(memory::MemoryKind kind) {
  const bool host = kind == memory::MemoryKind::pageable || kind == memory::MemoryKind::pinned ||
                    kind == memory::MemoryKind::registered;
  return host ? "host" : "device";
}

// The kind of the node, its title and its details.
class Describe {
 public:
  explicit Describe(DrawnNode& node) : node_(node) {}

  void operator()(const op::Empty&) { is("empty", "empty"); }
  void operator()(const KernelWork& work) {
    const op::Kernel& kernel = work.op;
    is("kernel", kernel.function->readable_name());
    const dim3 &grid = kernel.shape.grid, &block = kernel.shape.block;
    line(format("grid (%u,%u,%u), block (%u,%u,%u)", grid.x, grid.y, grid.z, block.x, block.y, block.z));
    if (kernel.shape.dynamic_shared) line(format("%u bytes of shared memory", kernel.shape.dynamic_shared));
  }
  void operator()(const op::HostFunction& work) {
    is("host", "host function");
    line(format("function %p", reinterpret_cast<const void*>(work.function)));
  }
  void operator()(const MemcpyWork& work) {
    is("memcpy", format("copy %s to %s", name_of_side(work.op.from), name_of_side(work.op.to)));
    line(format("%zu bytes", work.op.box.extent.bytes()));
  }
  void operator()(const MemsetWork& work) {
    is("memset", "set");
    line(format("%zu bytes, value %u", work.op.box.extent.bytes(), work.user_params.value));
  }
  void operator()(const op::EventRecord& work) { event("event record", event_of(work)); }
  void operator()(const op::EventWait& work) { event("event wait", event_of(work)); }
  void operator()(const SignalWork& work) {
    is("semaphore", "semaphore signal");
    line(format("%zu semaphores", work.handles.size()));
  }
  void operator()(const WaitWork& work) {
    is("semaphore", "semaphore wait");
    line(format("%zu semaphores", work.handles.size()));
  }
  void operator()(const op::BatchMemOp& work) {
    is("semaphore", "memory operations");
    line(format("%zu operations", work.operations.size()));
  }
  void operator()(const ChildWork& work) {
    is("graph", "child graph");
    inside(*work.graph, format("graph %llu", static_cast<unsigned long long>(work.graph->id())));
  }
  void operator()(const ConditionalWork& work) {
    is("conditional", name_of(work.type));
    for (size_t i = 0; i < work.bodies.size(); ++i) inside(*work.bodies[i], format("body %zu", i));
  }
  void operator()(const AllocWork& work) {
    is("alloc", "allocation");
    line(format("%zu bytes at %p", work.user_params.bytesize, work.user_params.dptr));
    node_.memory = static_cast<int64_t>(work.user_params.bytesize);
  }
  void operator()(const FreeWork& work) {
    is("free", "free");
    line(format("memory at %p", work.address));
    if (work.allocation) node_.memory = -static_cast<int64_t>(work.allocation->asked);
  }

 private:
  void is(const char* kind, std::string title) {
    node_.kind = kind;
    node_.title = std::move(title);
  }
  void line(std::string words) { node_.details.push_back(std::move(words)); }
  void event(const char* title, cudaEvent_t event) {
    is("event", title);
    line(format("event %p", static_cast<void*>(event)));
  }
  void inside(Graph& graph, std::string title) {
    MutexLock lock(graph.mutex());
    node_.inside.push_back(drawn(graph));
    node_.inside.back().title = std::move(title);
  }

  DrawnNode& node_;
};

}  // namespace

DrawnGraph drawn(Graph& graph) {
  DrawnGraph result;
  result.title = format("graph %llu", static_cast<unsigned long long>(graph.id()));
  graph.number_nodes();
  for (Node* node = graph.first(); node; node = node->next) {
    DrawnNode& made = result.nodes.emplace_back();
    made.handle = node->handle().bits;
    std::visit(Describe(made), node->work);
    for (const Edge& edge : node->dependents) {
      const std::string label = has_data(edge.data) ? format("port %d", edge.data.from_port) : std::string();
      result.edges.push_back({node->index, edge.node->index, starts_early(edge.data), label});
    }
  }
  return result;
}

}  // namespace reprise_runtime::graph
