// The backward pass. For each node reachable from the outputs it counts the gradients still to arrive and sums those
// that have arrived. A node with none to arrive is ready; of the ready nodes, the most recently recorded runs first.
#include "autograd/engine.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

#include "autograd/record.h"
#include "autograd/unit_gradient.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"

namespace reprise {
namespace {

using autograd::Edge;
using autograd::Node;
using Tensors = std::vector<Tensor>;

// The gradients that have reached one node.
struct Arrived {
  Tensors gradients;
  std::vector<bool> own;  // sums allocated here, which may be added to in place
  std::size_t to_come = 0;
  bool needed = true;  // whether a target is reachable
};

struct Earlier {
  bool operator()(const std::shared_ptr<Node>& a, const std::shared_ptr<Node>& b) const {
    return a->sequence() < b->sequence();
  }
};

class BackwardPass {
 public:
  explicit BackwardPass(BackwardOptions options) : options_(options) {}

  // Gradients stop at these nodes, which do not run: they belong to another pass.
  void end_at(const std::vector<Edge>& targets) {
    ends_there_ = true;
    for (const Edge& target : targets) targets_[target.node.get()] = true;
  }

  // Adds all nodes reachable by `edge` to the pass.
  void reach(const Edge& edge) {
    std::vector<Node*> found;
    if (enter(edge.node.get())) found.push_back(edge.node.get());
    while (!found.empty()) {
      Node* node = found.back();
      found.pop_back();
      order_.push_back(node);
      if (is_end(node)) continue;
      for (const Edge& next : node->edges()) {
        if (!next.node) continue;
        if (enter(next.node.get())) found.push_back(next.node.get());
        ++arrived_[next.node.get()].to_come;
      }
    }
  }

  // Restricts the pass to nodes that lead to one of `targets`, and collects the gradients of the targets.
  void only_towards(const std::vector<Edge>& targets);

  void arrive(const Edge& edge, Tensor gradient, const char* from) {
    Arrived& here = arrived_.at(edge.node.get());
    if (!here.needed || !gradient.defined()) return;
    check_shape(*edge.node, edge.input, gradient, from);
    if (here.gradients.empty()) {
      here.gradients.resize(edge.node->results().size());
      here.own.resize(here.gradients.size());
    }
    Tensor& sum = here.gradients[edge.input];
    if (!sum.defined()) {
      sum = std::move(gradient);
    } else if (here.own[edge.input]) {
      kernels::add_(sum, gradient);
    } else {
      sum = autograd::add_gradients(sum, gradient);
      here.own[edge.input] = !options_.create_graph;
    }
  }

  void run(const std::vector<Edge>& roots) {
    for (const Edge& root : roots) {
      if (arrived_.at(root.node.get()).to_come == 0 && !queued_[root.node.get()]) {
        queued_[root.node.get()] = true;
        ready_.push(root.node);
      }
    }
    while (!ready_.empty()) {
      std::shared_ptr<Node> node = ready_.top();
      ready_.pop();
      run(*node);
    }
  }

  Tensor taken(const Edge& target) const {
    auto found = taken_.find(target.node.get());
    return found == taken_.end() || found->second.empty() ? Tensor() : found->second[target.input];
  }

 private:
  bool is_end(const Node* node) const { return ends_there_ && targets_.count(node) != 0; }
  bool enter(Node* node) { return arrived_.emplace(node, Arrived{}).second; }

  static void check_shape(const Node& node, unsigned input, const Tensor& gradient, const char* from) {
    const Node::Result& wanted = node.results()[input];
    check(gradient.sizes() == wanted.sizes && gradient.dtype() == wanted.dtype, from, " gave a gradient of shape ",
          gradient.sizes(), " and type ", gradient.dtype(), " for a result of ", node.name(), " of shape ",
          wanted.sizes, " and type ", wanted.dtype);
  }

  void run(Node& node) {
    // Moved out of the map, so that gradients are freed as soon as the node has used them.
    Arrived here = std::move(arrived_.at(&node));
    if (is_end(&node)) {
      if (!here.gradients.empty()) taken_[&node] = std::move(here.gradients);
      return;
    }
    Tensors gradients;
    if (here.needed && !here.gradients.empty()) {
      node.run_hooks(here.gradients);
      auto target = targets_.find(&node);
      if (target != targets_.end()) taken_[&node] = here.gradients;
      if (goes_on(node)) {
        gradients = node.backward(std::move(here.gradients));
        check(node.edges().empty() || gradients.size() == node.edges().size(), "backward of ", node.name(), " gave ",
              gradients.size(), " gradients for ", node.edges().size(), " arguments");
      }
      if (!options_.retain_graph && !options_.create_graph) node.release();
    }
    gradients.resize(node.edges().size());
    for (std::size_t i = 0; i < node.edges().size(); ++i) {
      const Edge& edge = node.edges()[i];
      if (!edge.node) continue;
      arrive(edge, std::move(gradients[i]), node.name());
      if (--arrived_.at(edge.node.get()).to_come == 0) ready_.push(edge.node);
    }
  }

  // A target that leads to no other target does not run.
  bool goes_on(const Node& node) const {
    if (!limited_) return true;
    for (const Edge& edge : node.edges()) {
      if (edge.node && arrived_.at(edge.node.get()).needed) return true;
    }
    return false;
  }

  const BackwardOptions options_;
  std::unordered_map<Node*, Arrived> arrived_;
  std::vector<Node*> order_;
  std::unordered_map<Node*, bool> queued_;
  std::priority_queue<std::shared_ptr<Node>, std::vector<std::shared_ptr<Node>>, Earlier> ready_;
  bool limited_ = false;
  bool ends_there_ = false;
  std::unordered_map<const Node*, bool> targets_;
  std::unordered_map<const Node*, Tensors> taken_;
};

void BackwardPass::only_towards(const std::vector<Edge>& targets) {
  limited_ = true;
  for (const Edge& target : targets) targets_[target.node.get()] = true;
  for (auto& [node, here] : arrived_) here.needed = targets_.count(node) != 0;
  // Edges lead to leaves or to nodes recorded earlier, so in this order the targets of all edges are decided first.
  std::sort(order_.begin(), order_.end(), [](Node* a, Node* b) {
    const bool leaf_a = a->edges().empty(), leaf_b = b->edges().empty();
    return leaf_a != leaf_b ? leaf_a : a->sequence() < b->sequence();
  });
  for (Node* node : order_) {
    if (is_end(node)) continue;
    Arrived& here = arrived_.at(node);
    for (const Edge& edge : node->edges()) {
      if (edge.node && arrived_.at(edge.node.get()).needed) here.needed = true;
    }
  }
}

Tensor first_gradient(const Tensor& output, const Tensors& gradients, std::size_t index) {
  if (index < gradients.size() && gradients[index].defined()) return gradients[index];
  check(output.numel() == 1, "backward from a tensor of shape ", output.sizes(),
        " needs a gradient argument: it is optional only for a single element");
  return kernels::ones(output.sizes(), output.dtype());
}

std::vector<Edge> edges_of(const Tensors& tensors, const char* what) {
  std::vector<Edge> edges;
  for (const Tensor& tensor : tensors) {
    edges.push_back(autograd::gradient_edge(tensor));
    check(tensor.defined(), what, " number ", edges.size() - 1, " is not defined");
    check(edges.back().node != nullptr, what, " number ", edges.size() - 1, " of shape ", tensor.sizes(),
          " does not require gradients and was not computed from a tensor that does");
  }
  return edges;
}

// Whether only the node itself uses its gradient.
bool may_begin_with_unit(const Node& node, const Tensors& gradients) {
  return gradients.empty() && node.knows_unit_gradient() && !node.has_hooks();
}

void begin(BackwardPass& pass, const std::vector<Edge>& roots, const Tensors& outputs, const Tensors& gradients,
           bool takes_none) {
  check(gradients.empty() || gradients.size() == outputs.size(), "backward from ", outputs.size(), " tensors with ",
        gradients.size(), " gradients");
  for (std::size_t i = 0; i < roots.size(); ++i) {
    const bool unit = takes_none && may_begin_with_unit(*roots[i].node, gradients);
    pass.arrive(roots[i], unit ? autograd::unit_gradient(outputs[i].dtype()) : first_gradient(outputs[i], gradients, i),
                "the caller of backward");
  }
}

}  // namespace

void backward(const Tensors& outputs, const Tensors& gradients, BackwardOptions options) {
  GradMode mode(options.create_graph);
  const std::vector<Edge> roots = edges_of(outputs, "backward: output");
  BackwardPass pass(options);
  for (const Edge& root : roots) pass.reach(root);
  begin(pass, roots, outputs, gradients, !options.create_graph);
  pass.run(roots);
}

Tensors autograd::gradients_at(const std::vector<Edge>& ends, const Tensors& outputs, const Tensors& gradients,
                               BackwardOptions options) {
  const std::vector<Edge> roots = edges_of(outputs, "backward: output");
  BackwardPass pass(options);
  pass.end_at(ends);
  for (const Edge& root : roots) pass.reach(root);
  pass.only_towards(ends);
  begin(pass, roots, outputs, gradients, false);
  pass.run(roots);
  Tensors found;
  for (const Edge& end : ends) found.push_back(pass.taken(end));
  return found;
}

Tensors grad(const Tensors& outputs, const Tensors& inputs, const Tensors& gradients, BackwardOptions options,
             bool allow_unused) {
  GradMode mode(options.create_graph);
  const std::vector<Edge> roots = edges_of(outputs, "grad: output");
  const std::vector<Edge> targets = edges_of(inputs, "grad: input");
  BackwardPass pass(options);
  for (const Edge& root : roots) pass.reach(root);
  pass.only_towards(targets);
  begin(pass, roots, outputs, gradients, false);
  pass.run(roots);
  Tensors result;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    result.push_back(pass.taken(targets[i]));
    check(result.back().defined() || allow_unused, "grad: the outputs do not depend on input number ", i, " of shape ",
          inputs[i].sizes(), "; pass allow_unused to get an undefined tensor for it");
  }
  return result;
}

}  // namespace reprise
