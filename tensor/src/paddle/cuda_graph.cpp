#include <reprise/paddle/cuda_graph.h>

namespace reprise::paddle {

CUDAGraph::CUDAGraph(CUDAPlace place, const std::string& mode) : reprise::CUDAGraph(capture_mode(mode)) {
  check_place(place, "a CUDAGraph");
}

void CUDAGraph::print_to_dot_files(const std::string& directory) const {
  debug_dump(directory + "/graph_" + std::to_string(id()) + ".dot");
}

}  // namespace reprise::paddle
