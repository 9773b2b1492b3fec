// Graphs: making, cloning, asking, joining, and the lifetime of what they use.
#include "driver/entry/entry.h"
#include "driver/entry/same_layout.h"
#include "graph/define/access.h"

using namespace reprise_runtime;
using driver::as_runtime;

namespace {}  // namespace

extern "C" {

CUresult cuGraphCreate(CUgraph* phGraph, unsigned int flags) {
  return driver::entry_initialised([&] { return cudaGraphCreate(phGraph, flags); }, ARGUMENTS(phGraph, flags));
}

CUresult cuGraphDestroy(CUgraph hGraph) {
  return driver::entry_initialised([&] { return cudaGraphDestroy(hGraph); }, ARGUMENTS(hGraph));
}

CUresult cuGraphDestroyNode(CUgraphNode hNode) {
  return driver::entry_initialised([&] { return cudaGraphDestroyNode(hNode); }, ARGUMENTS(hNode));
}

CUresult cuGraphClone(CUgraph* phGraphClone, CUgraph originalGraph) {
  return driver::entry_initialised([&] { return cudaGraphClone(phGraphClone, originalGraph); },
                                   ARGUMENTS(phGraphClone, originalGraph));
}

CUresult cuGraphNodeFindInClone(CUgraphNode* phNode, CUgraphNode hOriginalNode, CUgraph hClonedGraph) {
  return driver::entry_initialised([&] { return cudaGraphNodeFindInClone(phNode, hOriginalNode, hClonedGraph); },
                                   ARGUMENTS(phNode, hOriginalNode, hClonedGraph));
}

// Not by the runtime's call, which does not know all types.
CUresult cuGraphNodeGetType(CUgraphNode hNode, CUgraphNodeType* type) {
  return driver::entry_initialised(
      [&] {
        if (!type) return diagnose::refuse(cudaErrorInvalidValue, "the output pointer is null");
        return graph::with_node(hNode, [&](graph::Graph&, graph::Node& node) {
          *type = static_cast<CUgraphNodeType>(node.type());
          return cudaSuccess;
        });
      },
      ARGUMENTS(hNode, type));
}

CUresult cuGraphGetNodes(CUgraph hGraph, CUgraphNode* nodes, size_t* numNodes) {
  return driver::entry_initialised([&] { return cudaGraphGetNodes(hGraph, nodes, numNodes); },
                                   ARGUMENTS(hGraph, nodes, numNodes));
}

CUresult cuGraphGetRootNodes(CUgraph hGraph, CUgraphNode* rootNodes, size_t* numRootNodes) {
  return driver::entry_initialised([&] { return cudaGraphGetRootNodes(hGraph, rootNodes, numRootNodes); },
                                   ARGUMENTS(hGraph, rootNodes, numRootNodes));
}

CUresult cuGraphGetEdges(CUgraph hGraph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edgeData,
                         size_t* numEdges) {
  return driver::entry_initialised([&] { return cudaGraphGetEdges(hGraph, from, to, as_runtime(edgeData), numEdges); },
                                   ARGUMENTS(hGraph, from, to, edgeData, numEdges));
}

CUresult cuGraphNodeGetDependencies(CUgraphNode hNode, CUgraphNode* dependencies, CUgraphEdgeData* edgeData,
                                    size_t* numDependencies) {
  return driver::entry_initialised(
      [&] { return cudaGraphNodeGetDependencies(hNode, dependencies, as_runtime(edgeData), numDependencies); },
      ARGUMENTS(hNode, dependencies, edgeData, numDependencies));
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode hNode, CUgraphNode* dependentNodes, CUgraphEdgeData* edgeData,
                                      size_t* numDependentNodes) {
  return driver::entry_initialised(
      [&] { return cudaGraphNodeGetDependentNodes(hNode, dependentNodes, as_runtime(edgeData), numDependentNodes); },
      ARGUMENTS(hNode, dependentNodes, edgeData, numDependentNodes));
}

CUresult cuGraphAddDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                const CUgraphEdgeData* edgeData, size_t numDependencies) {
  return driver::entry_initialised(
      [&] { return cudaGraphAddDependencies(hGraph, from, to, as_runtime(edgeData), numDependencies); },
      ARGUMENTS(hGraph, from, to, edgeData, numDependencies));
}

CUresult cuGraphRemoveDependencies(CUgraph hGraph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edgeData, size_t numDependencies) {
  return driver::entry_initialised(
      [&] { return cudaGraphRemoveDependencies(hGraph, from, to, as_runtime(edgeData), numDependencies); },
      ARGUMENTS(hGraph, from, to, edgeData, numDependencies));
}

CUresult cuGraphDebugDotPrint(CUgraph hGraph, const char* path, unsigned int flags) {
  return driver::entry_initialised([&] { return cudaGraphDebugDotPrint(hGraph, path, flags); },
                                   ARGUMENTS(hGraph, path, flags));
}

CUresult cuUserObjectCreate(CUuserObject* object_out, void* ptr, CUhostFn destroy, unsigned int initialRefcount,
                            unsigned int flags) {
  return driver::entry_initialised(
      [&] { return cudaUserObjectCreate(object_out, ptr, destroy, initialRefcount, flags); },
      ARGUMENTS(object_out, ptr, destroy, initialRefcount, flags));
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return driver::entry_initialised([&] { return cudaUserObjectRetain(object, count); }, ARGUMENTS(object, count));
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return driver::entry_initialised([&] { return cudaUserObjectRelease(object, count); }, ARGUMENTS(object, count));
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
  return driver::entry_initialised([&] { return cudaGraphRetainUserObject(graph, object, count, flags); },
                                   ARGUMENTS(graph, object, count, flags));
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  return driver::entry_initialised([&] { return cudaGraphReleaseUserObject(graph, object, count); },
                                   ARGUMENTS(graph, object, count));
}
}
