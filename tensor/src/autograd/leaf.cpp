#include "autograd/leaf.h"

#include <limits>

#include "autograd/record.h"
#include "capture/undo.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/copy.h"

namespace reprise::autograd {
namespace {

// Whether `gradient` can become a grad without a copy: it must not be shared, and must be contiguous for later
// accumulation.
bool can_be_kept(const Tensor& gradient) {
  return gradient.shared_body().use_count() == 1 && gradient.body().memory.use_count() == 1 && gradient.is_contiguous();
}

class Accumulator final : public Node {
 public:
  explicit Accumulator(const Tensor& leaf)
      : Node("accumulation", std::numeric_limits<std::uint64_t>::max()), leaf_(leaf) {
    add_result(leaf);
  }

  Tensors backward(Tensors gradients) override {
    Tensor gradient = std::move(gradients[0]);
    gradients.clear();
    AutogradMeta& meta = autograd_of(leaf_);
    for (const Hook& hook : meta.hooks) run_hook(hook, gradient);
    about_to_set_grad(leaf_);
    add(meta.grad, std::move(gradient));
    for (const auto& hook : meta.after_accumulation) hook(leaf_);
    return {};
  }

 private:
  static void add(Tensor& grad, Tensor gradient) {
    if (is_grad_enabled()) {
      grad = grad.defined() ? add_gradients(grad, gradient) : gradient;
    } else if (!grad.defined()) {
      grad = can_be_kept(gradient) ? std::move(gradient) : kernels::clone(gradient);
    } else {
      kernels::add_(grad, gradient);
    }
  }

  Tensor leaf_;
};

}  // namespace

void about_to_set_grad(const Tensor& leaf) {
  if (!may_be_undone()) return;
  AutogradMeta& meta = autograd_of(leaf);
  undo_later(&meta, [leaf, before = meta.grad] { autograd_of(leaf).grad = before; });
}

std::shared_ptr<Node> accumulator_of(const Tensor& leaf) {
  AutogradMeta& meta = autograd_of(leaf);
  std::shared_ptr<Node> node = meta.accumulator.lock();
  if (!node) {
    node = std::make_shared<Accumulator>(leaf);
    meta.accumulator = node;
  }
  return node;
}

}  // namespace reprise::autograd
