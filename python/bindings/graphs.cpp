// Captured graphs: CUDAGraph, its nodes, graphed callables, control flow.
#include <nanobind/stl/function.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <reprise/control_flow.h>
#include <reprise/cuda_graph.h>
#include <reprise/graphed_callables.h>

#include "casters.h"

namespace reprise::python {
namespace {

// A pool is given as a handle, as something with a `handle` (a MemPool), or as None.
PoolHandle pool_of(nb::handle pool) {
  if (pool.is_none()) return {};
  if (nb::isinstance<PoolHandle>(pool)) return nb::cast<PoolHandle>(pool);
  if (nb::hasattr(pool, "_handle")) return nb::cast<PoolHandle>(pool.attr("_handle"));
  throw nb::type_error("a pool is what graph_pool_handle(), CUDAGraph.pool() or a MemPool gives");
}

std::optional<CaptureMode> mode_of(const std::optional<std::string>& name) {
  return name ? std::optional<CaptureMode>(capture_mode(*name)) : std::nullopt;
}

const char* kind_of(cudaGraphNodeType type) {
  switch (type) {
    case cudaGraphNodeTypeKernel:
      return "kernel";
    case cudaGraphNodeTypeMemcpy:
      return "memcpy";
    case cudaGraphNodeTypeMemset:
      return "memset";
    case cudaGraphNodeTypeHost:
      return "host";
    case cudaGraphNodeTypeGraph:
      return "graph";
    case cudaGraphNodeTypeEmpty:
      return "empty";
    case cudaGraphNodeTypeWaitEvent:
      return "wait_event";
    case cudaGraphNodeTypeEventRecord:
      return "event_record";
    case cudaGraphNodeTypeMemAlloc:
      return "mem_alloc";
    case cudaGraphNodeTypeMemFree:
      return "mem_free";
    case cudaGraphNodeTypeConditional:
      return "conditional";
    default:
      return "other";
  }
}

// What can be seen of a node: its kind, what a kernel node launches, and the nodes it waits for, by their numbers.
nb::list nodes_of(GraphRef graph) {
  const std::vector<cudaGraphNode_t> nodes = graph.nodes();
  nb::object type = nb::module_::import_("reprise.cuda.graphs").attr("GraphNode");
  nb::list all;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    cudaGraphNodeType kind;
    check_cuda(cudaGraphNodeGetType(nodes[i], &kind), "asking for the type of a node");
    std::size_t count = 0;
    check_cuda(cudaGraphNodeGetDependencies(nodes[i], nullptr, nullptr, &count), "listing the dependencies of a node");
    std::vector<cudaGraphNode_t> before(count);
    std::vector<cudaGraphEdgeData> edges(count);
    if (count != 0) {
      check_cuda(cudaGraphNodeGetDependencies(nodes[i], before.data(), edges.data(), &count),
                 "listing the dependencies of a node");
    }
    nb::list dependencies;
    for (cudaGraphNode_t each : before) {
      dependencies.append(std::find(nodes.begin(), nodes.end(), each) - nodes.begin());
    }
    nb::object name = nb::none(), grid = nb::none(), block = nb::none();
    if (kind == cudaGraphNodeTypeKernel) {
      cudaKernelNodeParams launch = {};
      check_cuda(cudaGraphKernelNodeGetParams(nodes[i], &launch), "asking for the parameters of a kernel node");
      const char* text = nullptr;
      if (cudaFuncGetName(&text, launch.func) == cudaSuccess && text) name = nb::str(text);
      grid = nb::make_tuple(launch.gridDim.x, launch.gridDim.y, launch.gridDim.z);
      block = nb::make_tuple(launch.blockDim.x, launch.blockDim.y, launch.blockDim.z);
    }
    all.append(type(i, kind_of(kind), nb::tuple(dependencies), name, grid, block));
  }
  return all;
}

void bind_cuda_graph(nb::module_& m) {
  nb::class_<CUDAGraph>(m, "CUDAGraph", nb::is_weak_referenceable(), nb::dynamic_attr(),
                        "Work captured once and replayed any number of times. Use it with torch.cuda.graph().")
      .def(
          "__init__", [](CUDAGraph* self, bool) { new (self) CUDAGraph(CaptureMode::global); }, "keep_graph"_a = false)
      .def("_set_mode", [](CUDAGraph& self, const std::string& mode) { self = CUDAGraph(capture_mode(mode)); })
      .def(
          "capture_begin",
          [](CUDAGraph& self, nb::object pool, std::optional<std::string> mode) {
            self.capture_begin(pool_of(pool), mode_of(mode));
          },
          "pool"_a = nb::none(), "capture_error_mode"_a = nb::none(),
          "Captures work submitted to the current stream until capture_end().")
      .def("capture_end", &CUDAGraph::capture_end)
      .def("capture_abort", &CUDAGraph::capture_abort, "Discards the capture in progress.")
      .def("instantiate", &CUDAGraph::instantiate, Waits())
      .def("replay", &CUDAGraph::replay, "Launches the graph on the current stream.")
      .def("wait_for_replays", &CUDAGraph::wait_for_replays,
           "Makes the current stream wait for all replays so far, of this graph and others in its pool.")
      .def("reset", &CUDAGraph::reset, Waits(), "Destroys the captured graph and releases its pool.")
      .def("pool", &CUDAGraph::pool)
      .def("debug_dump", &CUDAGraph::debug_dump, "debug_path"_a, Waits(), "Writes the graph as a Graphviz file.")
      .def(
          "enable_debug_mode", [](CUDAGraph&) {}, "Does nothing: every graph can be looked at.")
      .def("_mark_computed", [](CUDAGraph& self) { self.raw_exec(); })
      .def("raw_cuda_graph",
           [](const CUDAGraph& self) { return reinterpret_cast<std::uintptr_t>(self.raw_graph().get()); })
      .def_prop_ro("is_capturing", &CUDAGraph::is_capturing)
      .def_prop_ro("is_captured", &CUDAGraph::is_captured)
      .def_prop_ro("id", &CUDAGraph::id)
      .def_prop_ro("replays", &CUDAGraph::replays, "The number of replays since the capture.")
      .def_prop_ro(
          "nodes", [](const CUDAGraph& self) { return nodes_of(self.raw_graph()); },
          "The nodes, each with its kind, its dependencies and what a kernel node launches.")
      .def(
          "memory_stats",
          [](const CUDAGraph& self) {
            const GraphStatistics all = self.statistics();
            nb::dict result;
            result["own_bytes"] = all.own;
            result["input_bytes"] = all.inputs;
            result["peak_live_bytes"] = all.peak_live;
            result["pool_reserved_bytes"] = all.after.reserved;
            return result;
          },
          "Bytes that the capture used.");
}

}  // namespace

void bind_graphs(nb::module_& m) {
  bind_cuda_graph(m);
  m.def("is_current_stream_capturing", &is_current_stream_capturing);
  m.def(
      "_make_graphed_callables",
      [](const std::vector<std::pair<TensorFunction, std::vector<Tensor>>>& functions,
         const std::vector<std::vector<Tensor>>& samples, int warm_up, bool allow_unused, nb::object pool) {
        std::vector<Callable> callables;
        for (const auto& [function, parameters] : functions) callables.push_back({function, parameters});
        return make_graphed_callables(callables, samples, {warm_up, allow_unused, pool_of(pool)});
      },
      "callables"_a, "samples"_a, "warm_up"_a, "allow_unused_input"_a, nb::arg("pool").none());
  m.def("_cond", &cond, "predicate"_a, "if_true"_a, "if_false"_a);
  m.def("_while_loop", &while_loop, "condition"_a, "body"_a, "values"_a);
  m.def("_switch_case", &switch_case, "index"_a, "branches"_a);
  m.def("_set_warning_handler", &set_warning_handler, nb::arg("handler").none());
}

}  // namespace reprise::python
