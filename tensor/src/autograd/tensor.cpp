// The members of Tensor that concern gradients.
#include <reprise/tensor.h>

#include "autograd/leaf.h"
#include "autograd/record.h"
#include "kernels/tensor/views.h"

namespace reprise {

AutogradMeta& autograd_of(const Tensor& tensor) {
  std::shared_ptr<AutogradMeta>& meta = tensor.body().autograd;
  if (!meta) meta = std::make_shared<AutogradMeta>();
  return *meta;
}

bool Tensor::requires_grad() const {
  const AutogradMeta* meta = body().autograd.get();
  return meta && (meta->requires_grad || meta->grad_fn);
}

bool Tensor::is_leaf() const {
  const AutogradMeta* meta = body().autograd.get();
  return !meta || !meta->grad_fn;
}

Tensor& Tensor::requires_grad_(bool requires_grad) {
  check(is_leaf(), "requires_grad_ of a tensor of shape ", sizes(),
        " that was computed: only leaves can be changed; detach() returns a leaf");
  check(!requires_grad || is_floating(dtype()), "requires_grad_ of a tensor of shape ", sizes(), ": one of ", dtype(),
        " cannot require gradients");
  if (requires_grad || body().autograd) autograd_of(*this).requires_grad = requires_grad;
  return *this;
}

Tensor Tensor::grad() const {
  const AutogradMeta* meta = body().autograd.get();
  return meta ? meta->grad : Tensor();
}

void Tensor::set_grad(const Tensor& grad) const {
  if (grad.defined()) {
    check(grad.sizes() == sizes() && grad.dtype() == dtype(), "set_grad: a gradient of ", grad.dtype(), " ",
          grad.sizes(), " for a tensor of ", dtype(), " ", sizes());
  }
  if (!grad.defined() && !body().autograd) return;
  autograd::about_to_set_grad(*this);
  autograd_of(*this).grad = grad;
}

void Tensor::backward(const Tensor& gradient) const {
  reprise::backward({*this}, gradient.defined() ? std::vector<Tensor>{gradient} : std::vector<Tensor>{});
}

Tensor Tensor::detach() const { return kernels::alias(*this); }

void Tensor::register_hook(std::function<Tensor(const Tensor&)> hook) const {
  check(requires_grad(), "register_hook on a tensor of shape ", sizes(), " that does not require gradients");
  AutogradMeta& meta = autograd_of(*this);
  if (meta.grad_fn) {
    meta.grad_fn->add_hook(meta.output, std::move(hook));
  } else {
    meta.hooks.push_back(std::move(hook));
  }
}

void Tensor::register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const {
  check(requires_grad() && is_leaf(), "a hook after accumulation on a tensor of shape ", sizes(),
        " that is not a leaf which requires gradients");
  autograd_of(*this).after_accumulation.push_back(std::move(hook));
}

void Tensor::retain_grad() const {
  if (is_leaf()) return;
  // A weak reference: the tensor keeps the node alive.
  std::weak_ptr<AutogradMeta> weak = body().autograd;
  register_hook([weak](const Tensor& gradient) {
    if (std::shared_ptr<AutogradMeta> meta = weak.lock()) meta->grad = gradient;
    return Tensor();
  });
}

}  // namespace reprise
