#include "graph/define/memory_node.h"

#include <algorithm>

#include "graph/define/access.h"
#include "graph/define/memory_fault.h"
#include "memory/graph/graph_memory.h"

namespace reprise_runtime::graph {
namespace {

using diagnose::refuse;

cudaError_t check_pool(const cudaMemPoolProps& pool) {
  if (pool.allocType != cudaMemAllocationTypePinned && pool.allocType != cudaMemAllocationTypeManaged) {
    return refuse(cudaErrorInvalidValue,
                  "poolProps.allocType is %d; it must be cudaMemAllocationTypePinned or cudaMemAllocationTypeManaged",
                  static_cast<int>(pool.allocType));
  }
  if (pool.handleTypes != cudaMemHandleTypeNone) {
    return refuse(cudaErrorNotSupported, "poolProps.handleTypes is %d; graph memory cannot be exported",
                  static_cast<int>(pool.handleTypes));
  }
  if (pool.location.type == cudaMemLocationTypeHost || pool.location.type == cudaMemLocationTypeHostNuma ||
      pool.location.type == cudaMemLocationTypeHostNumaCurrent) {
    return refuse(cudaErrorNotSupported, "poolProps.location is the host; graph memory must be on a device");
  }
  if (pool.location.type != cudaMemLocationTypeDevice || pool.location.id < 0 || pool.location.id >= device_count()) {
    return refuse(cudaErrorInvalidValue, "poolProps.location has type %d and id %d, which is not a device",
                  static_cast<int>(pool.location.type), pool.location.id);
  }
  if (std::any_of(std::begin(pool.reserved), std::end(pool.reserved), [](unsigned char byte) { return byte != 0; })) {
    return refuse(cudaErrorInvalidValue, "poolProps.reserved must be 0");
  }
  return cudaSuccess;
}

cudaError_t check_access(const std::vector<cudaMemAccessDesc>& all) {
  for (size_t i = 0; i < all.size(); ++i) {
    const cudaMemLocation& location = all[i].location;
    if (location.type != cudaMemLocationTypeDevice) {
      return refuse(cudaErrorInvalidValue, "accessDescs[%zu].location is not a device", i);
    }
    if (location.id < 0 || location.id >= device_count()) {
      return refuse(cudaErrorInvalidDevice, "accessDescs[%zu].location is device %d; there are %d", i, location.id,
                    device_count());
    }
    if (all[i].flags != cudaMemAccessFlagsProtReadWrite) {
      return refuse(cudaErrorNotSupported, "accessDescs[%zu].flags is %d; it must be cudaMemAccessFlagsProtReadWrite",
                    i, static_cast<int>(all[i].flags));
    }
    for (size_t before = 0; before < i; ++before) {
      if (all[before].location.id != location.id) continue;
      return refuse(cudaErrorInvalidValue, "accessDescs[%zu] and accessDescs[%zu] name the same device", before, i);
    }
  }
  return cudaSuccess;
}

}  // namespace

Result<AllocWork> AllocWork::build(const cudaMemAllocNodeParams& parameters) {
  if (parameters.bytesize == 0) return refuse(cudaErrorInvalidValue, "bytesize is 0");
  if (cudaError_t refused = check_pool(parameters.poolProps); refused != cudaSuccess) return refused;
  const size_t count = parameters.accessDescCount;
  if (count && !parameters.accessDescs)
    return refuse(cudaErrorInvalidValue, "accessDescCount is %zu while accessDescs is null", count);
  if (count > max_devices)
    return refuse(cudaErrorInvalidValue, "accessDescCount is %zu; there are %d devices", count, device_count());
  std::vector<cudaMemAccessDesc> access(parameters.accessDescs, parameters.accessDescs + count);
  if (cudaError_t refused = check_access(access); refused != cudaSuccess) return refused;
  AllocWork work;
  work.user_params = parameters;
  work.access = std::make_shared<const std::vector<cudaMemAccessDesc>>(std::move(access));
  work.user_params.accessDescs = count ? work.access->data() : nullptr;
  return work;
}

AllocWork AllocWork::of(size_t bytes, int device) {
  AllocWork work;
  work.user_params.poolProps.allocType = cudaMemAllocationTypePinned;
  work.user_params.poolProps.location = {cudaMemLocationTypeDevice, device};
  work.user_params.bytesize = bytes;
  return work;
}

Result<FreeWork> FreeWork::build(void* address) {
  if (!address) return refuse(cudaErrorInvalidValue, "dptr is null");
  FreeWork work;
  work.address = address;
  return work;
}

cudaError_t add_alloc_node(cudaGraphNode_t* out, cudaGraph_t handle, const cudaGraphNode_t* dependencies,
                           const cudaGraphEdgeData* data, size_t count, cudaMemAllocNodeParams& parameters) {
  Result<AllocWork> work = AllocWork::build(parameters);
  if (!work.ok()) return work.status();
  if (!out) return refuse(cudaErrorInvalidValue, "the output pointer is null");
  return with_graph(handle, [&](Graph& graph) {
    Result<Node*> added = graph.add(std::move(*work), current_device(), dependencies, data, count);
    if (!added.ok()) return added.status();
    *out = (*added)->as_user();
    parameters.dptr = std::get<AllocWork>((*added)->work).user_params.dptr;
    return cudaSuccess;
  });
}

cudaError_t refuse_with_memory(const Graph& graph, const char* what) {
  for (const Node* node = graph.first(); node; node = node->next) {
    const cudaGraphNodeType type = node->type();
    if (type != cudaGraphNodeTypeMemAlloc && type != cudaGraphNodeTypeMemFree) continue;
    return refuse(cudaErrorNotSupported, "graph %llu has node %p, %s, which makes %s impossible",
                  static_cast<unsigned long long>(graph.id()), static_cast<void*>(node->as_user()), describe(type),
                  what);
  }
  return refuse(cudaErrorNotSupported, "graph %llu has a child graph with memory nodes, which makes %s impossible",
                static_cast<unsigned long long>(graph.id()), what);
}

// ---- adding them to a graph -------------------------------------------------------------------------------------

namespace {

Handle outermost(Handle handle) {
  Ref<Graph> graph = graphs().find(handle);
  return graph ? root_of(*graph) : handle;
}

// Refuses a free node in `graph` if the graphs in `freed_in` rule it out. As on an H200, once another graph has had a
// free node for the allocation, its own graph cannot have one, even if the other graph was destroyed.
cudaError_t check_free(const Graph& graph, const memory::GraphAllocation& allocation,
                       const std::vector<Handle>& freed_in) {
  const Handle here = root_of(graph), home = outermost(allocation.graph);
  for (Handle other : freed_in) {
    const Handle root = outermost(other);
    if (here != home && (!graphs().names_live(other) || (root != here && root != home))) continue;
    return refuse(cudaErrorInvalidValue,
                  "dptr %p was allocated by node %p of graph %llu, and a node of %s frees it already, or did so before",
                  allocation.pointer(), allocation.node.as<void*>(),
                  static_cast<unsigned long long>(allocation.graph_id),
                  root == here   ? "this graph"
                  : root == home ? "its own graph"
                                 : "another graph");
  }
  return cudaSuccess;
}

}  // namespace

cudaError_t Graph::prepare_memory(Work& work, const EdgeList& edges) {
  AllocWork* alloc = std::get_if<AllocWork>(&work);
  FreeWork* free = std::get_if<FreeWork>(&work);
  if (embedded() && !is_body()) {
    return refuse(cudaErrorNotSupported, "graph %llu is inside another graph; add %s before it is moved there",
                  static_cast<unsigned long long>(id_), describe(type_of(work)));
  }
  auto& memory = memory::GraphMemory::instance();
  if (free) {
    free->allocation = memory.starting_at(free->address);
    if (!free->allocation) {
      return refuse(cudaErrorInvalidValue, "dptr %p is not the address of an allocation node", free->address);
    }
    const cudaError_t refused = memory.claim_free(
        *free->allocation, handle(),
        [&](const std::vector<Handle>& freed_in) { return check_free(*this, *free->allocation, freed_in); });
    if (refused != cudaSuccess) return refused;
  }
  if (!memory_.layout) {
    memory_.layout = std::make_unique<MemoryLayout>();
    report_faults_in_graph_memory();
  }
  number_nodes();
  if (free) {
    memory_.layout->note_free(*free, *this, edges);
  } else if (cudaError_t refused = memory_.layout->place(*alloc, *this, edges); refused != cudaSuccess) {
    return refused;
  }
  memory_.used = true;
  return cudaSuccess;
}

}  // namespace reprise_runtime::graph
