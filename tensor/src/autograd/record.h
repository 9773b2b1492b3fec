// Recording differentiable operations:
//
//   Tensor exp(const Tensor& x) {
//     Tensor y = kernels::exp(x);
//     if (wants_gradient(x)) {
//       record(y, "exp", {x}, [kept = SavedResult(y, "exp")](const Tensor& gradient, Node& node) {
//         return Tensors{gradient * kept.get(node)};
//       });
//     }
//     return y;
//   }
//
// The closure holds all saved state and is destroyed after it has run. It saves arguments as SavedTensor and results as
// SavedResult, which detect later in-place changes. A closure that only uses operations of ops.h can be differentiated
// again; one that calls kernels:: directly must be recorded by record_once.
#pragma once

#include <reprise/autograd.h>
#include <reprise/error.h>

#include <initializer_list>
#include <optional>
#include <type_traits>

namespace reprise::autograd {

using Tensors = std::vector<Tensor>;

inline bool requires_gradient(const Tensor& tensor) { return tensor.defined() && tensor.requires_grad(); }

template <class... Inputs>
bool wants_gradient(const Inputs&... inputs) {
  return is_grad_enabled() && (requires_gradient(inputs) || ...);
}

// Nodes recorded from now on have at least this sequence().
std::uint64_t sequence_now();

// Replaces `gradient` by the result of the hook, if it returns one.
void run_hook(const Hook& hook, Tensor& gradient);

// Makes `tensor` the next result of `node`.
void set_history(Tensor& tensor, const std::shared_ptr<Node>& node);
// Makes it an error to differentiate `gradients`, which unrecorded kernels computed.
void forbid_history(Tensors& gradients, const char* name);
[[noreturn]] void fail_released(const char* name);
// a + b for gradients of the same shape and type; recorded if gradients are.
Tensor add_gradients(const Tensor& a, const Tensor& b);

// A tensor saved for backward.
class SavedTensor {
 public:
  SavedTensor() = default;
  // `operation` must be a string literal.
  SavedTensor(const Tensor& tensor, const char* operation)
      : tensor_(tensor), version_(tensor.defined() ? tensor.body().memory->version() : 0), operation_(operation) {}
  operator const Tensor&() const { return get(); }
  // Throws if the tensor was changed in place since it was saved.
  const Tensor& get() const {
    if (tensor_.defined() && tensor_.body().memory->version() != version_) fail_changed(tensor_, operation_);
    return tensor_;
  }
  // For uses that do not depend on the values.
  const Tensor& unchecked() const { return tensor_; }

 private:
  [[noreturn]] static void fail_changed(const Tensor& tensor, const char* operation);

  Tensor tensor_;
  std::uint64_t version_ = 0;
  const char* operation_ = "";
};

// Saves `tensor` only if it is needed.
inline SavedTensor save_if(bool needed, const Tensor& tensor, const char* operation) {
  return needed ? SavedTensor(tensor, operation) : SavedTensor();
}

// A result of an operation, saved by its own node. It is detached, since a tensor with history would form a reference
// cycle with the node.
class SavedResult {
 public:
  SavedResult(const Tensor& result, const char* operation) : data_(result.detach(), operation) {}
  Tensor get(Node& node, unsigned output = 0) const;

 private:
  SavedTensor data_;
};

// `Backward` is Tensors(const Tensor& gradient, Node&) for one result, Tensors(const Tensors&, Node&) for several.
template <class Backward, bool once>
class Operation final : public Node {
 public:
  Operation(const char* name, Backward backward) : Node(name), backward_(std::move(backward)) {}

  Tensors backward(Tensors gradients) override {
    if (!backward_) fail_released(name());
    if constexpr (once) {
      Tensors result;
      {
        NoGradGuard guard;
        result = call(gradients);
      }
      if (is_grad_enabled()) forbid_history(result, name());
      return result;
    } else {
      return call(gradients);
    }
  }
  void release() override {
    if (!keeps_nothing_) backward_.reset();
  }
  // For closures that hold host values in containers.
  void set_keeps_nothing() { keeps_nothing_ = true; }

 private:
  Tensors call(const Tensors& gradients) {
    if constexpr (std::is_invocable_v<Backward&, const Tensor&, Node&>) {
      return (*backward_)(gradients[0], *this);
    } else {
      return (*backward_)(gradients, *this);
    }
  }

  std::optional<Backward> backward_;
  // A closure that holds no tensors has nothing to release, and backward may run again, as in PyTorch.
  bool keeps_nothing_ = std::is_trivially_destructible_v<Backward>;
};

template <bool once, class Inputs, class Backward>
std::shared_ptr<Operation<Backward, once>> record_results(std::initializer_list<Tensor*> results, const char* name,
                                                          const Inputs& inputs, Backward backward) {
  auto node = std::make_shared<Operation<Backward, once>>(name, std::move(backward));
  for (const Tensor& input : inputs) node->add_edge(gradient_edge(input));
  for (Tensor* result : results) set_history(*result, node);
  return node;
}

using Inputs = std::initializer_list<std::reference_wrapper<const Tensor>>;

template <class Backward>
void record(Tensor& result, const char* name, Inputs inputs, Backward backward) {
  record_results<false>({&result}, name, inputs, std::move(backward));
}

template <class Backward>
void record_once(Tensor& result, const char* name, Inputs inputs, Backward backward) {
  record_results<true>({&result}, name, inputs, std::move(backward));
}

}  // namespace reprise::autograd
