#include <atomic>

#include "autograd/leaf.h"
#include "autograd/record.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/factories.h"

namespace reprise::autograd {
namespace {

std::atomic<std::uint64_t> next_in_sequence{0};

std::uint64_t next_sequence() { return next_in_sequence.fetch_add(1, std::memory_order_relaxed); }

// The history of gradients that unrecorded kernels computed.
class NotDifferentiableTwice final : public Node {
 public:
  explicit NotDifferentiableTwice(const char* name) : Node(name) {}
  Tensors backward(Tensors) override {
    fail("the backward of ", name(),
         " cannot be differentiated again: its gradient is computed by kernels that are not recorded");
  }
};

}  // namespace

std::uint64_t sequence_now() { return next_in_sequence.load(std::memory_order_relaxed); }

Node::Node(const char* name) : name_(name), sequence_(next_sequence()) {}

// Destroys a chain of nodes iteratively: it can be too long for recursion.
Node::~Node() {
  thread_local std::vector<Edge>* going = nullptr;
  if (going) {
    for (Edge& edge : edges_) going->push_back(std::move(edge));
    return;
  }
  std::vector<Edge> list = std::move(edges_);
  going = &list;
  while (!list.empty()) {
    Edge edge = std::move(list.back());
    list.pop_back();
  }
  going = nullptr;
}

unsigned Node::add_result(const Tensor& result) {
  results_.push_back({result.sizes(), result.dtype()});
  return static_cast<unsigned>(results_.size() - 1);
}

void run_hook(const Hook& hook, Tensor& gradient) {
  Tensor replaced = hook(gradient);
  if (!replaced.defined()) return;
  check(replaced.sizes() == gradient.sizes() && replaced.dtype() == gradient.dtype(),
        "a hook gave a gradient of shape ", replaced.sizes(), " and type ", replaced.dtype(),
        " in place of one of shape ", gradient.sizes(), " and type ", gradient.dtype());
  gradient = std::move(replaced);
}

void Node::run_hooks(std::vector<Tensor>& gradients) const {
  for (const auto& [result, hook] : hooks_) {
    if (gradients[result].defined()) run_hook(hook, gradients[result]);
  }
}

void set_history(Tensor& tensor, const std::shared_ptr<Node>& node) {
  AutogradMeta& meta = autograd_of(tensor);
  meta.grad_fn = node;
  meta.output = node->add_result(tensor);
}

void SavedTensor::fail_changed(const Tensor& tensor, const char* operation) {
  fail("backward of ", operation, " needs a tensor of shape ", tensor.sizes(),
       " as it was, but it was changed in place since, by an operation such as copy_ or add_ or by an optimiser; "
       "clone() "
       "it before the operation, or call backward before the change");
}

Tensor SavedResult::get(Node& node, unsigned output) const {
  if (!is_grad_enabled()) return data_;
  Tensor result = data_.get().detach();
  AutogradMeta& meta = autograd_of(result);
  meta.grad_fn = node.shared_from_this();
  meta.output = output;
  return result;
}

void forbid_history(Tensors& gradients, const char* name) {
  auto node = std::make_shared<NotDifferentiableTwice>(name);
  for (Tensor& gradient : gradients) {
    if (!gradient.defined()) continue;
    gradient = gradient.detach();
    set_history(gradient, node);
  }
}

void fail_released(const char* name) {
  fail("backward through ", name,
       " a second time: the first call freed its saved tensors; pass retain_graph to the first call");
}

Tensor add_gradients(const Tensor& a, const Tensor& b) {
  Tensor sum = kernels::add(a, b);
  if (wants_gradient(a, b)) {
    record(sum, "add", {a, b}, [](const Tensor& gradient, Node& node) {
      return Tensors{node.wants(0) ? gradient : Tensor(), node.wants(1) ? gradient : Tensor()};
    });
  }
  return sum;
}

Edge gradient_edge(const Tensor& tensor) {
  if (!requires_gradient(tensor)) return {};
  AutogradMeta& meta = autograd_of(tensor);
  if (meta.grad_fn) return {meta.grad_fn, meta.output};
  return {accumulator_of(tensor), 0};
}

Tensors custom_function(const char* name, const Tensors& inputs, Tensors outputs,
                        std::function<Tensors(const Tensors&)> backward) {
  bool wanted = false;
  for (const Tensor& input : inputs) wanted = wanted || wants_gradient(input);
  if (!wanted) return outputs;
  auto call = [backward = std::move(backward)](const Tensors& arrived, Node& node) {
    Tensors gradients = arrived;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const Node::Result& result = node.results()[i];
      if (!gradients[i].defined()) gradients[i] = kernels::zeros(result.sizes, result.dtype);
    }
    return backward(gradients);
  };
  auto node = std::make_shared<Operation<decltype(call), true>>(name, std::move(call));
  for (const Tensor& input : inputs) node->add_edge(gradient_edge(input));
  for (Tensor& output : outputs) set_history(output, node);
  return outputs;
}

}  // namespace reprise::autograd
