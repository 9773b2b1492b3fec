#include <reprise/error.h>
#include <reprise/outside_capture.h>
#include <reprise/paddle/scope.h>

#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise::paddle {

Tensor Scope::tensor(const std::string& name) const {
  auto at = tensors_.find(name);
  if (at != tensors_.end()) return at->second;
  std::string known;
  for (const auto& each : tensors_) known += " \"" + each.first + "\"";
  fail("the scope has no tensor \"", name, "\"; it has", known.empty() ? " none" : known);
}

Scope& global_scope() {
  static Scope* scope = new Scope;
  return *scope;
}

Tensor ScopeTensor::tensor() const { return scope_->tensor(name_); }

void ScopeTensor::copy_from(const Tensor& value) const {
  Tensor& own = scope_->tensors_[name_];
  if (!own.defined()) {
    OutsideCapture outside;
    own = kernels::empty(value.sizes(), value.dtype());
  }
  check(own.sizes() == value.sizes(), "copy_from: a tensor of ", value.sizes(), " for \"", name_, "\" of ", own.sizes(),
        " in the scope, where graphs read it; feed an executor with other sizes instead");
  kernels::copy_(own, value);
}

}  // namespace reprise::paddle
