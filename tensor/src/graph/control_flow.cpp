#include <reprise/control_flow.h>
#include <reprise/error.h>
#include <reprise/ops.h>
#include <reprise/random.h>

#include <algorithm>
#include <array>

#include "autograd/record.h"
#include "graph/branch_gradients.h"
#include "graph/conditional_kernels.h"
#include "graph/conditional_node.h"
#include "kernels/elementwise/elementwise.h"
#include "kernels/tensor/copy.h"
#include "kernels/tensor/empty.h"

namespace reprise {
namespace {

// In eager work, does with the default generator what a ConditionalNode does in a graph: takes one draw, and within its
// scope reseeds the generator from it.
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
  check(condition.numel() == 1, "cond or while_loop: a condition must have one element, not ", condition.sizes());
  return condition.item<float>() != 0;
}

// Throws unless `given` has the sizes and types of `expected`. `what` is the subject of the message.
void check_alike(const Tensors& expected, const Tensors& given, const char* what) {
  check(expected.size() == given.size(), what, " returns ", given.size(), " tensors where ", expected.size(),
        " are expected");
  for (std::size_t i = 0; i < expected.size(); ++i) {
    check(expected[i].sizes() == given[i].sizes() && expected[i].dtype() == given[i].dtype(), what,
          " returns a tensor of ", given[i].sizes(), " ", given[i].dtype(), " as number ", i, " where ",
          expected[i].sizes(), " ", expected[i].dtype(), " is expected");
  }
}

void copy_all(const Tensors& to, Tensors from, const char* what) {
  check_alike(to, from, what);
  // The body may return one value in the place of another: copy it before it is overwritten.
  for (std::size_t i = 0; i < to.size(); ++i) {
    for (std::size_t k = 0; k < to.size() && !from[i].is_same(to[i]); ++k) {
      if (k != i && from[i].body().memory == to[k].body().memory) {
        from[i] = kernels::clone(from[i]);
        break;
      }
    }
  }
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (!to[i].is_same(from[i])) kernels::copy_(to[i], from[i]);
  }
}

bool any_wants_gradient(const Tensors& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& each) { return autograd::wants_gradient(each); });
}

}  // namespace

Tensors cond(const Tensor& predicate, const std::function<Tensors()>& if_true,
             const std::function<Tensors()>& if_false) {
  StreamRef stream = current_stream();
  std::shared_ptr<CaptureContext> context = capture_context_of(stream);
  if (!context) {
    bool chosen = is_true(predicate);
    OwnRandomNumbers random;
    return chosen ? if_true() : if_false();
  }
  const std::uint64_t begin = autograd::sequence_now();
  ConditionalNode node(context, stream, cudaGraphCondTypeIf, 2, predicate);
  std::array<Tensors, 2> branches;
  Tensors results;
  node.capture(0, [&] {
    branches[0] = if_true();
    {
      // Allocated outside the branch, which they outlive.
      StreamGuard outside(stream);
      for (const Tensor& each : branches[0]) results.push_back(kernels::empty(each.sizes(), each.dtype()));
    }
    copy_all(results, branches[0], "cond: the first branch");
  });
  node.capture(1, [&] {
    branches[1] = if_false();
    copy_all(results, branches[1], "cond: the second branch");
  });
  record_branches(predicate, branches, begin, results);
  return results;
}

Tensors while_loop(const std::function<Tensor(const Tensors&)>& condition,
                   const std::function<Tensors(const Tensors&)>& body, const Tensors& values) {
  StreamRef stream = current_stream();
  std::shared_ptr<CaptureContext> context = capture_context_of(stream);
  Tensors carried;
  if (!context) {
    for (const Tensor& value : values) carried.push_back(value.clone());
    Tensor go_on = condition(carried);
    OwnRandomNumbers random;
    while (is_true(go_on)) {
      Tensors next = body(carried);
      check_alike(carried, next, "while_loop: the body");
      carried = std::move(next);
      go_on = condition(carried);
    }
    return carried;
  }
  for (const Tensor& value : values) carried.push_back(kernels::clone(value));
  bool differentiable = any_wants_gradient(values);
  ConditionalNode node(context, stream, cudaGraphCondTypeWhile, 1, condition(carried));
  node.capture(0, [&] {
    const Tensors next = body(carried);
    differentiable = differentiable || any_wants_gradient(next);
    copy_all(carried, next, "while_loop: the body");
    node.set(condition(carried));
  });
  if (differentiable) {
    record_not_differentiable(
        "while_loop",
        "within a graph the number of iterations is unknown, and intermediate results are not kept; use a for loop of "
        "fixed length, or while_loop in eager work",
        values, carried);
  }
  return carried;
}

Tensors switch_case(const Tensor& index, const std::vector<std::function<Tensors()>>& branches) {
  check(!branches.empty(), "switch_case: there are no branches");
  std::function<Tensors(std::size_t)> from = [&](std::size_t first) {
    if (first + 1 == branches.size()) return branches[first]();
    return cond(eq(index, static_cast<std::int64_t>(first)), branches[first], [&] { return from(first + 1); });
  };
  return from(0);
}

}  // namespace reprise
