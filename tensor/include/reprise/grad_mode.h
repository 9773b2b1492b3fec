// Whether operations are recorded for autograd: a thread-local flag, initially true.
#pragma once

#include <utility>

namespace reprise {

bool is_grad_enabled();
void set_grad_enabled(bool enabled);

// Sets the flag for a scope.
class GradMode {
 public:
  explicit GradMode(bool enabled) : before_(is_grad_enabled()) { set_grad_enabled(enabled); }
  ~GradMode() { set_grad_enabled(before_); }
  GradMode(const GradMode&) = delete;
  GradMode& operator=(const GradMode&) = delete;

 private:
  bool before_;
};

class NoGradGuard : GradMode {
 public:
  NoGradGuard() : GradMode(false) {}
};

class EnableGradGuard : GradMode {
 public:
  EnableGradGuard() : GradMode(true) {}
};

// Calls `function` without recording, and returns its result.
template <class Function>
decltype(auto) no_grad(Function&& function) {
  NoGradGuard guard;
  return std::forward<Function>(function)();
}

}  // namespace reprise
