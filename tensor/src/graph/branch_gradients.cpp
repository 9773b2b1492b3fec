#include "graph/branch_gradients.h"

#include "autograd/engine.h"
#include "autograd/record.h"
#include "graph/conditional_node.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise {
namespace {

using autograd::Edge;
using autograd::Node;

class Branches final : public Node {
 public:
  Branches(const Tensor& predicate, const std::array<Tensors, 2>& branches, std::uint64_t begin)
      : Node("cond"), predicate_(predicate, "cond"), branches_(branches) {
    for (const Tensors& given : branches) autograd::add_ends(given, begin, ends_);
    for (const Edge& end : ends_) add_edge(end);
  }

  std::vector<Tensor> backward(std::vector<Tensor> gradients) override {
    if (ends_.empty()) autograd::fail_released(name());
    const bool again = is_grad_enabled();
    NoGradGuard guard;
    std::shared_ptr<CaptureContext> context = capture_context_of(current_stream());
    Tensors found = context ? captured(context, gradients) : towards_ends(chosen_now(), gradients);
    if (again) autograd::forbid_history(found, name());
    return found;
  }
  void release() override {
    predicate_ = {};
    branches_ = {};
    ends_.clear();
  }

 private:
  // The branch that the last replay took; outside captures only.
  std::size_t chosen_now() const { return predicate_.get().item<float>() != 0 ? 0 : 1; }

  Tensors towards_ends(std::size_t branch, const Tensors& gradients) const {
    Tensors outputs, weights;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i].defined() || !branches_[branch][i].requires_grad()) continue;
      outputs.push_back(branches_[branch][i]);
      weights.push_back(gradients[i]);
    }
    if (outputs.empty()) return Tensors(ends_.size());
    BackwardOptions options;
    options.retain_graph = true;
    return autograd::gradients_at(ends_, outputs, weights, options);
  }

  Tensors captured(const std::shared_ptr<CaptureContext>& context, const Tensors& gradients) const {
    Tensors results;
    for (const Edge& end : ends_) {
      const Result& of = end.node->results()[end.input];
      results.push_back(kernels::empty(of.sizes, of.dtype));
    }
    ConditionalNode node(context, current_stream(), cudaGraphCondTypeIf, 2, predicate_,
                         ConditionalNode::RandomNumbers::none);
    for (unsigned branch = 0; branch < 2; ++branch) {
      node.capture(branch, [&] {
        const Tensors found = towards_ends(branch, gradients);
        for (std::size_t i = 0; i < results.size(); ++i) {
          found[i].defined() ? kernels::copy_(results[i], found[i]) : kernels::zero_(results[i]);
        }
      });
    }
    return results;
  }

  autograd::SavedTensor predicate_;
  std::array<Tensors, 2> branches_;
  std::vector<Edge> ends_;
};

class NotDifferentiable final : public Node {
 public:
  NotDifferentiable(const char* name, const char* why) : Node(name), why_(why) {}
  std::vector<Tensor> backward(std::vector<Tensor>) override { fail("backward through ", name(), ": ", why_); }

 private:
  const char* why_;
};

void give_history(Tensors& results, const std::shared_ptr<Node>& node) {
  for (Tensor& result : results) {
    if (is_floating(result.dtype())) autograd::set_history(result, node);
  }
}

}  // namespace

void record_branches(const Tensor& predicate, const std::array<Tensors, 2>& branches, std::uint64_t begin,
                     Tensors& results) {
  // The node has one result for each tensor that can have a gradient.
  std::array<Tensors, 2> floating;
  bool wanted = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!is_floating(results[i].dtype())) continue;
    for (std::size_t k = 0; k < 2; ++k) {
      floating[k].push_back(branches[k][i]);
      wanted = wanted || autograd::wants_gradient(branches[k][i]);
    }
  }
  if (wanted) give_history(results, std::make_shared<Branches>(predicate, floating, begin));
}

void record_not_differentiable(const char* name, const char* why, const Tensors& inputs, Tensors& results) {
  auto node = std::make_shared<NotDifferentiable>(name, why);
  for (const Tensor& input : inputs) node->add_edge(autograd::gradient_edge(input));
  give_history(results, node);
}

}  // namespace reprise
