#include "diagnose/graph_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace reprise_runtime::diagnose {
namespace {

using Edges = std::vector<std::pair<uint32_t, uint32_t>>;

// Nodes in topological order; those of cycles are missing.
std::vector<uint32_t> topological(size_t count, const Edges& edges, const std::vector<std::vector<uint32_t>>& after) {
  std::vector<uint32_t> missing(count, 0), order;
  for (const auto& edge : edges) ++missing[edge.second];
  for (uint32_t node = 0; node < count; ++node)
    if (missing[node] == 0) order.push_back(node);
  for (size_t i = 0; i < order.size(); ++i)
    for (const uint32_t next : after[order[i]])
      if (--missing[next] == 0) order.push_back(next);
  return order;
}

std::vector<std::vector<uint32_t>> dependents_of(size_t count, const Edges& edges) {
  std::vector<std::vector<uint32_t>> after(count);
  for (const auto& [from, to] : edges) after[from].push_back(to);
  return after;
}

// A node, or the place of a long edge in a row that it passes.
struct Item {
  uint32_t row;
  double width;
  double x = 0;
  std::vector<uint32_t> up, down;  // neighbours in the rows before and after
};

class Placement {
 public:
  Placement(const std::vector<LayoutNode>& nodes, const Edges& edges) : nodes_(nodes), edges_(edges) {}

  GraphLayout run() {
    choose_rows();
    add_items();
    for (int sweep = 0; sweep < 6; ++sweep) order_rows(sweep % 2 == 0);
    place();
    return result();
  }

 private:
  static constexpr double edge_width = 6;
  static constexpr size_t most_items = 60'000;

  void choose_rows() {
    row_of_.assign(nodes_.size(), 0);
    const auto after = dependents_of(nodes_.size(), edges_);
    // A row that would be much wider than the drawing is high goes on in the next one.
    const auto most = std::max<size_t>(16, static_cast<size_t>(1.5 * std::sqrt(static_cast<double>(nodes_.size()))));
    std::vector<size_t> used;
    for (const uint32_t node : topological(nodes_.size(), edges_, after)) {
      uint32_t& row = row_of_[node];
      while (row < used.size() && used[row] >= most) ++row;
      if (row >= used.size()) used.resize(row + 1);
      ++used[row];
      for (const uint32_t next : after[node]) row_of_[next] = std::max(row_of_[next], row + 1);
    }
  }

  void add_items() {
    for (size_t i = 0; i < nodes_.size(); ++i) items_.push_back({row_of_[i], nodes_[i].width, 0, {}, {}});
    for (const auto& [from, to] : edges_) {
      std::vector<uint32_t> path{from};
      const bool passes = row_of_[from] < row_of_[to] && items_.size() < most_items;
      for (uint32_t row = row_of_[from] + 1; passes && row < row_of_[to]; ++row) {
        path.push_back(static_cast<uint32_t>(items_.size()));
        items_.push_back({row, edge_width, 0, {}, {}});
      }
      path.push_back(to);
      for (size_t i = 0; i + 1 < path.size(); ++i) {
        if (items_[path[i + 1]].row != items_[path[i]].row + 1) continue;
        items_[path[i]].down.push_back(path[i + 1]);
        items_[path[i + 1]].up.push_back(path[i]);
      }
      paths_.push_back(std::move(path));
    }
    const uint32_t rows = nodes_.empty() ? 0 : *std::max_element(row_of_.begin(), row_of_.end()) + 1;
    rows_.resize(rows);
    for (uint32_t i = 0; i < items_.size(); ++i) rows_[items_[i].row].push_back(i);
    position_.resize(items_.size());
    for (const auto& row : rows_) number(row);
  }

  void number(const std::vector<uint32_t>& row) {
    for (size_t i = 0; i < row.size(); ++i) position_[row[i]] = static_cast<double>(i);
  }

  void order_rows(bool downwards) {
    for (size_t i = 0; i < rows_.size(); ++i) {
      std::vector<uint32_t>& row = rows_[downwards ? i : rows_.size() - 1 - i];
      struct Key {
        double mean, before;
        uint32_t item;
      };
      std::vector<Key> keys;
      for (const uint32_t item : row) {
        const auto& others = downwards ? items_[item].up : items_[item].down;
        double sum = 0;
        for (const uint32_t other : others) sum += position_[other];
        keys.push_back(
            {others.empty() ? position_[item] : sum / static_cast<double>(others.size()), position_[item], item});
      }
      std::sort(keys.begin(), keys.end(),
                [](const Key& a, const Key& b) { return std::tie(a.mean, a.before) < std::tie(b.mean, b.before); });
      for (size_t k = 0; k < row.size(); ++k) row[k] = keys[k].item;
      number(row);
    }
  }

  double distance(uint32_t left, uint32_t right) const {
    return (items_[left].width + items_[right].width) / 2 + GraphLayout::gap;
  }

  // Side by side first; then each row moves towards its neighbours as far as the order allows.
  void place() {
    for (const auto& row : rows_) {
      double at = 0;
      for (size_t i = 0; i < row.size(); ++i) {
        if (i > 0) at += distance(row[i - 1], row[i]);
        items_[row[i]].x = at;
      }
      for (const uint32_t item : row) items_[item].x -= at / 2;
    }
    for (int pass = 0; pass < 10; ++pass) {
      for (size_t i = 0; i < rows_.size(); ++i) settle(rows_[pass % 2 == 0 ? i : rows_.size() - 1 - i], pass % 2 == 0);
    }
  }

  void settle(const std::vector<uint32_t>& row, bool downwards) {
    std::vector<double> wanted(row.size());
    for (size_t i = 0; i < row.size(); ++i) {
      const Item& item = items_[row[i]];
      const auto& others = downwards ? item.up : item.down;
      wanted[i] = item.x;
      if (others.empty()) continue;
      wanted[i] = 0;
      for (const uint32_t other : others) wanted[i] += items_[other].x / static_cast<double>(others.size());
    }
    // The mean of the tightest placements from the left and from the right keeps the order and the distances.
    std::vector<double> left = wanted, right = wanted;
    for (size_t i = 1; i < row.size(); ++i) left[i] = std::max(left[i], left[i - 1] + distance(row[i - 1], row[i]));
    for (size_t i = row.size(); i-- > 1;)
      right[i - 1] = std::min(right[i - 1], right[i] - distance(row[i - 1], row[i]));
    for (size_t i = 0; i < row.size(); ++i) items_[row[i]].x = (left[i] + right[i]) / 2;
  }

  GraphLayout result() const {
    GraphLayout layout;
    double leftmost = 0, rightmost = 0;
    for (size_t i = 0; i < items_.size(); ++i) {
      const double from = items_[i].x - items_[i].width / 2, to = items_[i].x + items_[i].width / 2;
      leftmost = i == 0 ? from : std::min(leftmost, from);
      rightmost = i == 0 ? to : std::max(rightmost, to);
    }
    layout.width = rightmost - leftmost;
    layout.rows.resize(rows_.size());
    for (size_t i = 0; i < nodes_.size(); ++i)
      layout.rows[row_of_[i]].height = std::max(layout.rows[row_of_[i]].height, nodes_[i].height);
    for (size_t row = 0; row < rows_.size(); ++row) {
      layout.rows[row].top = layout.height;
      layout.height += layout.rows[row].height + (row + 1 < rows_.size() ? GraphLayout::row_gap : 0);
    }
    const auto place = [&](uint32_t item) { return GraphLayout::Place{items_[item].x - leftmost, items_[item].row}; };
    for (uint32_t i = 0; i < nodes_.size(); ++i) layout.nodes.push_back(place(i));
    for (const auto& path : paths_) {
      std::vector<GraphLayout::Place> places;
      for (const uint32_t item : path) places.push_back(place(item));
      layout.edges.push_back(std::move(places));
    }
    return layout;
  }

  const std::vector<LayoutNode>& nodes_;
  const Edges& edges_;
  std::vector<uint32_t> row_of_;
  std::vector<Item> items_;
  std::vector<std::vector<uint32_t>> paths_;  // of items, one for each edge
  std::vector<std::vector<uint32_t>> rows_;
  std::vector<double> position_;  // in the row
};

}  // namespace

GraphLayout lay_out(const std::vector<LayoutNode>& nodes, const Edges& edges) { return Placement(nodes, edges).run(); }

std::vector<bool> critical_path(const std::vector<double>& weight, const Edges& edges) {
  const size_t count = weight.size();
  const auto after = dependents_of(count, edges);
  std::vector<double> until(count, 0);
  std::vector<uint32_t> before(count);
  std::iota(before.begin(), before.end(), 0u);
  std::vector<bool> marked(count, false);
  uint32_t last = 0;
  for (const uint32_t node : topological(count, edges, after)) {
    until[node] += weight[node];
    if (until[node] > until[last]) last = node;
    for (const uint32_t next : after[node]) {
      if (before[next] != next && until[next] >= until[node]) continue;
      until[next] = until[node];
      before[next] = node;
    }
  }
  if (count == 0) return marked;
  for (uint32_t node = last; !marked[node]; node = before[node]) marked[node] = true;
  return marked;
}

}  // namespace reprise_runtime::diagnose
