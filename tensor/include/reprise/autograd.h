// Gradients: what recorded operations leave behind, and how it is walked backwards.
//
// An operation on tensors that require gradients makes a Node with an edge to where each argument came from. backward()
// goes from the results to the leaves, the operation recorded last first, adds up what reaches a node from several
// sides, runs it once and drops what it kept: during a capture the memory goes straight back to the graph's pool.
// Everything runs on the calling thread and on its current stream; nothing is read on the host.
//
// Thread safety: a thread may record and differentiate while others do, on tensors of its own. Two that differentiate
// towards one leaf at once race for its gradient.
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

// To argument `input` of what follows backwards. Without a node: the gradient is not wanted.
struct Edge {
  std::shared_ptr<Node> node;
  unsigned input = 0;
};

// Sees a gradient and may return another in its place, or an undefined tensor to leave it.
using Hook = std::function<Tensor(const Tensor&)>;

class Node : public std::enable_shared_from_this<Node> {
 public:
  // Shape and type of a result, hence of its gradient.
  struct Result {
    Sizes sizes;
    DType dtype;
  };

  // `name` is a literal.
  explicit Node(const char* name);
  virtual ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // From the gradients of the results (undefined where none arrived) those of the arguments, one for each edge;
  // undefined where there is none.
  virtual std::vector<Tensor> backward(std::vector<Tensor> gradients) = 0;
  // Drops what was kept for backward, which cannot be called again.
  virtual void release() {}

  const char* name() const { return name_; }
  // Later ones are greater; gradients of leaves are stored before all else.
  std::uint64_t sequence() const { return sequence_; }
  const std::vector<Edge>& edges() const { return edges_; }
  const std::vector<Result>& results() const { return results_; }
  bool wants(std::size_t argument) const { return edges_[argument].node != nullptr; }

  void add_edge(Edge edge) { edges_.push_back(std::move(edge)); }
  unsigned add_result(const Tensor& result);
  // The hook sees the gradient of result `result` once it is complete, before backward does.
  void add_hook(unsigned result, Hook hook) { hooks_.push_back({result, std::move(hook)}); }
  void run_hooks(std::vector<Tensor>& gradients) const;
  bool has_hooks() const { return !hooks_.empty(); }

  // Whether backward may be given autograd::unit_gradient() itself.
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

// Where the gradient of `tensor` goes: to the operation that made it, or into its own grad. No node if it needs none.
Edge gradient_edge(const Tensor& tensor);

// Makes `outputs` (new tensors, not recorded) the results of one operation on `inputs`, whose gradients `backward`
// computes: called with one gradient for each output (zeros where none arrived), it returns one for each input, or an
// undefined tensor for an input without. It is called as often as users ask, with gradients not recorded.
std::vector<Tensor> custom_function(const char* name, const std::vector<Tensor>& inputs, std::vector<Tensor> outputs,
                                    std::function<std::vector<Tensor>(const std::vector<Tensor>&)> backward);

}  // namespace autograd

// What a tensor knows about gradients; tensors without any have none of it.
struct AutogradMeta {
  bool requires_grad = false;  // for leaves: results require gradients as they have a grad_fn
  std::shared_ptr<autograd::Node> grad_fn;
  unsigned output = 0;  // which of grad_fn's results
  Tensor grad;
  std::weak_ptr<autograd::Node> accumulator;
  std::vector<autograd::Hook> hooks;                                   // of leaves; others have them in grad_fn
  std::vector<std::function<void(const Tensor&)>> after_accumulation;  // get the leaf
};

// That of `tensor`, made if it had none.
AutogradMeta& autograd_of(const Tensor& tensor);

struct BackwardOptions {
  bool retain_graph = false;  // what operations kept stays, for another backward
  bool create_graph = false;  // the gradients are recorded themselves; implies retain_graph
};

// Adds the gradients of `outputs`, weighted by `gradients` (ones for a single element if not given), to the grad of
// each leaf that they came from.
void backward(const std::vector<Tensor>& outputs, const std::vector<Tensor>& gradients = {},
              BackwardOptions options = {});

// The gradients with respect to `inputs` instead, which leaves every grad as it is. An input that the outputs do not
// depend on is an error, or gives an undefined tensor if `allow_unused`.
std::vector<Tensor> grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                         const std::vector<Tensor>& gradients = {}, BackwardOptions options = {},
                         bool allow_unused = false);

}  // namespace reprise
