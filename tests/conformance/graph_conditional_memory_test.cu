// Memory nodes in the bodies of conditional nodes.
#include "graph_conditional_support.h"

namespace {

class GraphConditionalMemory : public Graphs {};

TEST_F(GraphConditionalMemory, ABodyDoesNotAllocate) {
  Conditional choice(graph, condition_of(graph), cudaGraphCondTypeIf);
  cudaMemAllocNodeParams params{};
  params.poolProps.allocType = cudaMemAllocationTypePinned;
  params.poolProps.location.type = cudaMemLocationTypeDevice;
  params.bytesize = 64;
  cudaGraphNode_t node = nullptr;
  ASK_CASE("added", cudaSuccess, cudaGraphAddMemAllocNode(&node, choice.bodies[0], nullptr, 0, &params));
  ASK_FACT("instantiated", std::string("cudaErrorInvalidValue result 3 node 0"), instantiated(graph, {node}));
}

}  // namespace
