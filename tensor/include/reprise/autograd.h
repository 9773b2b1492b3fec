// Reverse-mode automatic differentiation.
//
// An operation on tensors that require gradients creates a Node with an edge to the producer of each argument.
// backward() visits nodes from the results to the leaves, the most recently recorded first. It sums the gradients that
// reach a node, runs the node once, and releases its saved tensors: during a capture their memory returns to the
// graph's pool at once. Everything runs on the calling thread and its current stream; the host reads no values.
//
// Thread safety: threads may record and differentiate concurrently on different tensors. Two threads that accumulate
// into the same leaf race.
#pragma once

#include <reprise/grad_mode.h>
#include <reprise/tensor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace reprise {
namespace autograd {

class Node;

// Where a gradient goes: to input `input` of `node`. A null node means that the gradient is not needed.
struct Edge {
  std::shared_ptr<Node> node;
  unsigned input = 0;
};

// Called with a gradient; returns a replacement, or an undefined tensor to keep it.
using Hook = std::function<Tensor(const Tensor&)>;

class Node : public std::enable_shared_from_this<Node> {
 public:
  // Shape and type of a result and of its gradient.
  struct Result {
    Sizes sizes;
    DType dtype;
  };

  // `name` must be a string literal.
  explicit Node(const char* name);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Computes the gradients of the arguments, one per edge, from those of the results. Both may contain undefined
  // tensors where there is no gradient.
  virtual std::vector<Tensor> backward(std::vector<Tensor> gradients) = 0;
  // Releases saved tensors; backward cannot be called again.
  virtual void release() {}

  const char* name() const { return name_; }
  // Increases with the time of recording; accumulation into leaves has the greatest value and so runs first.
  std::uint64_t sequence() const { return sequence_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Result>& results() const { return results_; }
  bool wants(std::size_t argument) const { return edges_[argument].node != nullptr; }

  void add_edge(Edge edge) { edges_.push_back(std::move(edge)); }
  unsigned add_result(const Tensor& result);
  // Calls the hook with the complete gradient of result `result`, before backward runs.
  void add_hook(unsigned result, Hook hook) { hooks_.push_back({result, std::move(hook)}); }
  void run_hooks(std::vector<Tensor>& gradients) const;
  bool has_hooks() const { return !hooks_.empty(); }

  // Whether backward accepts autograd::unit_gradient() itself.
  bool knows_unit_gradient() const { return knows_unit_gradient_; }
  void set_knows_unit_gradient() { knows_unit_gradient_ = true; }

 protected:
  Node(const char* name, std::uint64_t sequence) : name_(name), sequence_(sequence) {}

 private:
  const char* name_;
  std::uint64_t sequence_;
  std::vector<Edge> edges_;
  std::vector<Result> results_;
  std::vector<std::pair<unsigned, Hook>> hooks_;
  bool knows_unit_gradient_ = false;
};

// Where the gradient of `tensor` goes: to the operation that produced it, or into its grad. Null if it requires none.
Edge gradient_edge(const Tensor& tensor);

// Makes `outputs` (new tensors without history) the results of one operation on `inputs` with the given `backward`. It
// receives one gradient per output (zeros where none arrived) and returns one per input, which may be undefined. It is
// called without recording, once for each backward pass.
std::vector<Tensor> custom_function(const char* name, const std::vector<Tensor>& inputs, std::vector<Tensor> outputs,
                                    std::function<std::vector<Tensor>(const std::vector<Tensor>&)> backward);

}  // namespace autograd

// Autograd state of a tensor; absent if the tensor takes no part in autograd.
struct AutogradMeta {
  bool requires_grad = false;  // of leaves; other tensors have a grad_fn
  std::shared_ptr<autograd::Node> grad_fn;
  unsigned output = 0;  // the index among the results of grad_fn
  Tensor grad;
  std::weak_ptr<autograd::Node> accumulator;
  std::vector<autograd::Hook> hooks;                                   // of leaves; otherwise grad_fn has them
  std::vector<std::function<void(const Tensor&)>> after_accumulation;  // called with the leaf
};

// The autograd state of `tensor`, created if absent.
AutogradMeta& autograd_of(const Tensor& tensor);

struct BackwardOptions {
  bool retain_graph = false;  // keep saved tensors for another backward
  bool create_graph = false;  // record the computation of the gradients; implies retain_graph
};

// Accumulates the gradients of `outputs`, weighted by `gradients`, in the grad of each leaf. The weights are optional
// for outputs with a single element.
void backward(const std::vector<Tensor>& outputs, const std::vector<Tensor>& gradients = {},
              BackwardOptions options = {});

// Returns the gradients with respect to `inputs` and leaves every grad unchanged. If the outputs do not depend on an
// input, throws, or returns an undefined tensor for it if `allow_unused`.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& gradients = {}, BackwardOptions options = {},
                         bool allow_unused = false);

}  // namespace reprise
