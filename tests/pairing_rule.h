// The rule by which an update pairs nodes of two graphs, in its simplest form: tests compare it with the runtime and
// with an NVIDIA GPU.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pairing {

// A graph as an update sees it. Nodes have arbitrary numbers; `after` has a node's dependencies in the order in which
// the edges were added, `sinks` the nodes without dependents in the order in which they became such.
struct Order {
  std::vector<std::vector<int>> after;
  std::vector<int> sinks;
};

struct Answer {
  bool paired = true;
  int node = -1, from = -1;  // where the graphs do not match: the nodes of the second graph that an update reports
  std::vector<int> partner;  // of each node of the first graph, in the second
  std::vector<int> walk;     // the first graph's nodes in the order of the walk

  static Answer refused(int node, int from = -1) { return {false, node, from, {}, {}}; }
};

// Both graphs have the same number of nodes. Calls fits(node, partner) for each pair as the walk reaches it; false
// ends the walk.
template <typename Fits>
Answer pair_up(const Order& first, const Order& second, Fits fits) {
  const size_t ends = first.sinks.size();
  if (second.sinks.size() < ends) return Answer::refused(-1);
  if (second.sinks.size() > ends) return Answer::refused(second.sinks[second.sinks.size() - 1 - ends]);
  Answer answer;
  answer.partner.assign(first.after.size(), -1);
  std::vector<bool> taken(second.after.size(), false);
  auto meet = [&](int mine, int theirs) {
    answer.partner[static_cast<size_t>(mine)] = theirs;
    taken[static_cast<size_t>(theirs)] = true;
    answer.walk.push_back(mine);
  };
  for (size_t i = ends; i-- > 0;) meet(first.sinks[i], second.sinks[i]);
  for (size_t i = 0; i < answer.walk.size(); ++i) {
    const int mine = answer.walk[i], theirs = answer.partner[static_cast<size_t>(mine)];
    if (!fits(mine, theirs)) return Answer::refused(theirs);
    const auto &a = first.after[static_cast<size_t>(mine)], &b = second.after[static_cast<size_t>(theirs)];
    if (a.size() != b.size()) return Answer::refused(theirs);
    for (size_t k = 0; k < a.size(); ++k) {
      const int met = answer.partner[static_cast<size_t>(a[k])];
      if (met == -1 && !taken[static_cast<size_t>(b[k])]) {
        meet(a[k], b[k]);
      } else if (met != b[k]) {
        return Answer::refused(theirs, b[k]);
      }
    }
  }
  return answer;
}

}  // namespace pairing
