// What changes a tensor where it lies. Nothing of it is recorded: what is to be differentiated is computed anew.
#include "autograd/record.h"
#include "raw/copy.h"

namespace reprise {
namespace {

void check_not_recorded(const char* operation, const Tensor& to, const Tensor* from = nullptr) {
  const bool to_matters = is_grad_enabled() && to.requires_grad();
  check(!to_matters, operation, " into a tensor of shape ", to.sizes(),
        " that requires gradients: its old values may be needed for them; use a NoGradGuard, or compute a new tensor");
  check(!from || !autograd::wants_gradient(*from), operation, " from a tensor of shape ", to.sizes(),
        " that requires gradients, which would not see it; copy from its detach()");
}

}  // namespace

Tensor& Tensor::copy_(const Tensor& from) {
  check_not_recorded("copy_", *this, &from);
  raw::copy_(*this, from);
  return *this;
}

Tensor& Tensor::fill_(double value) {
  check_not_recorded("fill_", *this);
  raw::fill_(*this, value);
  return *this;
}

Tensor& Tensor::zero_() {
  check_not_recorded("zero_", *this);
  raw::zero_(*this);
  return *this;
}

}  // namespace reprise
