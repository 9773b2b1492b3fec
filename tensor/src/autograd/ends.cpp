#include <algorithm>
#include <unordered_set>

#include "autograd/engine.h"

namespace reprise::autograd {

void add_ends(const std::vector<Tensor>& results, std::uint64_t begin, std::vector<Edge>& ends) {
  std::vector<Edge> pending;
  auto go_on_with = [&](Edge edge) {
    if (edge.node) pending.push_back(std::move(edge));
  };
  for (const Tensor& result : results) go_on_with(gradient_edge(result));
  std::unordered_set<const Node*> seen;
  while (!pending.empty()) {
    Edge edge = std::move(pending.back());
    pending.pop_back();
    if (edge.node->edges().empty() || edge.node->sequence() < begin) {
      const bool known = std::any_of(ends.begin(), ends.end(),
                                     [&](const Edge& end) { return end.node == edge.node && end.input == edge.input; });
      if (!known) ends.push_back(std::move(edge));
    } else if (seen.insert(edge.node.get()).second) {
      for (const Edge& next : edge.node->edges()) go_on_with(next);
    }
  }
}

}  // namespace reprise::autograd
