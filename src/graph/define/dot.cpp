#include "graph/define/dot.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>

#include "graph/define/access.h"
#include "graph/define/event_work.h"
#include "graph/define/kernel_attributes.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string pointer(const void* address) { return format("0x%016" PRIxPTR, reinterpret_cast<uintptr_t>(address)); }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "host to host";
    case cudaMemcpyHostToDevice:
      return "host to device";
    case cudaMemcpyDeviceToHost:
      return "device to host";
    case cudaMemcpyDeviceToDevice:
      return "device to device";
    default:
      return "default";
  }
}

// The label of a node: its type, and the lines that the flags ask for.
class Label {
 public:
  explicit Label(unsigned flags) : flags_(flags) {}

  std::string of(const Node& node) {
    text_.clear();
    std::visit([this](const auto& work) { write(work); }, node.work);
    if (asked(cudaGraphDebugDotFlagsHandles)) line("node handle: " + pointer(node.as_user()));
    return text_;
  }

 private:
  bool asked(unsigned flag) const { return flags_ & (flag | cudaGraphDebugDotFlagsVerbose); }
  void line(const std::string& words) { text_ += (text_.empty() ? "" : "\n") + words; }

  void write(const op::Empty&) { line("EMPTY"); }

  void write(const KernelWork& work) {
    const op::Kernel& kernel = work.op;
    line(kernel.function->readable_name());
    if (asked(cudaGraphDebugDotFlagsKernelNodeParams)) {
      const dim3 &grid = kernel.shape.grid, &block = kernel.shape.block;
      line(format("<<<(%u,%u,%u),(%u,%u,%u),%u>>>", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                  kernel.shape.dynamic_shared));
    }
    if (asked(cudaGraphDebugDotFlagsHandles)) line("function: " + pointer(kernel.function->host_stub()));
    if (asked(cudaGraphDebugDotFlagsKernelNodeAttributes)) write_attributes(work);
  }

  void write_attributes(const KernelWork& work) {
    cudaLaunchAttributeValue value;
    auto get = [&](cudaLaunchAttributeID id) { return get_attribute(work, id, &value) == cudaSuccess; };
    if (get(cudaLaunchAttributeCooperative)) line(format("cooperative: %d", value.cooperative));
    if (get(cudaLaunchAttributePriority)) line(format("priority: %d", value.priority));
    if (get(cudaLaunchAttributeClusterDimension) && value.clusterDim.x) {
      line(format("cluster: %u x %u x %u", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z));
    }
    if (get(cudaLaunchAttributeAccessPolicyWindow) && value.accessPolicyWindow.num_bytes) {
      const cudaAccessPolicyWindow& window = value.accessPolicyWindow;
      line(format("window: %zu bytes at %s, hit ratio %g", window.num_bytes, pointer(window.base_ptr).c_str(),
                  static_cast<double>(window.hitRatio)));
    }
  }

  void write(const op::HostFunction& work) {
    line("HOST");
    if (!asked(cudaGraphDebugDotFlagsHostNodeParams)) return;
    line("function: " + pointer(reinterpret_cast<const void*>(work.function)));
    line("data: " + pointer(work.user_data));
  }

  void write(const MemcpyWork& work) {
    const cudaMemcpy3DParms& params = work.user_params;
    line("MEMCPY");
    line(format("%s, %zu x %zu x %zu bytes", name_of(params.kind), params.extent.width, params.extent.height,
                params.extent.depth));
    if (!asked(cudaGraphDebugDotFlagsMemcpyNodeParams)) return;
    auto side = [&](const char* name, const cudaPitchedPtr& memory, const cudaPos& position) {
      line(format("%s: %s, pitch %zu, size %zu x %zu, at (%zu, %zu, %zu)", name, pointer(memory.ptr).c_str(),
                  memory.pitch, memory.xsize, memory.ysize, position.x, position.y, position.z));
    };
    side("from", params.srcPtr, params.srcPos);
    side("to", params.dstPtr, params.dstPos);
  }

  void write(const MemsetWork& work) {
    const cudaMemsetParams& params = work.user_params;
    line("MEMSET");
    line(format("value %u, %zu x %zu elements of %u bytes", params.value, params.width, params.height,
                params.elementSize));
    if (asked(cudaGraphDebugDotFlagsMemsetNodeParams)) {
      line(format("to: %s, pitch %zu", pointer(params.dst).c_str(), params.pitch));
    }
  }

  void write(const op::EventRecord& work) { write_event("EVENT_RECORD", event_of(work)); }
  void write(const op::EventWait& work) { write_event("EVENT_WAIT", event_of(work)); }
  void write_event(const char* name, cudaEvent_t event) {
    line(name);
    if (asked(cudaGraphDebugDotFlagsEventNodeParams)) line("event: " + pointer(event));
  }

  void write(const SignalWork& work) {
    write_semaphores("EXT_SEMAPHORES_SIGNAL", work, cudaGraphDebugDotFlagsExtSemasSignalNodeParams);
  }
  void write(const WaitWork& work) {
    write_semaphores("EXT_SEMAPHORES_WAIT", work, cudaGraphDebugDotFlagsExtSemasWaitNodeParams);
  }
  template <class Semaphores>
  void write_semaphores(const char* name, const Semaphores& work, unsigned flag) {
    line(name);
    if (!asked(flag)) return;
    for (size_t i = 0; i < work.handles.size(); ++i) {
      line(
          format("semaphore: %s, value %llu", pointer(work.handles[i]).c_str(), work.parameters[i].params.fence.value));
    }
  }

  void write(const op::BatchMemOp& work) {
    line("BATCH_MEM_OP");
    line(format("%zu operations", work.operations.size()));
  }

  void write(const ConditionalWork& work) {
    line("CONDITIONAL");
    line(graph::name_of(work.type));
    for (size_t i = 0; i < work.bodies.size(); ++i) {
      line(format("body %zu: graph_%" PRIu64, i, work.bodies[i]->id()));
    }
    if (asked(cudaGraphDebugDotFlagsConditionalNodeParams)) {
      line(format("condition: 0x%016llx", work.condition->as_user()));
    }
  }

  void write(const AllocWork& work) {
    line("MEM_ALLOC");
    line(format("%zu bytes", work.user_params.bytesize));
    if (!asked(0)) return;
    line("address: " + pointer(work.user_params.dptr));
    line(format("device: %d", work.user_params.poolProps.location.id));
  }
  void write(const FreeWork& work) {
    line("MEM_FREE");
    if (asked(0)) line("address: " + pointer(work.address));
  }

  void write(const ChildWork& work) { line(format("graph_%" PRIu64, work.graph->id())); }

  const unsigned flags_;
  std::string text_;
};

const char* shape_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "octagon";
    case cudaGraphNodeTypeMemcpy:
      return "trapezium";
    case cudaGraphNodeTypeMemset:
      return "invtrapezium";
    case cudaGraphNodeTypeEmpty:
      return "ellipse";
    case cudaGraphNodeTypeGraph:
      return "component";
    case cudaGraphNodeTypeConditional:
      return "diamond";
    default:
      return "box";
  }
}

// Draws a cluster for the graph, then one for each graph inside it. The graph's mutex is held.
class Drawing {
 public:
  explicit Drawing(unsigned flags) : label_(flags) {}

  std::string text;

  void add(Graph& graph) {
    const std::string name = format("graph_%" PRIu64, graph.id());
    text += "subgraph cluster_" + name + " {\nlabel=" + quoted(name) + "; style=dashed;\n";
    graph.number_nodes();
    for (Node* node = graph.first(); node; node = node->next) {
      text += quoted(name_of(name, *node)) + " [shape=" + shape_of(node->type()) +
              " label=" + quoted(std::to_string(node->index) + "\n" + label_.of(*node)) + "];\n";
    }
    for (Node* node = graph.first(); node; node = node->next) {
      for (const Edge& edge : node->dependents) {
        text += quoted(name_of(name, *node)) + " -> " + quoted(name_of(name, *edge.node)) + style_of(edge.data) + ";\n";
      }
    }
    text += "}\n";
    for (Node* node = graph.first(); node; node = node->next) {
      for_each_inside(node->work, [this](Graph& inside) {
        MutexLock lock(inside.mutex());
        add(inside);
      });
    }
  }

 private:
  static std::string name_of(const std::string& graph, const Node& node) {
    return graph + "_node_" + std::to_string(node.index);
  }
  static std::string style_of(const cudaGraphEdgeData& data) {
    if (!has_data(data)) return "";
    return format(" [style=dashed label=\"port %d\"]", data.from_port);
  }

  Label label_;
};

}  // namespace

cudaError_t print_dot(cudaGraph_t handle, const char* path, unsigned flags) {
  Drawing drawing(flags);
  const cudaError_t drawn = with_graph(handle, [&](Graph& graph) {
    drawing.add(graph);
    return cudaSuccess;
  });
  if (drawn != cudaSuccess) return drawn;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path, "w"), &std::fclose);
  const std::string whole = "digraph dot {\n" + drawing.text + "}\n";
  if (file && std::fwrite(whole.data(), 1, whole.size(), file.get()) == whole.size() &&
      std::fclose(file.release()) == 0) {
    return cudaSuccess;
  }
  return refuse(cudaErrorOperatingSystem, "cannot write \"%s\"", path);
}

}  // namespace reprise_runtime::graph
