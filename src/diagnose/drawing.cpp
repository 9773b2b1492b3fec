// The SVG is complete by itself. Its groups carry what the script of the page needs to fold graphs inside nodes: the
// row of each node, and the places that each edge passes.
#include "diagnose/drawing.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "diagnose/drawing_page.h"
#include "diagnose/graph_layout.h"

namespace reprise_runtime::diagnose {
namespace {

constexpr double line_height = 15, letter_width = 7.4, padding = 8, inner_margin = 14;
constexpr size_t longest_line = 56, most_lines = 4;

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof text, pattern, arguments);
  va_end(arguments);
  return text;
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<') {
      safe += "&lt;";
    } else if (c == '>') {
      safe += "&gt;";
    } else if (c == '&') {
      safe += "&amp;";
    } else if (c == '"') {
      safe += "&quot;";
    } else if (c == '\n') {
      safe += "&#10;";
    } else {
      safe += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return safe;
}

std::string shortened(const std::string& text) {
  return text.size() <= longest_line ? text : text.substr(0, longest_line - 3) + "...";
}

std::string time_text(double ns) {
  return ns < 1000 ? format("%.0f ns", ns) : ns < 1e6 ? format("%.1f us", ns / 1000) : format("%.2f ms", ns / 1e6);
}

std::string bytes_text(double bytes) {
  return bytes < 1024          ? format("%.0f B", bytes)
         : bytes < 1024 * 1024 ? format("%.1f KiB", bytes / 1024)
                               : format("%.1f MiB", bytes / (1024 * 1024));
}

// A node's own lines: its title, details and time.
std::vector<std::string> lines_of(const DrawnNode& node) {
  std::vector<std::string> lines{shortened(node.title)};
  for (const std::string& detail : node.details) {
    if (lines.size() == most_lines) break;
    lines.push_back(shortened(detail));
  }
  if (node.ns > 0) lines.push_back(time_text(node.ns));
  return lines;
}

// A graph with the places of its nodes, and the same for the graphs inside them.
struct Plane {
  const DrawnGraph& graph;
  std::vector<std::vector<Plane>> inside;  // of each node
  std::vector<LayoutNode> sizes;
  std::vector<double> heads;  // heights of the nodes without the graphs inside
  GraphLayout layout;
  std::vector<bool> critical;

  explicit Plane(const DrawnGraph& drawn) : graph(drawn) {
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    for (const DrawnEdge& edge : graph.edges) edges.emplace_back(edge.from, edge.to);
    std::vector<double> weights;
    const bool measured = std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const auto& n) { return n.ns > 0; });
    for (const DrawnNode& node : graph.nodes) {
      add(node);
      weights.push_back(measured ? node.ns : 1);
    }
    layout = lay_out(sizes, edges);
    critical = critical_path(weights, edges);
  }

  double width() const { return layout.width + 2 * inner_margin; }
  double height() const { return layout.height + 2 * inner_margin + line_height; }

 private:
  void add(const DrawnNode& node) {
    double width = 60;
    const std::vector<std::string> lines = lines_of(node);
    for (const std::string& line : lines)
      width = std::max(width, static_cast<double>(line.size()) * letter_width + 2 * padding);
    double height = static_cast<double>(lines.size()) * line_height + 2 * padding;
    heads.push_back(height);
    std::vector<Plane> planes;
    for (const DrawnGraph& each : node.inside) {
      planes.emplace_back(each);
      width = std::max(width, planes.back().width() + 2 * padding);
      height += planes.back().height() + padding;
    }
    inside.push_back(std::move(planes));
    sizes.push_back({width, height});
  }
};

const char* change_name(DrawnChange change) {
  constexpr const char* names[] = {"", " added", " removed", " changed"};
  return names[static_cast<size_t>(change)];
}

class Svg {
 public:
  std::string text;

  void add(const Plane& plane) {
    text += "<g class=\"graph\">";
    add_edges(plane);
    for (size_t i = 0; i < plane.graph.nodes.size(); ++i) add_node(plane, i);
    text += "</g>\n";
  }

 private:
  // The same as pathOf() of the page's script.
  void add_edges(const Plane& plane) {
    for (size_t i = 0; i < plane.graph.edges.size(); ++i) {
      const DrawnEdge& edge = plane.graph.edges[i];
      const auto& places = plane.layout.edges[i];
      std::string points, path;
      for (const GraphLayout::Place& place : places) points += format("%.1f,%u ", place.x, place.row);
      const auto row = [&](size_t k) { return plane.layout.rows[places[k].row]; };
      double y = row(0).top + plane.sizes[edge.from].height;
      path = format("M%.1f %.1f", places[0].x, y);
      for (size_t k = 1; k < places.size(); ++k) {
        const double next = row(k).top;
        const double middle = (y + next) / 2;
        path +=
            format("C%.1f %.1f %.1f %.1f %.1f %.1f", places[k - 1].x, middle, places[k].x, middle, places[k].x, next);
        if (k + 1 == places.size()) break;
        y = next + row(k).height;
        path += format("L%.1f %.1f", places[k].x, y);
      }
      const bool critical = plane.critical[edge.from] && plane.critical[edge.to];
      text += format("<path class=\"edge%s%s\" data-from=\"%u\" data-to=\"%u\" data-points=\"",
                     critical ? " critical" : "", edge.early ? " early" : "", edge.from, edge.to) +
              points + "\" marker-end=\"url(#arrow)\" d=\"" + path + "\">" +
              (edge.label.empty() ? "" : "<title>" + escaped(edge.label) + "</title>") + "</path>\n";
    }
  }

  void add_node(const Plane& plane, size_t i) {
    const DrawnNode& node = plane.graph.nodes[i];
    const GraphLayout::Place& place = plane.layout.nodes[i];
    const LayoutNode& size = plane.sizes[i];
    text += format(
        "<g class=\"node %s%s%s\" data-index=\"%zu\" data-row=\"%u\" data-height=\"%.1f\" data-head=\"%.1f\" "
        "data-handle=\"0x%llx\" transform=\"translate(%.1f,%.1f)\"",
        node.kind.c_str(), plane.critical[i] ? " critical" : "", change_name(node.change), i, place.row, size.height,
        plane.heads[i], static_cast<unsigned long long>(node.handle), place.x - size.width / 2,
        plane.layout.rows[place.row].top);
    std::string all = node.title;
    for (const std::string& detail : node.details) all += "\n" + detail;
    if (node.ns > 0) all += "\n" + time_text(node.ns);
    text += " data-text=\"" + escaped(all) + "\">";
    text += format("<rect width=\"%.1f\" height=\"%.1f\" rx=\"5\"/>", size.width, size.height);
    double y = padding + 11;
    bool first = true;
    for (const std::string& line : lines_of(node)) {
      text += format("<text x=\"%.1f\" y=\"%.1f\"%s>", padding, y, first ? " class=\"title\"" : "") + escaped(line) +
              "</text>";
      y += line_height;
      first = false;
    }
    add_inside(plane, i);
    text += "</g>\n";
  }

  void add_inside(const Plane& plane, size_t i) {
    if (plane.inside[i].empty()) return;
    text += format("<text class=\"fold\" x=\"%.1f\" y=\"%.1f\">[-]</text>", plane.sizes[i].width - 24, padding + 11);
    double y = plane.heads[i];
    for (const Plane& inner : plane.inside[i]) {
      text += format(
                  "<g class=\"inside\" transform=\"translate(%.1f,%.1f)\"><rect class=\"frame\" width=\"%.1f\" "
                  "height=\"%.1f\" rx=\"4\"/><text x=\"6\" y=\"13\" class=\"title\">",
                  padding, y, inner.width(), inner.height()) +
              escaped(inner.graph.title) +
              format("</text><g transform=\"translate(%.1f,%.1f)\">", inner_margin, inner_margin + line_height);
      add(inner);
      text += "</g></g>";
      y += inner.height() + padding;
    }
  }
};

// Live bytes of graph memory, node by node in the order of the rows.
std::string memory_chart(const Plane& plane) {
  std::vector<uint32_t> order(plane.graph.nodes.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::pair(plane.layout.nodes[a].row, a) < std::pair(plane.layout.nodes[b].row, b);
  });
  std::vector<double> live{0};
  double highest = 0;
  for (const uint32_t i : order) {
    live.push_back(std::max(0.0, live.back() + static_cast<double>(plane.graph.nodes[i].memory)));
    highest = std::max(highest, live.back());
  }
  if (highest == 0) return {};
  constexpr double width = 600, height = 60;
  std::string points = format("0,%.1f ", height);
  for (size_t i = 0; i < live.size(); ++i) {
    const double x = width * static_cast<double>(i) / static_cast<double>(live.size());
    const double y = height - height * live[i] / highest,
                 next = width * static_cast<double>(i + 1) / static_cast<double>(live.size());
    points += format("%.1f,%.1f %.1f,%.1f ", x, y, next, y);
  }
  points += format("%.1f,%.1f", width, height);
  return "<figure id=\"memory\"><figcaption>graph memory over the nodes, at most " + bytes_text(highest) +
         format("</figcaption><svg viewBox=\"0 0 %.0f %.0f\" preserveAspectRatio=\"none\"><polygon points=\"", width,
                height) +
         points + "\"/></svg></figure>";
}

std::string svg_of(const Plane& plane) {
  constexpr double margin = 20;
  Svg svg;
  svg.text = format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"drawing\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
      "height=\"%.0f\">",
      plane.layout.width + 2 * margin, plane.layout.height + 2 * margin, plane.layout.width + 2 * margin,
      plane.layout.height + 2 * margin);
  svg.text += std::string("<style>") + drawing_style + "</style>" + drawing_arrow;
  svg.text += format("<g id=\"view\"><g transform=\"translate(%.0f,%.0f)\">", margin, margin);
  svg.add(plane);
  return svg.text + "</g></g></svg>\n";
}

void count_nodes(const DrawnGraph& graph, size_t& nodes) {
  nodes += graph.nodes.size();
  for (const DrawnNode& node : graph.nodes)
    for (const DrawnGraph& inside : node.inside) count_nodes(inside, nodes);
}

// The lines that differ, as "was grid (4,1,1)", "now grid (8,1,1)".
std::vector<std::string> changes_of(const DrawnNode& older, const DrawnNode& newer) {
  std::vector<std::string> lines;
  const auto differ = [&](const std::string& before, const std::string& after) {
    if (before == after) return;
    if (!before.empty()) lines.push_back("was " + before);
    if (!after.empty()) lines.push_back("now " + after);
  };
  differ(older.title, newer.title);
  for (size_t i = 0; i < std::max(older.details.size(), newer.details.size()); ++i) {
    const std::string before = i < older.details.size() ? older.details[i] : "";
    const std::string after = i < newer.details.size() ? newer.details[i] : "";
    differ(before, after);
  }
  return lines;
}

void mark(DrawnGraph& graph, DrawnChange change) {
  for (DrawnNode& node : graph.nodes) {
    node.change = change;
    for (DrawnGraph& inside : node.inside) mark(inside, change);
  }
}

}  // namespace

std::string svg_of(const DrawnGraph& graph) { return svg_of(Plane(graph)); }

std::string page_of(const DrawnGraph& graph) {
  const Plane plane(graph);
  size_t nodes = 0;
  count_nodes(graph, nodes);
  double path_ns = 0;
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (plane.critical[i]) path_ns += graph.nodes[i].ns;
  std::string heading = escaped(graph.title) + format(", %zu nodes", nodes);
  if (path_ns > 0) heading += ", critical path " + time_text(path_ns);
  std::string page = std::string("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>") +
                     escaped(graph.title) + "</title><style>" + page_style + "</style></head><body>\n<header><b>" +
                     heading + "</b>" + page_controls + "</header>\n<main>" + svg_of(plane) + "</main>\n" +
                     memory_chart(plane) + "<aside id=\"details\"></aside>\n<script>" + page_script +
                     "</script></body></html>\n";
  return page;
}

DrawnGraph difference(const DrawnGraph& older, const DrawnGraph& newer) {
  DrawnGraph result = newer;
  std::vector<bool> paired(older.nodes.size(), false);
  for (DrawnNode& node : result.nodes) {
    size_t other = 0;
    while (other < older.nodes.size() && (paired[other] || older.nodes[other].kind != node.kind)) ++other;
    if (other == older.nodes.size()) {
      node.change = DrawnChange::added;
      for (DrawnGraph& inside : node.inside) mark(inside, DrawnChange::added);
      continue;
    }
    paired[other] = true;
    const DrawnNode& before = older.nodes[other];
    std::vector<std::string> lines = changes_of(before, node);
    if (!lines.empty()) {
      node.change = DrawnChange::changed;
      node.details = std::move(lines);
    }
    for (size_t i = 0; i < node.inside.size() && i < before.inside.size(); ++i)
      node.inside[i] = difference(before.inside[i], node.inside[i]);
  }
  for (size_t i = 0; i < older.nodes.size(); ++i) {
    if (paired[i]) continue;
    result.nodes.push_back(older.nodes[i]);
    result.nodes.back().change = DrawnChange::removed;
  }
  return result;
}

}  // namespace reprise_runtime::diagnose
