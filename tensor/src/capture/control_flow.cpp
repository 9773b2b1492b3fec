#include <reprise/control_flow.h>

#include "capture/conditional_kernels.h"
#include "capture/conditional_node.h"
#include "raw/copy.h"
#include "raw/elementwise.h"
#include "raw/empty.h"

#include <reprise/error.h>
#include <reprise/grad_mode.h>
#include <reprise/ops.h>
#include <reprise/random.h>

namespace reprise {
namespace {

// In eager work: what a ConditionalNode does with the default generator. Numbers of its own while it lives, and one draw
// of the generator's.
class OwnRandomNumbers {
public:
  OwnRandomNumbers() {
    PhiloxState state = default_generator().next();
    seed_ = default_generator().seed();
    offset_ = default_generator().offset();
    default_generator().manual_seed(derived_seed(state.draw(0)));
  }
  ~OwnRandomNumbers() {
    default_generator().manual_seed(seed_);
    default_generator().set_offset(offset_);
  }

private:
  std::uint64_t seed_, offset_;
};

bool is_true(const Tensor& condition) {
  check(condition.numel() == 1, "a condition has one element, not ", condition.sizes());
  return condition.item<float>() != 0;
}

void copy_all(const Tensors& to, const Tensors& from, const char* what) {
  check(to.size() == from.size(), what, " gives ", from.size(), " tensors where ", to.size(), " are expected");
  for (std::size_t i = 0; i < to.size(); ++i) {
    check(to[i].sizes() == from[i].sizes() && to[i].dtype() == from[i].dtype(), what, " gives a tensor of ", from[i].sizes(), " ",
          from[i].dtype(), " as number ", i, " where ", to[i].sizes(), " ", to[i].dtype(), " is expected");
    if (!to[i].is_same(from[i])) raw::copy_(to[i], from[i]);
  }
}

}  // namespace

Tensors cond(const Tensor& predicate, const std::function<Tensors()>& if_true, const std::function<Tensors()>& if_false) {
  NoGradGuard no_grad;
  StreamRef stream = current_stream();
  std::shared_ptr<Session> session = session_of(stream);
  if (!session) {
    bool chosen = is_true(predicate);
    OwnRandomNumbers random;
    return chosen ? if_true() : if_false();
  }
  ConditionalNode node(session, stream, cudaGraphCondTypeIf, 2, predicate);
  Tensors results;
  node.capture(0, [&] {
    Tensors given = if_true();
    {
      // They outlive the branch.
      StreamGuard outside(stream);
      for (const Tensor& each : given) results.push_back(raw::empty(each.sizes(), each.dtype()));
    }
    copy_all(results, given, "cond: the first branch");
  });
  node.capture(1, [&] { copy_all(results, if_false(), "cond: the second branch"); });
  return results;
}

Tensors while_loop(const std::function<Tensor(const Tensors&)>& condition, const std::function<Tensors(const Tensors&)>& body,
                   const Tensors& values) {
  NoGradGuard no_grad;
  StreamRef stream = current_stream();
  Tensors carried;
  for (const Tensor& value : values) carried.push_back(raw::clone(value));
  std::shared_ptr<Session> session = session_of(stream);
  if (!session) {
    Tensor go_on = condition(carried);
    OwnRandomNumbers random;
    while (is_true(go_on)) {
      copy_all(carried, body(carried), "while_loop: the body");
      go_on = condition(carried);
    }
    return carried;
  }
  ConditionalNode node(session, stream, cudaGraphCondTypeWhile, 1, condition(carried));
  node.capture(0, [&] {
    copy_all(carried, body(carried), "while_loop: the body");
    node.set(condition(carried));
  });
  return carried;
}

Tensors switch_case(const Tensor& index, const std::vector<std::function<Tensors()>>& branches) {
  check(!branches.empty(), "switch_case without branches");
  std::function<Tensors(std::size_t)> from = [&](std::size_t first) {
    if (first + 1 == branches.size()) return branches[first]();
    return cond(eq(index, static_cast<std::int64_t>(first)), branches[first], [&] { return from(first + 1); });
  };
  return from(0);
}

}  // namespace reprise
